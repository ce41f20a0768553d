// The cases of ClockEstimateTests, ClockSampleTests and ClockScheduleTests.

import assert from "node:assert/strict";
import test from "node:test";
import { ClockEstimate, ClockQuality, ClockSample, ClockSchedule, RoundTrips } from "../../Sources/WebClient/Site/clock.js";
import { ClockWorld, ms, seconds } from "./world.mjs";

const seeds = (count) => Array.from({ length: count }, (_, seed) => seed);

function share(limit, moment, skew, count) {
  const good = seeds(count).filter((seed) => {
    const world = new ClockWorld(seed);
    world.skew = skew;
    world.run(moment);
    const error = Math.abs(world.error(moment));
    assert.ok(error <= world.estimate.uncertainty + ms, "the bound is true");
    return error <= limit;
  });
  return good.length / count;
}

for (const skew of [-200, 0, 200]) {
  test(`after the burst the error is within 4 ms for 95 of 100 seeds, skew ${skew}`, () => {
    assert.ok(share(4 * ms, seconds, skew, 200) >= 0.95);
  });
  test(`it gets better with time, skew ${skew}`, () => {
    for (const [moment, limit] of [[5, 1.6], [20, 2.8], [120, 2], [400, 1.5]]) {
      assert.ok(share(limit * ms, moment * seconds, skew, 40) >= 0.95, `at ${moment} s`);
    }
  });
}

for (const skew of [-200, -35, 0, 200]) {
  test(`a skew of ${skew} ppm is learned`, () => {
    for (const seed of seeds(25)) {
      const world = new ClockWorld(seed);
      world.skew = skew;
      world.run(420 * seconds);
      assert.ok(Math.abs(world.estimate.skew - skew) < 20);
    }
  });
}

test("the skew is learned from three blocks of twelve samples", () => {
  const world = new ClockWorld(1);
  [world.skew, world.jitter] = [200, 0];
  const estimate = new ClockEstimate(world.sample(0));
  for (let number = 1; number < 35; number += 1) estimate.add(world.sample(number * seconds));
  assert.equal(estimate.skew, 0);
  estimate.add(world.sample(35 * seconds));
  assert.ok(estimate.skew > 100);
});

test("the skew believed is bounded", () => {
  const world = new ClockWorld(1);
  [world.skew, world.jitter] = [3000, 10];
  world.run(600 * seconds);
  assert.ok(Math.abs(world.estimate.skew) <= 500);
});

test("a slower route takes over within the window", () => {
  const world = new ClockWorld(7);
  world.run(60 * seconds);
  world.floors = { forward: 300 * ms, backward: 200 * ms };
  assert.equal(world.run(200 * seconds), 0);
  // The new route is lopsided by 100 ms, of which no estimate can see more than the half.
  assert.ok(Math.abs(world.error(200 * seconds) - 50 * ms) <= 8 * ms);
  assert.ok(world.estimate.uncertainty > 240 * ms);
});

for (const step of [-3600, -2, 2, 3600]) {
  test(`a clock that stepped by ${step} s is noticed by the first sample after it`, () => {
    const world = new ClockWorld(3);
    world.run(60 * seconds);
    world.offset += step * seconds;
    assert.equal(world.estimate.add(world.sample(62 * seconds)), "restarted");
    assert.ok(Math.abs(world.error(62 * seconds)) <= 25 * ms);
  });
}

test("translations invert each other", () => {
  const world = new ClockWorld(5);
  world.skew = 120;
  world.run(300 * seconds);
  for (const time of [0, 300 * seconds, 90_000 * seconds]) {
    assert.ok(Math.abs(world.estimate.hostTime(world.estimate.instant(time)) - time) <= 1);
  }
});

