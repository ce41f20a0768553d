// Keeps a running player at the group's position.

import { SeekBudget } from "./learning.js";

const seconds = 1_000_000;

/**
 * @typedef {{kind: "none"} | {kind: "rate", factor: number} | {kind: "seek", lead: number}
 *   | {kind: "cannotKeepUp"}} Correction
 * @typedef {{offset: number, error: number, speed: number, begins: number, ends: number,
 *   strays: number}} Nudge `offset` is from the group's rate; `error` in µs of media when it began;
 *   `speed` in media per time
 */

/** The errors from which a player is corrected, in µs, by the noise of its readings. */
export class DriftBands {
  /** @param {number} measurementNoise @param {boolean} canChangeRate */
  constructor(measurementNoise, canChangeRate) {
    const noise = Math.min(Math.max(measurementNoise, 0), seconds);
    /** Errors up to this are never corrected. */
    this.trim = Math.max(1_000, (noise * 10) / 3);
    /** Errors beyond this are corrected as soon as a few readings agree. */
    this.engage = Math.max(2_000, (noise * 10) / 3);
    /** Errors beyond this are corrected by one seek. */
    this.seek = Math.max(canChangeRate ? 2_500_000 : 200_000, noise * 10);
  }
}

const largestOffset = 0.05;
/** Twice the 0.5 % error that a player's rate may have, so that no nudge goes the wrong way. */
const smallestOffset = 0.01;
/** For players whose readings are precise, as long as they apply rates precisely. */
const smallestPreciseOffset = 0.0025;
const precision = 1_000;
/** The longest nudge; after it the error is measured again. */
const longestNudge = 10 * seconds;
/** How long a rate may take to appear in the readings. */
const lag = 0.8 * seconds;
/** How long a rate, a start or a seek may take to appear in the readings. */
const settling = 300_000;
const pauseBetweenNudges = 4 * seconds;
const [readingsLately, readingsKept, readingsNeeded] = [5, 10, 3];
const [straysAllowed, failuresAllowed, odditiesAllowed] = [2, 3, 2];
/** The plausible effects of a nudge, as a share of the wanted one. */
const [leastShare, mostShare] = [0.25, 1.75];

/** @type {Correction} */
const none = { kind: "none" };

/**
 * Ignores small errors, corrects medium ones by a rate within ±5 %, and large ones by a seek.
 *
 * A correction by rate is a *nudge*: the player runs at an offset from the group's rate for a
 * time, and offset times time equals the error. Both are fixed when it begins; readings do not
 * steer it. It ends by itself, and the next begins four seconds later at the earliest; three in a
 * row without an effect prove that the player ignores rates. So corrections end.
 */
export class DriftController {
  #noise;
  #canChangeRate;
  /** @type {Nudge | null} */ #nudge = null;
  /** @type {number[]} */ #readings = [];
  #blindUntil = -Infinity;
  #nextNudge = -Infinity;
  /** @type {Nudge | null} the last nudge, until the readings show its effect */ #unproven = null;
  #failures = 0;
  #oddities = 0;
  #budget = new SeekBudget();

  /** @param {number} measurementNoise standard deviation of readings, µs @param {boolean} canChangeRate */
  constructor(measurementNoise, canChangeRate) {
    this.#noise = measurementNoise;
    this.#canChangeRate = canChangeRate;
  }

