// What the server hears of a person and of messages: once and in order, with the cases of Outbox in Swift.

import assert from "node:assert/strict";
import test from "node:test";
import { Notices } from "../../Sources/WebClient/Site/notices.js";
import { MatineeError, PendingRequests } from "../../Sources/WebClient/Site/requests.js";
import { PresenterSettings } from "../../Sources/WebClient/Site/surroundings.js";

const settle = async () => { for (let turn = 0; turn < 10; turn += 1) await Promise.resolve(); };

/** A connection, and the server that hears what is said on it. */
class Connection extends EventTarget {
  isOnline = false;
  /** Whether the server answers at once. */ answers = true;
  /** @type {Record<string, any>[]} all lines so far */ heard = [];
  /** @type {string | null} with which every request is refused */ refusal = null;
  #pending = [];

  requestNotice(type, fields) {
    assert.ok(this.isOnline, "nothing is said without a connection");
    this.heard.push({ type, ...fields });
    const outcome = new Promise((succeed, fail) => this.#pending.push({ succeed, fail }));
    if (this.answers) this.answer();
    return outcome;
  }

  /** Answers what is pending, or fails it with a code. */
  answer(code = this.refusal) {
    for (const { succeed, fail } of this.#pending.splice(0)) {
      if (code === null) succeed({ type: "ok" });
      else fail(new MatineeError(code, "not now"));
    }
    return settle();
  }

  connect(isOnline) {
    this.isOnline = isOnline;
    this.dispatchEvent(new CustomEvent("state", { detail: { state: isOnline ? "online" : "reconnecting" } }));
  }

  /** All lines so far, in words. */
  get words() {
    return this.heard.map(({ type, name, change = "state", visible }) =>
      (type === "appState" ? `${change} ${visible ? "visible" : "hidden"}` : name ?? type));
  }
}

/** The notices of a page that is greeted, and its connection. */
function page({ isVisible = false, settings = new PresenterSettings() } = {}) {
  const connection = new Connection();
  const notices = new Notices(connection, settings);
  notices.noteVisible(isVisible);
  return { connection, notices };
}

async function greet(connection, notices, messages = []) {
  connection.connect(true);
  notices.enter(messages);
  await settle();
}

const log = (notices, ...names) => { for (const name of names) notices.tell("logEvent", { name }); };

test("a page that shows nothing says nothing until it logs something", async () => {
  const { connection, notices } = page();
  await greet(connection, notices);
  assert.deepEqual(connection.words, []);
  log(notices, "a");
  await settle();
  assert.deepEqual(connection.words, ["state hidden", "a"]);
});

test("the launch is told once, then each going and coming, and how it is after each cut", async () => {
  const { connection, notices } = page({ isVisible: true });
  await greet(connection, notices);
  for (const isVisible of [true, false, false, true]) {
    notices.noteVisible(isVisible);
    await settle();
  }
  connection.connect(false);
  await greet(connection, notices);
  assert.deepEqual(connection.words, ["launch visible", "state hidden", "foreground visible", "state visible"]);
  assert.equal(new Set(connection.heard.map(({ epoch }) => epoch)).size, 1);
});

test("each state says which app it is, in which version and with which capabilities", async () => {
  const settings = Object.assign(new PresenterSettings(), { app: "my-app", version: "1.10", capabilities: ["quiz"] });
  for (const [about, app] of [[settings, ["my-app", "1.10", ["quiz"]]], [undefined, ["matinee-web", undefined, ["groupWatch"]]]]) {
    const { connection, notices } = page({ isVisible: true, settings: about });
    await greet(connection, notices);
    notices.noteVisible(false);
    await settle();
    assert.deepEqual(connection.heard.map((line) => [line.app, line.version, line.capabilities]), [app, app]);
  }
});

test("what is logged before the launch has a lower number, and is told before it, behind the epoch", async () => {
  const { connection, notices } = page();
  log(notices, "a", "b");
  notices.noteVisible(true);
  log(notices, "c");
  await greet(connection, notices);
  assert.deepEqual(connection.words, ["state visible", "a", "b", "launch visible", "c"]);
  assert.deepEqual(connection.heard.map(({ sequence }) => sequence), [undefined, 1, 2, 3, 4]);
});

test("who came back without a connection is told so with the next one", async () => {
  const { connection, notices } = page({ isVisible: true });
  await greet(connection, notices);
  connection.connect(false);
  for (const isVisible of [false, true]) notices.noteVisible(isVisible);
  log(notices, "a");
  await greet(connection, notices);
  assert.deepEqual(connection.words, ["launch visible", "foreground visible", "a"]);
});

test("an app that logs as soon as it is connected is heard behind the epoch", async () => {
  const { connection, notices } = page({ isVisible: true });
  await greet(connection, notices);
  connection.connect(false);
  connection.connect(true);
  log(notices, "a");
  notices.enter([]);
  await settle();
  assert.deepEqual(connection.words, ["launch visible", "state visible", "a"]);
});

test("one notice is on its way at a time, and one without an answer is sent again", async () => {
  const { connection, notices } = page({ isVisible: true });
  await greet(connection, notices);
  connection.answers = false;
  log(notices, "a", "b");
  assert.deepEqual(connection.words, ["launch visible", "a"]);
  await connection.answer("timedOut");
  await connection.answer();
  assert.deepEqual(connection.words, ["launch visible", "a", "a", "b"]);
  assert.deepEqual(connection.heard.map(({ sequence }) => sequence), [1, 2, 2, 3]);
});

test("how the page is seen is told again, as it is then, if the server could not store it in time", async () => {
  const { connection, notices } = page({ isVisible: true });
  await greet(connection, notices);
  connection.answers = false;
  notices.noteVisible(false);
  await connection.answer("timedOut");
  await connection.answer("timedOut");
  await connection.answer();
  assert.deepEqual(connection.words, ["launch visible", "state hidden", "state hidden", "state hidden"]);
  notices.noteVisible(true);
  await connection.answer();
  notices.noteVisible(false);
  connection.connect(false);
  await connection.answer("timedOut");
  assert.deepEqual(connection.words.slice(4), ["foreground visible", "state hidden"], "nothing without a connection");
});

test("a server that has forgotten the device hears what it did not answer once more", async () => {
  const { connection, notices } = page({ isVisible: true });
  connection.answers = false;
  await greet(connection, notices);
  connection.connect(false);
  await connection.answer("forgotten");
  connection.answers = true;
  await greet(connection, notices);
  assert.deepEqual(connection.words, ["launch visible", "launch visible"]);
});

test("as many wait as may, the oldest goes, and a wipe never does", async () => {
  const { connection, notices } = page({ isVisible: true });
  notices.wipe();
  log(notices, ...Array.from({ length: 1_000 }, (_, number) => `e${number}`));
  await greet(connection, notices);
  for (let turn = 0; turn < 1_000; turn += 1) await settle();
  const kept = Array.from({ length: 999 }, (_, number) => `e${number + 1}`);
  assert.deepEqual(connection.words, ["state visible", "wipeMessaging", ...kept]);
});

test("who is to be forgotten is told of no more", async () => {
  const { connection, notices } = page({ isVisible: true });
  await greet(connection, notices);
  connection.answers = false;
  log(notices, "on its way", "waiting");
  notices.wipe();
  connection.answers = true;
  await connection.answer();
  assert.deepEqual(connection.words, ["launch visible", "on its way", "wipeMessaging"]);
});

test("of a session that is over, what waits of its media is told no more", async () => {
  const { connection, notices } = page();
  const enqueue = (session) => notices.tell("logEvent", { name: "SharePlay Event", properties: { session } });
  for (const session of ["s-1", "s-2"]) enqueue(session);
  notices.tell("logEvent", { name: "rated", properties: { session: "s-1" } });
  notices.forgetMedia("SharePlay Event", "s-1");
  await greet(connection, notices);
  assert.deepEqual(connection.heard.slice(1).map(({ name, properties }) => [name, properties.session]),
    [["SharePlay Event", "s-2"], ["rated", "s-1"]]);
});

test("the messages that are here are asked about once the server knows of the page", async () => {
  const { connection, notices } = page({ isVisible: true });
  await greet(connection, notices, ["m1", "m2"]);
  assert.deepEqual(connection.words, ["launch visible", "revalidateMessages"]);
  assert.deepEqual(connection.heard[1].messages, ["m1", "m2"]);
});

test("a server without campaigns is asked no more until the next connection", async () => {
  const { connection, notices } = page({ isVisible: true });
  connection.refusal = "messagingUnavailable";
  await greet(connection, notices);
  log(notices, "a");
  assert.deepEqual(connection.words, ["launch visible"]);
  connection.refusal = null;
  connection.connect(false);
  await greet(connection, notices);
  log(notices, "b");
  await settle();
  assert.deepEqual(connection.words, ["launch visible", "state visible", "b"]);
});

test("whatever a page tells is told again until it is stored", async () => {
  const pending = new PendingRequests();
  const connection = Object.assign(new EventTarget(), {
    isOnline: true, requestNotice: (type, fields) => {
      const outcome = pending.add(type, fields, 40_000_000, false, true);
      outcome.catch(() => assert.fail(type));
      return outcome;
    } });
  const notices = new Notices(connection, new PresenterSettings());
  notices.enter(["m-1"]);
  notices.noteVisible(true);
  for (const type of ["logPurchase", "logPushOpened", "reportMessage", "setAttributes", "setMembership"]) notices.tell(type);
  notices.wipe();
  notices.tell("logPushOpened");
  const told = new Set();
  for (let now = 0; now < 20_000_000; now += 1_000_000) {
    const sent = pending.takeSendable(() => true);
    for (const { id, type } of sent) {
      // Each is refused once.
      if (told.has(id)) pending.answer({ id });
      else pending.refuse({ type: "error", id, code: "journalUnavailable", message: "not now", retryAfter: 1 }, now);
      told.add(id);
      told.add(type);
    }
    await settle();
    pending.tick(now + 500_000);
  }
  assert.deepEqual([...told].filter((one) => typeof one === "string"), ["revalidateMessages", "appState", "wipeMessaging", "logPushOpened"]);
});

test("a notice for which there is no room waits for it, and is told then", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { connection, notices } = page();
  await greet(connection, notices);
  connection.refusal = "tooManyRequests";
  notices.wipe();
  await settle();
  const refused = connection.heard.length;
  connection.refusal = null;
  await settle();
  assert.equal(connection.heard.length, refused, "not at once again");
  context.mock.timers.tick(1_000);
  await settle();
  assert.equal(connection.words.at(-1), "wipeMessaging");
  assert.ok(connection.heard.length > refused);
});
