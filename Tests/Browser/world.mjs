// Worlds for the unit tests of matinee.js: two clocks with a network between, and a player on a line.

import { ClockEstimate, ClockSample, ClockSchedule } from "../../Sources/WebClient/Site/clock.js";
import { DriftController } from "../../Sources/WebClient/Site/drift.js";

export const ms = 1_000;
export const seconds = 1_000_000;

/** SplitMix64, of which the upper 53 bits are a fraction: the same seeds give the same evenings. */
export class Numbers {
  #state;
  constructor(seed) { this.#state = BigInt(seed); }

  fraction() {
    const mask = (1n << 64n) - 1n;
    this.#state = (this.#state + 0x9e3779b97f4a7c15n) & mask;
    let z = this.#state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53;
  }

  /** Twelve uniform numbers make a good enough normal one. */
  normal() {
    let sum = -6;
    for (let count = 0; count < 12; count += 1) sum += this.fraction();
    return sum;
  }
}

/** A client and a server whose clocks differ by a known offset and skew. */
export class ClockWorld {
  offset = 1_700_000_000 * seconds;
  skew = 0;
  floors = { forward: 140 * ms, backward: 140 * ms };
  jitter = 20 * ms;
  schedule = new ClockSchedule(0);
  estimate = null;
  constructor(seed) { this.numbers = new Numbers(seed); }

  instant(time) { return time + this.offset + time * (this.skew / 1_000_000); }

  sample(now) {
    const delay = (floor) => floor + Math.round(this.numbers.fraction() * this.jitter);
    const arrival = now + delay(this.floors.forward);
    const heard = Math.round(this.instant(arrival));
    return new ClockSample(now, heard, heard, arrival + delay(this.floors.backward));
  }

  /** Pings on schedule, and tells of each answer; returns how often the estimate had to start over. */
  run(until, hear = (/** @type {number} */ _now) => {}) {
    let restarts = 0;
    while (this.schedule.nextPing <= until) {
      const now = this.schedule.nextPing;
      const sample = this.sample(now);
      if (this.estimate === null) this.estimate = new ClockEstimate(sample);
      else if (this.estimate.add(sample) === "restarted") restarts += 1;
      this.schedule.pinged(now);
      hear(now);
    }
    return restarts;
  }

  error(now) { return this.estimate.instant(now) - this.instant(now); }
}

/** A running player against a line; errors in µs of media. It honours rates almost, and acts late. */
export class DriftWorld {
  rateError = 0;
  skew = 0;
  rate = 1;
  latency = 0;
  buffered = 0;
  seekCost = 60 * ms;
  seekMiss = 0;
  ignoresRates = false;
  now = 0;
  rateChanges = [];
  seeks = [];
  gaveUp = false;
  #actual = 1;
  #commanded = 1;
  #pending = [];

  constructor(error, { noise = 100, canChangeRate = true, seed = 1 } = {}) {
    this.error = error;
    this.noise = noise;
    this.numbers = new Numbers(seed);
    this.controller = new DriftController(noise, canChangeRate);
  }

  get isAtGroupRate() { return this.#commanded === 1 && this.controller.factor === 1; }

  /** Runs on, with a reading every 100 ms and the controller's deadlines on time. */
  run(duration) {
    const end = this.now + duration;
    let nextReading = this.now + 100 * ms;
    while (this.now < end) {
      const due = this.controller.nextDeadline ?? end;
      const step = Math.min(due, nextReading, this.#pending[0]?.at ?? end, end);
      this.#advance(Math.max(step, this.now));
      if (this.#pending.length > 0 && this.#pending[0].at <= this.now) this.#actual = this.#pending.shift().factor;
      if (this.controller.nextDeadline !== null && this.controller.nextDeadline <= this.now) {
        this.#carryOut(this.controller.deadlineReached(this.now));
      }
      if (nextReading > this.now) continue;
      nextReading = this.now + 100 * ms;
      const misled = (this.#actual - 1) * this.rate * this.buffered;
      const reading = this.error - misled + this.numbers.normal() * this.noise;
      this.#carryOut(this.controller.correct(reading, this.rate, this.seekCost, this.now));
    }
  }

  #advance(time) {
    const elapsed = time - this.now;
    this.error += elapsed * (this.rate * this.#actual * (1 + this.skew / 1_000_000) - this.rate);
    this.now = time;
  }

  #carryOut(correction) {
    if (correction.kind === "rate") {
      this.rateChanges.push(this.now);
      this.#commanded = correction.factor;
      if (this.ignoresRates) return;
      const factor = correction.factor === 1 ? 1 : correction.factor * (1 + this.rateError);
      const delay = this.latency * (0.5 + this.numbers.fraction() / 2);
      this.#pending.push({ at: Math.max(this.now + delay, this.#pending.at(-1)?.at ?? 0), factor });
    } else if (correction.kind === "seek") {
      this.seeks.push(this.now);
      this.error = (correction.lead - this.seekCost) * this.rate + this.seekMiss;
      this.controller.reset(this.now);
    } else if (correction.kind === "cannotKeepUp") this.gaveUp = true;
  }
}
