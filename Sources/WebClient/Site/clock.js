// The group's time. Every time in this library is in whole microseconds: `host` times are those of
// this page's monotonic clock (`performance.now()`), instants are the group's.

import { SkewEstimate } from "./skew.js";

/** @returns {number} the page's monotonic clock, in microseconds */
export function hostNow() {
  return Math.round(performance.now() * 1000);
}

const seconds = 1_000_000;
/** Both clocks are read in whole microseconds, so a round trip may come out slightly negative. */
const rounding = 50;

/**
 * One exchange of timestamps (RFC 5905, section 8), kept as the two one-way differences.
 *
 * No delay is negative, so every sample proves `−backward ≤ true offset ≤ forward`, even on a
 * lopsided route.
 */
export class ClockSample {
  /**
   * @param {number} asked t1, the host time when the ping was sent
   * @param {number} heard t2, the instant when the server got it
   * @param {number} answered t3, the instant when the server answered
   * @param {number} received t4, the host time when the answer came
   * @throws {RangeError} for timestamps that no network can produce
   */
  constructor(asked, heard, answered, received) {
    if (asked > received) throw new RangeError("the reply came before the ping was sent");
    if (heard > answered) throw new RangeError("the server answered before it heard");
    const elapsed = received - asked;
    if (elapsed - (answered - heard) < -rounding) {
      throw new RangeError("the server held the ping for longer than the round trip took");
    }
    this.forward = heard - asked;
    this.backward = received - answered;
    this.at = asked + elapsed / 2;
  }

  /** How far the server's clock is ahead if both delays are equal. */
  get offset() { return (this.forward - this.backward) / 2; }

  /** The network's share of the exchange; `offset` is wrong by at most half of it. */
  get roundTrip() { return Math.max(this.forward + this.backward, 0); }
}

/** The skew that two clocks rarely exceed, in ppm. */
const likelySkew = 100;
/** How far an interval may miss the overlap before a clock must have stepped. */
const stepTolerance = 5_000;

/**
 * What a client knows about the group's time: an offset, a skew and an error bound.
 *
 * Every sample proves an interval that contains the true offset. The estimate is the middle of the
 * overlap of the last 64 intervals, which widen with their age because the skew is uncertain. A
 * sample that misses the overlap means that a clock stepped (a laptop slept); the estimate starts
 * over from it.
 */
export class ClockEstimate {
  static window = 64;
  /** A sample this old is dropped as soon as there is a newer one. */
  static longestUse = 180 * seconds;
  /** Above this uncertainty people notice the error. */
  static poorUncertainty = 250_000;
  /** Below this one a poor estimate is good again, so that it does not change with each sample. */
  static goodUncertainty = 200_000;

  /** @type {ClockSample[]} */ #samples;
  #skew = new SkewEstimate();
  #reference;
  #offset;
  /** The largest possible error of a translated time. */
  uncertainty;

  /** @param {ClockSample} sample */
  constructor(sample) {
    this.#samples = [sample];
    this.#reference = sample.at;
    this.#offset = sample.offset;
    this.uncertainty = sample.roundTrip / 2;
    this.#skew.add(sample);
  }

