// The requests that wait for an answer.

import assert from "node:assert/strict";
import test from "node:test";
import { PendingRequests } from "../../Sources/WebClient/Site/requests.js";

const second = 1_000_000;

/** A request that was sent, and what becomes of it. */
const asked = (/** @type {PendingRequests} */ pending, /** @type {string} */ type, isReturn = false, isNotice = false) => {
  /** @type {{id: number, outcome: string | null}} */
  const one = { id: 0, outcome: null };
  pending.add(type, {}, 40 * second, isReturn, isNotice).then(
    () => { one.outcome = "done"; }, (error) => { one.outcome = error.code; });
  one.id = pending.takeSendable(() => true).find((other) => other.type === type)?.id ?? 0;
  return one;
};

const refusal = (/** @type {number} */ id, code = "journalUnavailable") => ({
  type: "error", id, code, message: "not now", retryAfter: second,
});

test("what is over here, or others wait for, is said again until it is stored", async () => {
  for (const type of ["leave", "dismiss", "ready", "transition", "endSuspension"]) {
    const pending = new PendingRequests();
    const one = asked(pending, type);
    pending.refuse(refusal(one.id), 0);
    assert.deepEqual(pending.takeSendable(() => true), [], type);
    pending.tick(second);
    assert.deepEqual(pending.takeSendable(() => true).map((other) => other.id), [one.id], type);
    pending.answer({ id: one.id });
    await Promise.resolve();
    assert.equal(one.outcome, "done", type);
  }
});

for (const [type, isReturn, isNotice] of [["transition", false], ["ready", false], ["reportEnd", false], ["endSuspension", false], ["joinGroup", true],
  ["a notice", false, true]]) {
  test(`what is refused until its deadline has timed out, so that it is made anew: ${type}`, async () => {
    const pending = new PendingRequests();
    const one = asked(pending, type, isReturn, isNotice);
    for (let now = 0.5 * second; now < 40 * second; now += second) {
      pending.refuse(refusal(one.id), now);
      await Promise.resolve();
      assert.equal(one.outcome, null, `${now}`);
      pending.tick(now + 0.4 * second);
      pending.tick(now + second);
      pending.takeSendable(() => true);
    }
    pending.tick(40 * second);
    await Promise.resolve();
    assert.deepEqual([one.outcome, pending.nextDeadline], ["timedOut", null]);
  });
}

test("requests of the app leave room for what has to reach the server, which is bounded, too", async () => {
  const pending = new PendingRequests();
  const outcomes = [];
  const add = (type, ...kind) => pending.add(type, {}, 40 * second, ...kind).catch((error) => outcomes.push(error.code));
  for (let count = 0; count < 193; count += 1) add("seek");
  await Promise.resolve();
  assert.deepEqual(outcomes, ["tooManyRequests"]);
  for (let count = 0; count < 16; count += 1) for (const kind of [["logEvent", false, true], ["leave"], ["ready"], ["endSuspension"]]) add(...kind);
  await Promise.resolve();
  assert.equal(outcomes.length, 1);
  add("logEvent", false, true);
  await Promise.resolve();
  assert.equal(outcomes.length, 2);
});

test("what brings a device back is asked again until it is stored, unless the device goes elsewhere", async () => {
  for (const type of ["joinGroup", "join"]) {
    const pending = new PendingRequests();
    const one = asked(pending, type, true);
    pending.refuse(refusal(one.id, "busy"), 0);
    pending.tick(second);
    assert.deepEqual(pending.takeSendable(() => true).map((other) => other.id), [one.id], type);
  }
  const pending = new PendingRequests();
  const back = asked(pending, "joinGroup", true);
  pending.refuse(refusal(back.id), 0);
  asked(pending, "joinGroup");
  await Promise.resolve();
  assert.equal(back.outcome, "superseded");
});

/** A return into a session, which was sent; and what becomes of it. */
const returned = (/** @type {PendingRequests} */ pending) => {
  /** @type {{id: number, outcome: string | null}} */ const one = { id: 0, outcome: null };
  pending.add("join", { session: "s-1" }, 40 * second, true).catch((error) => { one.outcome = error.code; });
  one.id = pending.takeSendable(() => true)[0].id;
  return one;
};

for (const [type, fields] of [["leave", { session: "s-1" }], ["dismiss", { session: "s-1" }], ["leaveGroup", {}]]) {
  test(`a return that is put off does not bring back a person who has left since: ${type}`, async () => {
    const pending = new PendingRequests();
    const back = returned(pending);
    pending.refuse(refusal(back.id), 0);
    pending.add(type, fields, 40 * second).catch(() => {});
    await Promise.resolve();
    assert.equal(back.outcome, "superseded");
    pending.tick(second);
    assert.deepEqual(pending.takeSendable(() => true).map((one) => one.type), [type]);
  });

  test(`a return is not put off once the person leaves: ${type}`, async () => {
    for (const code of ["journalUnavailable", "rateLimited"]) {
      const pending = new PendingRequests();
      const back = returned(pending);
      pending.add(type, fields, 40 * second).catch(() => {});
      const [farewell] = pending.takeSendable(() => true);
      pending.refuse(refusal(back.id, code), 0);
      pending.refuse(refusal(farewell.id, "notJoined"), 0);
      pending.tick(second);
      await Promise.resolve();
      assert.equal(back.outcome, code);
      assert.deepEqual(pending.takeSendable(() => true), []);
    }
  });
}

test("whoever leaves another session comes back all the same", async () => {
  const pending = new PendingRequests();
  const back = returned(pending);
  pending.refuse(refusal(back.id), 0);
  pending.add("decline", { session: "s-2" }, 40 * second).catch(() => {});
  pending.tick(second);
  assert.deepEqual(pending.takeSendable(() => true).map((one) => one.type), ["join", "decline"]);
});

