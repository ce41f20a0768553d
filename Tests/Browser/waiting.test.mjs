// Whom a start waits for, by the cases that the Swift client keeps to, too.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { SessionMirror } from "../../Sources/WebClient/Site/mirror.js";

const cases = JSON.parse(readFileSync(new URL("Cases/waiting.json", import.meta.url), "utf8"));

/** Somebody in the session, whom a case tells as far as it matters. */
const participant = ([name, fields]) => ({
  participant: name, user: name, device: name, name, role: "guest", joinedAt: 0, item: "film", ...fields });

assert.ok(cases.length >= 14);
for (const { case: name, policy, phase = "preparing", people, waitsFor } of cases) {
  test(name, () => {
    const session = new SessionMirror({
      session: "s-1", participant: "ann", seq: 9, activity: { type: "watch", media: { url: "film" } }, revision: 1,
      control: "everyone", initiator: { user: "ann", device: "ann", name: "ann" }, waitingPolicy: policy,
      participants: Object.entries(people).map(participant),
      timelines: [{ item: "film", phase, mediaTime: 0, rate: 1, seq: 5, anchor: phase === "playing" ? 0 : undefined }],
      queue: { entries: [], repeat: "off", autoAdvance: true, nextNumber: 1 } });
    for (const [now, names] of Object.entries(waitsFor)) {
      assert.deepEqual(session.waitingFor(Number(now)).map((one) => one.participant), names, `at ${now}`);
    }
  });
}