  /** How fast the server's clock gains on this one, in ppm. */
  get skew() { return this.#skew.partsPerMillion; }

  /** Whether the error can be large enough for people to notice. */
  get isPoor() { return this.uncertainty > ClockEstimate.poorUncertainty; }

  /** Whether the error is clearly too small for people to notice. */
  get isGood() { return this.uncertainty < ClockEstimate.goodUncertainty; }

  /**
   * @param {ClockSample} sample
   * @returns {"refined" | "restarted"} `restarted` asks for a new burst of pings
   */
  add(sample) {
    const isExplained = this.#agrees(sample);
    if (!isExplained) {
      this.#samples = [];
      this.#skew.forgetOffsets();
    }
    this.#skew.add(sample);
    this.#samples.push(sample);
    const newest = this.#samples.reduce((latest, other) => Math.max(latest, other.at), sample.at);
    this.#samples = this.#samples
      .filter((other) => newest - other.at <= ClockEstimate.longestUse)
      .slice(-ClockEstimate.window);
    const likely = this.#overlap(newest, Math.min(this.#skew.uncertainty, likelySkew));
    const proven = this.#overlap(newest, this.#skew.uncertainty);
    this.#reference = newest;
    this.#offset = (likely.lower + likely.upper) / 2;
    this.uncertainty = Math.max(proven.upper - this.#offset, this.#offset - proven.lower, 0);
    return isExplained ? "refined" : "restarted";
  }

  /** @param {number} time a host time @returns {number} the instant */
  instant(time) {
    return time + this.#offset + this.#drift(time - this.#reference);
  }

  /** @param {number} instant @returns {number} the host time */
  hostTime(instant) {
    const elapsed = (instant - this.#offset - this.#reference) / (1 + this.skew / 1_000_000);
    return this.#reference + elapsed;
  }

  /** @param {number} elapsed */
  #drift(elapsed) { return elapsed * (this.skew / 1_000_000); }

  /**
   * The overlap of all intervals at a moment; `lower` exceeds `upper` if a clock stepped.
   * @param {number} now @param {number} uncertainty of the skew, in ppm
   */
  #overlap(now, uncertainty) {
    let [lower, upper] = [-Infinity, Infinity];
    for (const sample of this.#samples) {
      const age = now - sample.at;
      const widening = age * (uncertainty / 1_000_000);
      lower = Math.max(lower, -sample.backward + this.#drift(age) - widening);
      upper = Math.min(upper, sample.forward + this.#drift(age) + widening);
    }
    return { lower, upper };
  }

  /** @param {ClockSample} sample */
  #agrees(sample) {
    const { lower, upper } = this.#overlap(sample.at, this.#skew.uncertainty);
    return Math.max(lower, -sample.backward) <= Math.min(upper, sample.forward) + stepTolerance;
  }
}

/** When to ping: every 75 ms at first, then less often, down to every two seconds. */
export class ClockSchedule {
  static shortestPause = 75_000;
  static longestPause = 2 * seconds;
  /** The time since the first ping, divided by this, is the pause. */
  static pausesPerAge = 24;
  /** After this time the first 24 pings are answered, unless the network is very slow. */
  static settlingTime = 2 * seconds;

  #begun;
  /** The host time of the next ping. */
  nextPing;

  /** @param {number} now */
  constructor(now) {
    this.#begun = now;
    this.nextPing = now;
  }

  /**
   * Notes a ping; pings that a late wake-up missed are skipped.
   * @param {number} now
   */
  pinged(now) {
    const pause = (now - this.#begun) / ClockSchedule.pausesPerAge;
    this.nextPing =
      now + Math.min(Math.max(pause, ClockSchedule.shortestPause), ClockSchedule.longestPause);
  }

  /** @param {number} now @returns {boolean} whether what the pings have found is good enough to be judged */
  isSettled(now) { return now - this.#begun >= ClockSchedule.settlingTime; }

  /**
   * Bursts again: after a reconnection, or after the page slept.
   * @param {number} now
   */
  restart(now) {
    this.#begun = now;
    this.nextPing = now;
  }
}

/** Whether the connection is too slow to be exactly together, as the person is told. */
export class ClockQuality {
  isPoor = false;

  /**
   * @param {ClockEstimate} estimate @param {ClockSchedule} schedule of the pings behind it
   * @param {number} now
   * @returns {boolean} whether it has changed
   */
  judge(estimate, schedule, now) {
    const isPoor = this.isPoor ? !estimate.isGood : estimate.isPoor;
    if (!schedule.isSettled(now) || isPoor === this.isPoor) return false;
    this.isPoor = isPoor;
    return true;
  }
}

/** The recent round trips, whose 95th percentile the server sets the lead of a start by. */
export class RoundTrips {
  /** 40 s at the longest interval: enough for a percentile, short enough to forget an outage. */
  static window = 20;
  /** @type {number[]} */ #latest = [];

  /** @param {number} roundTrip */
  note(roundTrip) {
    this.#latest.push(roundTrip);
    if (this.#latest.length > RoundTrips.window) this.#latest.shift();
  }

  /** @returns {number | undefined} the 95th percentile; undefined before the first pong */
  get slow() {
    if (this.#latest.length === 0) return undefined;
    const rank = Math.floor((this.#latest.length * 95 + 99) / 100);
    return Math.round([...this.#latest].sort((a, b) => a - b)[rank - 1]);
  }
}