test("what a person asks for is refused at once, and any other refusal is final", async () => {
  for (const [type, code] of [["play", "journalUnavailable"], ["joinGroup", "busy"], ["leave", "notJoined"]]) {
    const pending = new PendingRequests();
    const one = asked(pending, type);
    pending.refuse(refusal(one.id, code), 0);
    await Promise.resolve();
    assert.equal(one.outcome, code, type);
  }
});

test("whoever leaves and comes back has left first", () => {
  const pending = new PendingRequests();
  const leave = asked(pending, "leave");
  pending.refuse(refusal(leave.id), 0);
  const join = asked(pending, "join");
  assert.equal(join.id, 0, "it waits");
  pending.tick(second);
  assert.deepEqual(pending.takeSendable(() => true).map((one) => one.type), ["leave", "join"]);
});

test("of what a device has open, the last counts", async () => {
  const pending = new PendingRequests();
  const first = asked(pending, "transition");
  pending.refuse(refusal(first.id), 0);
  asked(pending, "transition");
  pending.tick(second);
  await Promise.resolve();
  assert.equal(first.outcome, "superseded");
  assert.deepEqual(pending.takeSendable(() => true), []);
});

test("a farewell that is refused in front of a join is not said again once that is granted", async () => {
  for (const isGranted of [true, false]) {
    const pending = new PendingRequests();
    /** @type {string | null} */ let outcome = null;
    pending.add("leave", { session: "s-1" }, 40 * second).catch((error) => { outcome = error.code; });
    pending.add("join", { session: "s-1" }, 40 * second).catch(() => {});
    const [leave, join] = pending.takeSendable(() => true);
    pending.refuse(refusal(leave.id, "busy"), 0);
    if (isGranted) pending.answer({ id: join.id });
    else pending.refuse(refusal(join.id), 0);
    pending.tick(second);
    await Promise.resolve();
    assert.equal(outcome, isGranted ? "superseded" : null);
    assert.deepEqual(pending.takeSendable(() => true).map((one) => one.type), isGranted ? [] : ["leave"]);
  }
});

test("a farewell that waits for too long has failed for the app, and goes on all the same", async () => {
  const pending = new PendingRequests();
  const leave = asked(pending, "leave");
  pending.refuse(refusal(leave.id), 39.5 * second);
  pending.tick(40 * second);
  await Promise.resolve();
  assert.equal(leave.outcome, "timedOut");
  pending.tick(41 * second);
  const again = pending.takeSendable(() => true);
  assert.deepEqual(again.map((one) => one.type), ["leave"]);
  assert.equal(again[0].id, leave.id);
});

test("a farewell of somebody who is away for too long goes in front of their return", async () => {
  const pending = new PendingRequests();
  const leave = asked(pending, "leave");
  pending.markUnsent();
  pending.tick(40 * second);
  await Promise.resolve();
  assert.equal(leave.outcome, "timedOut");
  pending.add("join", { session: "s-1" }, 80 * second).catch(() => {});
  assert.deepEqual(pending.takeSendable(() => true).map((one) => one.type), ["leave", "join"]);
});

test("of equal farewells that wait for too long the first goes on", async () => {
  const pending = new PendingRequests();
  const leavings = [asked(pending, "leaveGroup"), asked(pending, "leaveGroup"), asked(pending, "leave")];
  pending.markUnsent();
  pending.tick(40 * second);
  await Promise.resolve();
  assert.deepEqual(leavings.map(({ outcome }) => outcome), ["timedOut", "timedOut", "timedOut"]);
  assert.deepEqual(pending.takeSendable(() => true).map((one) => one.type), ["leaveGroup", "leave"]);
});

const accepting = { notification: "n-1", report: "responded", action: "ACCEPT_IDENTIFIER" };

test("whoever leaves and accepts the next invitation from a notification has left first", () => {
  const pending = new PendingRequests();
  const leave = asked(pending, "leave");
  pending.refuse(refusal(leave.id), 0);
  pending.add("reportNotification", accepting, 40 * second).catch(() => {});
  pending.add("reportNotification", { ...accepting, action: "DECLINE_IDENTIFIER" }, 40 * second).catch(() => {});
  assert.deepEqual(pending.takeSendable(() => true).map((one) => one.fields.action), ["DECLINE_IDENTIFIER"]);
  pending.tick(second);
  assert.deepEqual(pending.takeSendable(() => true).map((one) => one.type), ["leave", "reportNotification"]);
});

for (const [type, fields] of [["reportNotification", accepting], ["answerInvitation", { invitation: "i-1", answer: "accepted" }]]) {
  test(`a farewell is not said again once an invitation has brought the device back: ${type}`, async () => {
    for (const [session, left] of [["s-1", []], ["s-2", ["leave"]]]) {
      const pending = new PendingRequests();
      pending.add("leave", { session: "s-1" }, 40 * second).catch(() => {});
      pending.add(type, fields, 40 * second).catch(() => {});
      const [leave, entry] = pending.takeSendable(() => true);
      pending.refuse(refusal(leave.id), 0);
      pending.answer({ id: entry.id, session, participant: "p-1" });
      pending.tick(second);
      await Promise.resolve();
      assert.deepEqual(pending.takeSendable(() => true).map((one) => one.type), left);
    }
  });
}

test("it is known from what a device is leaving", () => {
  const pending = new PendingRequests();
  pending.add("leave", { session: "s-1" }, 40 * second).catch(() => {});
  assert.ok(pending.isLeaving("s-1") && !pending.isLeaving("s-2"));
  pending.add("leaveGroup", {}, 40 * second).catch(() => {});
  assert.ok(pending.isLeaving("s-2"));
});
