// An item's timeline, as the server sets it, and the same in this page's time.

/** @typedef {import("./clock.js").ClockEstimate} ClockEstimate */

/**
 * The state of one item for everybody who has it current.
 * @typedef {object} Timeline
 * @property {"paused" | "preparing" | "playing" | "ended"} phase
 * @property {number} mediaTime µs
 * @property {number} rate
 * @property {number} seq the number of the event that set it; ready reports name it
 * @property {number} [anchor] the instant at which a playing item is at `mediaTime`
 * @property {number} [approach] the rate up to the anchor; without it the item stands still
 * @property {number} [due] when those who are not ready count as stalled
 * @property {number} [patience] when the group starts in any case
 * @property {number} [duration] µs; unknown for live content
 * @property {{start: number, end: number}[]} [interstitials]
 * @property {{start: number, end: number, slides?: boolean, at: number}} [seekWindow] what of live content can be
 *   sought, as it was at an instant; its end moves on with time
 * @property {Record<string, number>} [doubts] other durations, by participant
 * @property {number} [keptUntil]
 */

/**
 * Where everyone should be, clamped to the item if its duration is known.
 * @param {Timeline} timeline @param {number} instant @returns {number} µs
 */
export function positionAt(timeline, instant) {
  const position = timeline.phase === "playing" ? anchored(timeline, instant) : timeline.mediaTime;
  return Math.min(Math.max(position, 0), timeline.duration ?? Infinity);
}

/**
 * What can be sought: all of an item, or the window of live content.
 * @param {Timeline} timeline
 * @param {number} length of the item in the own player, µs; not finite for live content, and before it is open
 * @param {number | null} instant
 * @returns {{start: number, end: number} | null} null if it is not known
 */
export function seekRange(timeline, length, instant) {
  const end = timeline.duration ?? length;
  if (end > 0 && Number.isFinite(end)) return { start: 0, end };
  const window = timeline.seekWindow;
  if (window === undefined || instant === null) return null;
  const passed = Math.max(instant - window.at, 0);
  return { start: window.start + (window.slides === true ? passed : 0), end: window.end + passed };
}

/** @param {Timeline} timeline @param {number} instant */
function anchored({ mediaTime, anchor = 0, rate, approach }, instant) {
  if (instant >= anchor) return mediaTime + rate * (instant - anchor);
  return approach === undefined ? mediaTime : mediaTime - approach * (anchor - instant);
}

/** A playing timeline in host time: the expected position of the player at each moment. */
export class LocalLine {
  /**
   * @param {Timeline} timeline which plays @param {ClockEstimate} clock
   * @param {number | undefined} duration µs
   * @param {number} playerOffset how long the player's sound comes after its position, µs
   */
  constructor(timeline, clock, duration, playerOffset) {
    this.timeline = timeline;
    this.clock = clock;
    this.duration = duration;
    this.playerOffset = playerOffset;
  }

  get rate() { return this.timeline.rate; }

  /** When the player should be at the anchor's position. */
  get start() { return this.clock.hostTime(this.timeline.anchor ?? 0) - this.playerOffset; }

  /** @param {number} time a host time @returns {number} where the player should be */
  position(time) {
    const position = anchored(this.timeline, this.clock.instant(time + this.playerOffset));
    return Math.min(Math.max(position, 0), this.duration ?? Infinity);
  }

  /** @param {number} position @returns {number} the host time when the player should be there */
  moment(position) {
    const { mediaTime, anchor = 0, rate, approach } = this.timeline;
    const instant = position < mediaTime && approach !== undefined
      ? anchor - (mediaTime - position) / approach : anchor + (position - mediaTime) / rate;
    return this.clock.hostTime(instant) - this.playerOffset;
  }

  /**
   * Whether two lines have the same anchor.
   * @param {LocalLine} other
   */
  isSame(other) {
    const [a, b] = [this.timeline, other.timeline];
    return a.mediaTime === b.mediaTime && a.anchor === b.anchor && a.rate === b.rate
      && a.approach === b.approach;
  }
}
