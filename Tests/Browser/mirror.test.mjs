// The session's mirror, with the lines of Protocol.md.

import assert from "node:assert/strict";
import test from "node:test";
import { GroupMirror, SessionMirror } from "../../Sources/WebClient/Site/mirror.js";
import { positionAt, seekRange } from "../../Sources/WebClient/Site/timeline.js";

const [ann, ben] = ["p-4fzrf9xrn0yp", "p-8ewvc7q1ga64"];
const snapshot = () => structuredClone({
  participant: ben, session: "s-jcj5g6hrrzzz", seq: 21, revision: 1, control: "hostsOnly",
  initiator: { user: "ann", device: "ann-tv", name: "Ann" },
  activity: { type: "watch", metadata: { title: "Sintel" }, media: { url: "sintel.mp4" } },
  participants: [
    { participant: ann, user: "ann", device: "ann-tv", name: "Ann", role: "host", item: "sintel.mp4", readySeq: 8 },
    { participant: ben, user: "ben", device: "ben", name: "ben", role: "guest", item: "sintel.mp4", readySeq: 8,
      suspensions: [{ suspension: 2, reason: "playingInterstitial", since: 1 }] }],
  waitingPolicy: "keepGoing",
  timelines: [{ item: "sintel.mp4", phase: "paused", mediaTime: 90000000, rate: 1.25, seq: 17, duration: 888000000 }],
  queue: { entries: [{ entry: "e1", url: "sintel.mp4" }, { entry: "e2", title: "Big Buck Bunny", url: "bunny.mp4", addedBy: ann }],
    current: "e1", repeat: "off", autoAdvance: true, nextNumber: 3 },
});

/** A mirror after these events, numbered from the snapshot's on. */
function after(...events) {
  const mirror = new SessionMirror(snapshot());
  events.forEach((event, index) => mirror.evolve({ seq: 22 + index, at: 5, ...event }));
  return mirror;
}

const entries = (mirror) => mirror.queue.entries.map((entry) => entry.entry);

test("a snapshot is the session", () => {
  const mirror = after();
  assert.equal(mirror.own.name, "ben");
  assert.equal(mirror.mayControl, false, "hosts only");
  assert.equal(mirror.timeline.phase, "paused");
  assert.equal(mirror.dismissalPolicy, "endsWithInitiator");
});

test("a start waits for a suspended one as the policy says, from the suspension's start on", () => {
  const preparing = { event: "timelineSet", item: "sintel.mp4", phase: "preparing", mediaTime: 0, rate: 1, action: "wait", by: ben };
  const waits = (policy, reason, now = 6) => after(
    { event: "waitingPolicySet", waitingPolicy: policy, by: ann }, preparing,
    { event: "suspensionBegan", participant: ben, suspension: 7, reason },
    { event: "suspensionEnded", participant: ben, suspension: 2 },
    { event: "readied", participant: ann, answers: 23 }).waitingFor(now).map((one) => one.participant).includes(ben);
  assert.equal(waits("together", "stallRecovery"), true);
  assert.equal(waits("together", "playingInterstitial"), false);
  assert.equal(waits("keepGoing", "stallRecovery"), false);
  assert.equal(waits({ reasons: ["stallRecovery"] }, "stallRecovery"), true);
  assert.equal(waits({ reasons: ["stallRecovery"], participantLimits: { stallRecovery: 1 } }, "stallRecovery"), false);
  const ends = (policy, wait) => [wait - 1, wait].map((passed) => waits(policy, "stallRecovery", 5 + passed));
  assert.deepEqual(ends("together", 30_000_000), [true, false]);
  assert.deepEqual(ends({ reasons: ["stallRecovery"] }, 60_000_000), [true, false]);
  assert.deepEqual(ends({ reasons: ["stallRecovery"], maximumWait: 2_000_000 }, 2_000_000), [true, false]);
});

test("play waits for who is not ready, and starts at one instant", () => {
  const mirror = after(
    { event: "suspensionEnded", participant: ben, suspension: 2 },
    { event: "timelineSet", item: "sintel.mp4", phase: "preparing", mediaTime: 0, rate: 1, action: "play", by: ann },
    { event: "readied", participant: ann, answers: 23 });
  assert.deepEqual(mirror.waitingFor(5).map((one) => one.participant), [ben]);
  mirror.evolve({ seq: 25, event: "timelineSet", item: "sintel.mp4", phase: "playing", mediaTime: 0, anchor: 1000, rate: 2, action: "start" });
  assert.equal(mirror.timeline.seq, 25);
  assert.equal(mirror.timeline.duration, 888000000, "the duration stays");
  assert.deepEqual([500, 1000, 1500].map((now) => positionAt(mirror.timeline, now)), [0, 0, 1000]);
});

test("with an approach, a rate changes without a jump", () => {
  const timeline = { phase: "playing", mediaTime: 1000, anchor: 500, approach: 1, rate: 2, seq: 1 };
  assert.deepEqual([400, 500, 600].map((now) => positionAt(timeline, now)), [900, 1000, 1200]);
});

test("who is suspended by choice stays behind when the queue advances", () => {
  const mirror = after(
    { event: "selected", entry: "e2" },
    { event: "itemAdvanced", from: "sintel.mp4", item: "bunny.mp4", phase: "paused", mediaTime: 0, rate: 1.25 });
  assert.equal(mirror.activity.media.url, "bunny.mp4");
  assert.equal("entry" in mirror.activity.media, false);
  assert.equal(mirror.revision, 2);
  assert.equal(mirror.participants.get(ann).item, "bunny.mp4");
  assert.equal(mirror.own.item, "sintel.mp4");
});

