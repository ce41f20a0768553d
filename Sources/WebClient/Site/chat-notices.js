// What people did, as lines of the chat tell it.

import { clockText, speedText, text } from "./texts.js";
import { choiceOf } from "./waiting-policy.js";

/**
 * A sentence, and what it is about: so it can be said again in another language.
 * @typedef {{text: import("./texts.js").TextName, values: Record<string, string | number>}} Deed
 * @typedef {import("./mirror.js").SessionMirror} SessionMirror
 * @typedef {import("./client-events.js").Change} Change
 */

/** @param {Deed} deed @returns {string} */
export function deedText({ text: sentence, values }) {
  const { role, rate } = values;
  return text(sentence, { ...values,
    ...(role === undefined ? {} : { role: text(/** @type {"host"} */ (role)) }),
    ...(typeof rate === "number" ? { rate: speedText(rate) } : {}) });
}

/** @param {Deed["text"]} sentence @param {Deed["values"]} values @returns {Deed} */
const deed = (sentence, values) => ({ text: sentence, values });

/**
 * What an event of the session is worth telling.
 * @param {Change} event @param {SessionMirror} session after it @returns {Deed | null}
 */
export function deedOf(event, session) {
  switch (event.event) {
    case "left": return leaving(event, session);
    case "roleSet": return roleDeed(event, session);
    case "selected": return selection(event, session);
  }
  const one = session.participants.get(event.event === "readinessSet" ? event.participant : event.by ?? event.participant);
  return one === undefined || one.keeper ? null : deedBy(one.name, event, session);
}

/** @param {string} name @param {Change} event @param {SessionMirror} session @returns {Deed | null} */
function deedBy(name, event, session) {
  switch (event.event) {
    case "joined": return deed("didJoin", { name });
    case "lost": return deed("didLose", { name });
    case "resumed": return deed("didReturn", { name });
    case "readinessSet": return event.ready ? deed("didReady", { name }) : null;
    case "activitySet": return deed("didChange", { name, title: event.activity.metadata?.title ?? "" });
    case "controlSet": return deed(event.control === "everyone" ? "didSteer" : "didSteerHosts", { name });
    case "waitingPolicySet": return waiting(event, name);
    case "suspensionBegan": return suspension(event, name);
    case "timelineSet": return steering(event, name);
    default: return queueDeed(event, name, session);
  }
}

/** @param {Change} event @param {SessionMirror} session @returns {Deed | null} */
function leaving({ gone, reason, by }, session) {
  if (gone === undefined || gone.keeper) return null;
  const host = reason === "removed" ? session.participants.get(by) : undefined;
  return host === undefined ? deed("didLeave", { name: gone.name }) : deed("didRemove", { name: host.name, other: gone.name });
}

/** @param {Change} event @param {SessionMirror} session @returns {Deed | null} */
function roleDeed({ participant, role, by }, session) {
  const one = session.participants.get(participant);
  // What the session does by itself is nobody's deed, but everybody is told who inherits it.
  const isTold = by !== undefined || role === "host";
  return one === undefined || one.keeper || !isTold ? null : deed("didRole", { name: one.name, role });
}

/** @param {Change} event @param {SessionMirror} session @returns {Deed | null} */
function selection({ by }, session) {
  const title = titleOf(session.queue.currentEntry);
  // Nobody chose what follows by itself.
  if (by === undefined) return title === "" ? null : deed("didFollow", { title });
  const one = session.participants.get(by);
  return one === undefined || one.keeper ? null : deed("didChange", { name: one.name, title });
}

/** @type {Record<import("./queue.js").Queue["repeat"], Deed["text"]>} */
const repeats = { all: "didRepeatAll", one: "didRepeatOne", off: "didRepeatOff" };

/** @param {Change} event @param {string} name @param {SessionMirror} session @returns {Deed | null} */
function queueDeed(event, name, { queue }) {
  switch (event.event) {
    case "inserted": return event.entries.length === 1 ? deed("didAdd", { name, title: titleOf(event.entries[0]) })
      : deed("didAddMany", { name, count: event.entries.length });
    case "moved": return deed("didMove", { name, title: titleOf(queue.entries.find(({ entry }) => entry === event.entry)) });
    case "entryRemoved": return deed("didTakeOut", { name, title: titleOf(event.entryGone) });
    case "queueCleared": return deed("didClear", { name });
    case "shuffled": return deed("didShuffle", { name });
    case "unshuffled": return deed("didUnshuffle", { name });
    case "repeatSet": return deed(repeats[/** @type {import("./queue.js").Queue["repeat"]} */ (event.repeat)], { name });
    default: return null;
  }
}

/** @param {import("./queue.js").Media | undefined} media */
const titleOf = (media) => media?.title ?? media?.url ?? "";

/** @param {Change} event @param {string} name @returns {Deed | null} */
function suspension({ reason }, name) {
  switch (reason) {
    case "stallRecovery": return deed("didStall", { name });
    case "coordinatedPlaybackNotPossible": return deed("didFail", { name });
    default: return null;
  }
}

/** @param {Change} event @param {string} name @returns {Deed | null} */
function waiting({ waitingPolicy }, name) {
  const choice = choiceOf(waitingPolicy);
  return choice === "other" ? null : deed(choice === "together" ? "didWait" : "didPlayOn", { name });
}

/** @param {Change} event @param {string} name @returns {Deed | null} */
function steering(event, name) {
  switch (event.action) {
    case "play": return deed("didPlay", { name });
    case "pause": return deed("didPause", { name });
    case "seek": return deed("didSeek", { name, position: clockText(event.mediaTime) });
    case "setRate": return deed("didRate", { name, rate: event.rate });
    case "wait": return deed("didStall", { name });
    default: return null;
  }
}
