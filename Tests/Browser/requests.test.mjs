// The requests that wait for an answer.

import assert from "node:assert/strict";
import test from "node:test";
import { PendingRequests } from "../../Sources/WebClient/Site/requests.js";

const second = 1_000_000;

/** A request that was sent, and what becomes of it. */
const asked = (/** @type {PendingRequests} */ pending, /** @type {string} */ type) => {
  /** @type {{id: number, outcome: string | null}} */
  const one = { id: 0, outcome: null };
  pending.add(type, {}, 40 * second).then(
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

test("what a person asks for is refused at once, and any other refusal is final", async () => {
  for (const [type, code] of [["play", "journalUnavailable"], ["leave", "notJoined"]]) {
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

test("what waits for too long fails", async () => {
  const pending = new PendingRequests();
  const leave = asked(pending, "leave");
  pending.refuse(refusal(leave.id), 39.5 * second);
  await Promise.resolve();
  assert.equal(leave.outcome, "journalUnavailable");
});