test("the queue takes what its events say", () => {
  const [e3, e4] = [{ entry: "e3", url: "c" }, { entry: "e4", url: "d" }];
  assert.deepEqual(entries(after({ event: "inserted", entries: [e3, e4], after: "e1" })), ["e1", "e3", "e4", "e2"]);
  assert.deepEqual(entries(after({ event: "inserted", entries: [e3] })), ["e3", "e1", "e2"]);
  assert.deepEqual(entries(after({ event: "moved", entry: "e2" })), ["e2", "e1"]);
  assert.deepEqual(entries(after({ event: "entryRemoved", entry: "e1" })), ["e2"]);
  assert.deepEqual(entries(after({ event: "queueCleared" })), ["e1"]);
  assert.deepEqual(entries(after({ event: "shuffled", order: ["e2", "e1"] })), ["e2", "e1"]);
  assert.deepEqual(entries(after({ event: "shuffled", order: ["e2", "e1"] }, { event: "unshuffled" })), ["e1", "e2"]);
});

test("attachments come and go", () => {
  const one = { attachment: "a-1", by: ann, bytes: 5, metadata: { name: "ticket.txt" } };
  const mirror = after({ event: "attachmentAdded", ...one }, { event: "attachmentAdded", attachment: "a-2", by: ben, bytes: 1 });
  assert.deepEqual(mirror.attachments[0], one);
  mirror.evolve({ seq: 24, event: "attachmentRemoved", attachment: "a-1", by: ann });
  assert.deepEqual(mirror.attachments.map((each) => each.attachment), ["a-2"]);
  assert.deepEqual(new SessionMirror({ ...snapshot(), attachments: [one] }).attachments, [one]);
});

test("an activity finds its entry, or gets one behind the current", () => {
  const activity = (url) => ({ event: "activitySet", revision: 2, by: ann, activity: { type: "watch", media: { url } } });
  assert.equal(after(activity("bunny.mp4")).queue.current, "e2");
  const mirror = after(activity("tears.mp4"));
  assert.deepEqual(entries(mirror), ["e1", "e3", "e2"]);
  assert.equal(mirror.queue.currentEntry.addedBy, ann);
});

test("people come, get lost, come back and go", () => {
  const cem = { participant: "p-c", user: "cem", device: "cem", name: "Cem", role: "guest", joinedAt: 1 };
  const mirror = after({ event: "joined", ...cem }, { event: "interrupted", until: 9 }, { event: "resumed", participant: ben });
  assert.equal(mirror.participants.get("p-c").lostUntil, 9);
  assert.equal(mirror.own.lostUntil, undefined);
  mirror.evolve({ seq: 25, event: "left", participant: "p-c", reason: "left" });
  assert.equal(mirror.participants.has("p-c"), false);
});

test("a new duration drops the doubts, and no position lies beyond it", () => {
  const mirror = after(
    { event: "durationDoubted", item: "sintel.mp4", duration: 60000000, by: ben },
    { event: "durationLearned", item: "sintel.mp4", duration: 60000000 });
  assert.deepEqual(mirror.timeline.doubts, {});
  assert.equal(mirror.timeline.mediaTime, 60000000);
});

test("the group knows its members and its session", () => {
  const group = new GroupMirror({ group: "film-club", seq: 2, founder: "ann", members: [{ device: "ann", user: "ann", name: "Ann" }] });
  group.evolve({ seq: 3, event: "memberJoined", device: "ben", user: "ben", name: "ben", sharing: true });
  group.evolve({ seq: 4, event: "sessionStarted", session: "s-1", device: "ann" });
  group.evolve({ seq: 5, event: "memberLost", device: "ann", until: 7 });
  assert.equal(group.session, "s-1");
  assert.equal(group.members.get("ann").lostUntil, 7);
  group.evolve({ seq: 6, event: "memberLeft", device: "ann", reason: "left" });
  assert.deepEqual([...group.members.keys()], ["ben"]);
});

test("the group's objects are changed by their fields", () => {
  const objects = [{ object: "votes", version: 2, fields: { yes: 1, no: 1 } }];
  const group = new GroupMirror({ group: "film-club", seq: 2, founder: "ann", members: [], objects });
  group.evolve({ seq: 3, event: "objectUpdated", object: "votes", set: { yes: 2, no: null }, user: "ben" });
  assert.deepEqual(group.objects.get("votes"), { version: 3, fields: { yes: 2 } });
  group.evolve({ seq: 4, event: "objectUpdated", object: "list", set: {}, user: "ben" });
  group.evolve({ seq: 5, event: "objectRemoved", object: "votes", user: "ann" });
  assert.deepEqual([...group.objects], [["list", { version: 4, fields: {} }]]);
});

test("what can be sought is the whole film, or the window of live content as it is now", () => {
  const window = { start: 100, end: 900, at: 5_000 };
  for (const [timeline, length, instant, range] of [
    [{ duration: 600 }, NaN, 0, { start: 0, end: 600 }], [{}, 700, 0, { start: 0, end: 700 }],
    [{}, NaN, 0, null], [{}, Infinity, 0, null], [{}, 0, 0, null],
    [{ seekWindow: window }, Infinity, 5_050, { start: 100, end: 950 }],
    [{ seekWindow: { ...window, slides: true } }, Infinity, 5_050, { start: 150, end: 950 }],
    [{ seekWindow: window }, Infinity, 4_000, { start: 100, end: 900 }], [{ seekWindow: window }, Infinity, null, null]]) {
    assert.deepEqual(seekRange(timeline, length, instant), range);
  }
});
