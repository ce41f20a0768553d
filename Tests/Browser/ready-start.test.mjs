// “Start when all are ready”, by the cases that the Swift client keeps to, too.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ClockEstimate, ClockSample } from "../../Sources/WebClient/Site/clock.js";
import { Countdown } from "../../Sources/WebClient/Site/countdown.js";
import { ReadyStart } from "../../Sources/WebClient/Site/ready-start.js";

const cases = JSON.parse(readFileSync(new URL("Cases/ready-start.json", import.meta.url), "utf8"));

function carryOut(start, step) {
  if (step.meet) return start.meet(new Map(Object.entries(step.meet)), step.at);
  if (step.ask) return start.ask(step.at);
  if (step.tick) return start.tick(step.at);
  if (step.takeBack) return start.takeBack();
  if (step.steer) start.steer();
  else start.hear(step.from, step.hear);
  return [];
}

for (const one of cases) {
  test(one.case, () => {
    const start = new ReadyStart("ann");
    for (const [index, step] of one.steps.entries()) {
      const orders = carryOut(start, step).map((order) => (order.kind === "play" ? "play" : { tell: order.countdown }));
      assert.deepEqual(orders, step.orders, `step ${index + 1}`);
      if ("shown" in step) assert.deepEqual(start.shown, step.shown, `step ${index + 1}`);
      const due = start.shown?.by === "ann" ? start.shown.at ?? null : null;
      assert.equal(start.nextDeadline, due, `step ${index + 1}`);
    }
  });
}

test("a countdown is seen about its end only, while the film stands still", async (context) => {
  let now = 0;
  context.mock.method(performance, "now", () => now / 1_000);
  globalThis.window = { setTimeout() {}, clearTimeout() {} };
  const client = Object.assign(new EventTarget(), {
    clock: new ClockEstimate(new ClockSample(0, 0, 0, 0)),
    session: { me: "ann", timeline: { phase: "paused" },
      participants: new Map(["ann", "ben"].map((participant) => [participant, { participant, ready: true }])) } });
  const countdown = new Countdown(client);
  const tell = (name, detail) => client.dispatchEvent(new CustomEvent(name, { detail }));
  tell("session", client.session);
  const left = (at) => {
    tell("payload", { from: "ben", payload: { countdown: { at } } });
    return countdown.secondsLeft;
  };
  assert.equal(countdown.secondsLeft, null);
  assert.deepEqual([3_000_000, 2_500_000, 100_000].map(left), [3, 3, 1]);
  assert.deepEqual([9_007_199_254_740_991, -5_000_000].map(left), [null, null], "no countdown of anybody's begins there");
  assert.equal(left(3_000_000), 3);
  now = 4_000_000;
  assert.equal(countdown.secondsLeft, 1, "the start is on its way");
  client.session.timeline.phase = "playing";
  assert.equal(countdown.secondsLeft, null);
  client.session.timeline.phase = "paused";
  now = 7_100_000;
  assert.equal(countdown.secondsLeft, null, "the start was refused");
});