test("timestamps that no network can produce are refused", () => {
  assert.throws(() => new ClockSample(10, 5, 5, 9), RangeError);
  assert.throws(() => new ClockSample(0, 6, 5, 9), RangeError);
  assert.throws(() => new ClockSample(0, 0, 1000, 100), RangeError);
  assert.equal(new ClockSample(0, 0, 1040, 1000).roundTrip, 0);
});

/** What is told of the quality while the world runs on: each change, with its moment in seconds. */
function told(world, quality, until) {
  const changes = [];
  world.run(until, (now) => {
    if (quality.judge(world.estimate, world.schedule, now)) changes.push({ isPoor: quality.isPoor, at: now / seconds });
  });
  return changes;
}

for (const [delay, isPoor] of [[10, false], [200, false], [400, true]]) {
  test(`a delay of ${delay} ms each way is ${isPoor ? "" : "not "}told as a poor clock`, () => {
    const world = new ClockWorld(1);
    world.floors = { forward: delay * ms, backward: delay * ms };
    const changes = told(world, new ClockQuality(), 10 * seconds);
    assert.deepEqual(changes.map((change) => change.isPoor), isPoor ? [true] : []);
    // The first seconds' few samples say little.
    assert.ok(changes.every((change) => change.at >= 2 && change.at < 4), JSON.stringify(changes));
  });
}

test("a poor clock is told to be good again once it clearly is", () => {
  const [world, quality] = [new ClockWorld(1), new ClockQuality()];
  world.floors = { forward: 400 * ms, backward: 400 * ms };
  told(world, quality, 10 * seconds);
  assert.ok(quality.isPoor);
  world.floors = { forward: 30 * ms, backward: 30 * ms };
  assert.deepEqual(told(world, quality, 20 * seconds).map((change) => change.isPoor), [false]);
});

test("between the two limits the quality stays what it was", () => {
  const [quality, schedule] = [new ClockQuality(), new ClockSchedule(0)];
  const judge = (/** @type {number} */ uncertainty) => {
    const estimate = new ClockEstimate(new ClockSample(0, uncertainty, uncertainty, 2 * uncertainty));
    quality.judge(estimate, schedule, 3 * seconds);
    return quality.isPoor;
  };
  assert.deepEqual([250, 251, 225, 200, 199, 225, 250].map((limit) => judge(limit * ms)),
    [false, true, true, true, false, false, false]);
});

function pings(schedule, end) {
  const moments = [];
  while (schedule.nextPing <= end) {
    moments.push(schedule.nextPing / ms);
    schedule.pinged(schedule.nextPing);
  }
  return moments;
}

test("pings come often at first, then less and less, and at last every two seconds", () => {
  const moments = pings(new ClockSchedule(0), 100 * seconds);
  assert.deepEqual(moments.slice(0, 25), seeds(25).map((number) => number * 75));
  const pauses = moments.slice(1).map((moment, index) => moment - moments[index]);
  // The times are fractions of µs here, so equal pauses differ by their rounding.
  assert.ok(pauses.every((pause, index) => index === 0 || pause >= pauses[index - 1] - 1e-6));
  const many = moments.filter((moment) => moment > 1_800 && moment <= 48_000).length;
  assert.ok(many >= 75 && many <= 85, `${many}`);
  assert.ok(pauses.slice(-20).every((pause) => Math.abs(pause - 2_000) < 1e-6));
});

test("a late wake-up piles up no pings, and a restart bursts again", () => {
  const schedule = new ClockSchedule(0);
  pings(schedule, 10 * seconds);
  schedule.pinged(100 * seconds);
  assert.equal(schedule.nextPing, 102 * seconds);
  schedule.restart(110 * seconds);
  assert.equal(pings(schedule, 111 * seconds).length, 14);
});

test("the slow round trip is the 95th percentile of the last twenty", () => {
  const trips = new RoundTrips();
  assert.equal(trips.slow, undefined);
  for (let number = 1; number <= 30; number += 1) trips.note(number * ms);
  assert.equal(trips.slow, 29 * ms);
});
