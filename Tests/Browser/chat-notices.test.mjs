// What the chat tells of what people do.

import assert from "node:assert/strict";
import test from "node:test";
import { deedOf, deedText } from "../../Sources/WebClient/Site/chat-notices.js";
import { Queue } from "../../Sources/WebClient/Site/queue.js";

let language = "en";
Object.defineProperty(globalThis, "localStorage", { value: { getItem: () => language }, configurable: true });

const person = (participant, name, more = {}) => [participant, { participant, name, suspensions: [], ...more }];
const session = () => ({
  participants: new Map([person("a", "Ann"), person("b", "Ben"), person("k", "Matinee", { keeper: true })]),
  queue: new Queue({ entries: [{ entry: "e1", url: "u1", title: "One" }, { entry: "e2", url: "u2" }], current: "e2" }) });
const told = (event) => {
  const deed = deedOf(event, session());
  return deed === null ? null : deedText(deed);
};
const cem = { participant: "c", name: "Cem", suspensions: [] };

for (const [event, sentence] of [
  [{ event: "left", participant: "c", reason: "left", gone: cem }, "Cem left"],
  [{ event: "left", participant: "c", reason: "removed", by: "a", gone: cem }, "Ann removed Cem"],
  [{ event: "left", participant: "c", reason: "removed", by: "gone", gone: cem }, "Cem left"],
  [{ event: "left", participant: "c", reason: "left", gone: { ...cem, keeper: true } }, null],
  [{ event: "inserted", entries: [{ entry: "e3", url: "u3", title: "Three" }], by: "b" }, "Ben added Three"],
  [{ event: "inserted", entries: [{ url: "u3" }, { url: "u4" }], by: "b" }, "Ben added 2 films"],
  [{ event: "moved", entry: "e1", by: "a" }, "Ann moved One"],
  [{ event: "entryRemoved", entry: "e9", entryGone: { entry: "e9", url: "u9" }, by: "a" }, "Ann took u9 out"],
  [{ event: "queueCleared", by: "a" }, "Ann emptied the queue"],
  [{ event: "queueCleared", by: "k" }, null],
  [{ event: "shuffled", order: ["e2", "e1"], by: "a" }, "Ann shuffled the queue"],
  [{ event: "unshuffled", by: "b" }, "Ben put the queue back in order"],
  [{ event: "repeatSet", repeat: "all", by: "a" }, "Ann: after the last film, the first one follows"],
  [{ event: "repeatSet", repeat: "one", by: "a" }, "Ann: this film begins again and again"],
  [{ event: "repeatSet", repeat: "off", by: "a" }, "Ann: nothing begins again by itself"],
  [{ event: "selected", entry: "e2", by: "a" }, "Ann chose u2"],
  [{ event: "selected", entry: "e2" }, "Next: u2"],
  [{ event: "roleSet", participant: "b", role: "guest", by: "a" }, "Ben: guest from now on"],
  [{ event: "roleSet", participant: "b", role: "host" }, "Ben: host from now on"],
  [{ event: "roleSet", participant: "b", role: "guest" }, null],
  [{ event: "roleSet", participant: "k", role: "host" }, null],
  [{ event: "readinessSet", participant: "b", ready: true, by: "a" }, "Ben is ready"],
  [{ event: "suspensionBegan", participant: "b", reason: "coordinatedPlaybackNotPossible" }, "Ben cannot play it"],
  [{ event: "suspensionBegan", participant: "b", reason: "stallRecovery" }, "Ben needs a moment"],
  [{ event: "suspensionBegan", participant: "b", reason: "userActionRequired" }, null],
  [{ event: "timelineSet", action: "setRate", rate: 1.25, by: "b" }, "Ben set the speed to 1.25×"],
]) {
  test(`${JSON.stringify(event)}: ${sentence ?? "nothing"}`, () => assert.equal(told(event), sentence));
}

test("a deed is said again in another language", () => {
  const deed = deedOf({ event: "roleSet", participant: "b", role: "coHost", by: "a" }, session());
  assert.equal(deedText(deed), "Ben: co-host from now on");
  language = "de";
  assert.equal(deedText(JSON.parse(JSON.stringify(deed))), "Ben: von jetzt an leitet mit");
  language = "en";
});
