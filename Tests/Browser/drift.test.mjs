// The cases of DriftControllerTests and LearnedCostTests.

import assert from "node:assert/strict";
import test from "node:test";
import { DriftController } from "../../Sources/WebClient/Site/drift.js";
import { LearnedCost, SeekBudget } from "../../Sources/WebClient/Site/learning.js";
import { DriftWorld, ms, seconds } from "./world.mjs";

/** Every mixture of error, precision, latency, honesty and skew. */
function* everyWorld() {
  for (const error of [-2.4, -0.6, -0.05, -0.005, -0.0032, 0, 0.004, 0.03, 0.3, 2.4]) {
    for (const noise of [100, 3 * ms, 12 * ms]) {
      for (const latency of [0, 50, 100]) {
        for (const [rateError, skew] of [[0, 0], [0.005, 200], [-0.005, -200]]) {
          const world = new DriftWorld(error * seconds, { noise, seed: latency + 1 });
          Object.assign(world, { latency: latency * ms, rateError, skew, buffered: 8 * latency * ms });
          yield { world, error, name: `${error} s, noise ${noise}, latency ${latency}, skew ${skew}` };
        }
      }
    }
  }
}

test("every error ends inside the trim band at exactly the group's rate, without a seek", () => {
  for (const { world, error, name } of everyWorld()) {
    world.run((Math.abs(error) * 45 + 40) * seconds);
    const settled = world.rateChanges.length;
    let worst = 0;
    for (let second = 0; second < 60; second += 1) {
      world.run(seconds);
      worst = Math.max(worst, Math.abs(world.error));
    }
    assert.ok(worst <= world.controller.bands.trim + (world.skew === 0 ? 500 : 1500), `${name}: ${worst}`);
    // Noise lifts an error that lies inside the band over its edge at most once: one nudge.
    assert.ok(world.rateChanges.length - settled <= (world.skew === 0 ? 2 : 30), name);
    for (let count = 0; count < 60 && !world.isAtGroupRate; count += 1) world.run(100 * ms);
    assert.ok(world.isAtGroupRate, name);
    assert.equal(world.seeks.length, 0, name);
  }
});

test("readings that jump while a trim runs do not mislead it", () => {
  for (const error of [-20, -3.5, -1.5, 1.5, 3.5, 20]) {
    const world = new DriftWorld(error * ms, { noise: 200, seed: 3 });
    world.buffered = 400 * ms;
    world.run(15 * seconds);
    assert.equal(world.rateChanges.length, 2, `from ${error} ms: one there and one back`);
    assert.ok(Math.abs(world.error) <= 500, `from ${error} ms to ${world.error} µs`);
  }
});

for (const rate of [0.5, 1, 1.5, 2]) {
  test(`it converges at the group's rate of ${rate}`, () => {
    for (const error of [-400, 20]) {
      const world = new DriftWorld(error * ms, { seed: 5 });
      Object.assign(world, { rate, latency: 60 * ms });
      world.run(30 * seconds);
      assert.ok(Math.abs(world.error) <= 3 * ms && world.isAtGroupRate);
    }
  });
}

test("noise alone moves nothing", () => {
  for (let seed = 0; seed < 20; seed += 1) {
    for (const noise of [100, 3 * ms, 12 * ms]) {
      const world = new DriftWorld(0, { noise, seed });
      world.run(120 * seconds);
      assert.equal(world.rateChanges.length, 0);
    }
  }
});

for (const error of [-30, -3, 3, 600]) {
  test(`an error of ${error} s is one seek`, () => {
    const world = new DriftWorld(error * seconds, { seed: 2 });
    world.run(30 * seconds);
    assert.equal(world.seeks.length, 1);
    assert.equal(world.rateChanges.length, 0);
    assert.ok(Math.abs(world.error) <= 3 * ms);
  });
}

test("a player without rates is moved by seeks only", () => {
  const world = new DriftWorld(0.5 * seconds, { canChangeRate: false, seed: 2 });
  world.run(30 * seconds);
  assert.equal(world.seeks.length, 1);
  world.error += 100 * ms;
  world.run(30 * seconds);
  assert.equal(world.seeks.length, 1, "less than a seek can mend is left alone");
  assert.equal(world.rateChanges.length, 0);
});

test("a player that ignores rates is found out and left in peace", () => {
  const world = new DriftWorld(50 * ms, { seed: 2 });
  world.ignoresRates = true;
  world.run(120 * seconds);
  const changes = world.rateChanges.length;
  assert.ok(changes <= 15);
  world.run(120 * seconds);
  assert.equal(world.rateChanges.length, changes);
  assert.ok(world.isAtGroupRate);
});

test("seeks that never land are six a minute and two seconds apart, then it says so", () => {
  const world = new DriftWorld(10 * seconds, { seed: 2 });
  world.seekMiss = 10 * seconds;
  world.run(59 * seconds);
  assert.equal(world.seeks.length, 6);
  assert.ok(world.gaveUp);
  world.seeks.slice(1).forEach((seek, index) => assert.ok(seek - world.seeks[index] >= 2 * seconds));
});

test("a slow seek freezes for three times its cost", () => {
  const budget = new SeekBudget();
  assert.equal(budget.request(3 * seconds, 0), "allowed");
  assert.equal(budget.request(3 * seconds, 8.9 * seconds), "frozen");
  assert.equal(budget.request(3 * seconds, 9 * seconds), "allowed");
});

test("a nudge whose readings stop still ends", () => {
  const controller = new DriftController(0, true);
  let now = 0;
  while (controller.nextDeadline === null) {
    now += 100 * ms;
    controller.correct(20 * ms, 1, 0, now);
  }
  assert.ok(Math.abs(controller.factor - 0.98) < 1e-9);
  const due = controller.nextDeadline;
  assert.deepEqual(controller.deadlineReached(due - 1), { kind: "none" });
  assert.deepEqual(controller.deadlineReached(due), { kind: "rate", factor: 1 });
  assert.equal(controller.nextDeadline, null);
});

test("a cost is the median of the last seven, and cautious is the longest of them", () => {
  const cost = new LearnedCost(60 * ms);
  for (const time of [40, 45, 50]) cost.learn(time * ms);
  assert.equal(cost.likely, 47.5 * ms);
  assert.equal(cost.cautious, 60 * ms);
  cost.learn(9 * seconds);
  assert.equal(cost.likely, 50 * ms);
  assert.equal(cost.cautious, 150 * ms);
});