  /** The bands in force; a player that ignores rates gets those of a player without rates. */
  get bands() { return new DriftBands(this.#noise, this.#usesRates); }

  /** The multiple of the group's rate at which the player should run now. */
  get factor() { return this.#nudge === null ? 1 : 1 + this.#nudge.offset; }

  /** @returns {number | null} the median of the last readings; null while there are too few */
  get error() {
    if (this.#readings.length < readingsNeeded) return null;
    return median(this.#readings.slice(-readingsLately));
  }

  /** @returns {number | null} when the running nudge ends */
  get nextDeadline() { return this.#nudge === null ? null : this.#nudge.ends; }

  get #usesRates() { return this.#canChangeRate && this.#failures < failuresAllowed; }

  /**
   * Drops the readings and any nudge after the player was started, paused or moved.
   * @param {number} now
   */
  reset(now) {
    this.#nudge = null;
    this.#unproven = null;
    this.#settle(now);
  }

  /**
   * Judges one reading.
   * @param {number} error the player's position minus the group's, µs; positive if ahead
   * @param {number} rate the group's rate @param {number} seekCost @param {number} now
   * @returns {Correction}
   */
  correct(error, rate, seekCost, now) {
    if (now < this.#blindUntil) return none;
    if (this.#nudge !== null) return this.#watch(this.#nudge, error, now);
    this.#readings.push(error);
    if (this.#readings.length > readingsKept) this.#readings.shift();
    const typical = this.error;
    if (typical === null) return none;
    this.#judge(typical);
    if (Math.abs(typical) > this.bands.seek) return this.jump(seekCost, now);
    const wrong = this.#usesRates ? this.#worthTrimming(typical) : null;
    if (wrong === null || now < this.#nextNudge) return none;
    return this.#begin(wrong, rate, now);
  }

  /**
   * Ends a nudge whose time is up.
   * @param {number} now @returns {Correction}
   */
  deadlineReached(now) {
    if (this.#nudge === null || this.#nudge.ends > now) return none;
    this.#unproven = this.#nudge;
    return this.#end(now);
  }

  /**
   * A large error after a few readings, a small one after many.
   * @param {number} typical
   */
  #worthTrimming(typical) {
    if (Math.abs(typical) > this.bands.engage) return typical;
    if (this.#readings.length < readingsKept) return null;
    const lasting = median(this.#readings);
    return Math.abs(lasting) > this.bands.trim ? lasting : null;
  }

  /**
   * Judges an error that a seek mends better than a rate.
   * @param {number} cost of a seek, as learned @param {number} now @returns {Correction}
   */
  jump(cost, now) {
    const verdict = this.#budget.request(cost, now);
    if (verdict === "frozen") return none;
    if (verdict === "exhausted") return { kind: "cannotKeepUp" };
    this.#settle(now);
    return { kind: "seek", lead: cost };
  }

  /** @param {number} error @param {number} rate @param {number} now @returns {Correction} */
  #begin(error, rate, now) {
    // The error in seconds is the offset: 20 ms give 2 %.
    const strength = Math.min(Math.max(Math.abs(error) / seconds, this.#gentlest), largestOffset);
    const offset = error > 0 ? -strength : strength;
    const length = Math.min(Math.abs(error) / (strength * rate), longestNudge);
    this.#nudge = { offset, error, speed: offset * rate, begins: now, ends: now + length, strays: 0 };
    return { kind: "rate", factor: this.factor };
  }

  /**
   * Ends a nudge early only if the readings contradict it: something else moved the player.
   * @param {Nudge} running @param {number} error @param {number} now @returns {Correction}
   */
  #watch(running, error, now) {
    if (running.ends <= now) return this.deadlineReached(now);
    const expected = running.error + running.speed * (now - running.begins);
    const tolerance = this.bands.engage + Math.abs(running.speed) * lag + Math.abs(reach(running)) / 2;
    const isStray = Math.abs(error - expected) > tolerance;
    const before = running.strays;
    running.strays = isStray ? before + 1 : 0;
    return isStray && before === straysAllowed ? this.#end(now) : none;
  }

  get #gentlest() {
    return this.#noise <= precision && this.#oddities < odditiesAllowed
      ? smallestPreciseOffset : smallestOffset;
  }

  /**
   * Compares the last nudge's effect with the wanted one.
   * @param {number} error
   */
  #judge(error) {
    const nudge = this.#unproven;
    if (nudge === null) return;
    this.#unproven = null;
    const share = (error - nudge.error) / reach(nudge);
    if (this.#oddities < odditiesAllowed) {
      this.#oddities = share >= leastShare && share <= mostShare ? 0 : this.#oddities + 1;
    }
    if (Math.abs(reach(nudge)) <= this.bands.engage * 0.9) return;
    this.#failures = share < leastShare ? this.#failures + 1 : 0;
  }

  /** @param {number} now @returns {Correction} */
  #end(now) {
    this.#nudge = null;
    this.#nextNudge = now + pauseBetweenNudges;
    this.#settle(now);
    return { kind: "rate", factor: 1 };
  }

  /** @param {number} now */
  #settle(now) {
    this.#readings = [];
    this.#blindUntil = now + settling;
  }
}

/**
 * How far a whole nudge moves the player, in µs of media.
 * @param {Nudge} nudge
 */
function reach(nudge) { return nudge.speed * (nudge.ends - nudge.begins); }

/** @param {number[]} readings */
function median(readings) {
  return [...readings].sort((a, b) => a - b)[readings.length >> 1];
}
