// The suspensions that this page asked for, until the server knows that they are over.

/** @typedef {import("./mirror.js").Suspension} Suspension */

/** The reasons for which a player of this page suspends by itself; for any other reason, an app does. */
const automatic = new Set([
  "stallRecovery", "playingInterstitial", "audioSessionInterrupted", "userActionRequired",
  "coordinatedPlaybackNotPossible",
]);

/**
 * The server numbers a suspension in its answer. One that is over before then is ended as soon as its
 * number is known; one that begins again before then is the same, because the server has one for a reason.
 */
export class OwnSuspensions {
  /** @type {Map<string, {number: number | null, isOver: boolean, asked: number}>} */ #open = new Map();
  /** @type {Set<number>} those that the server was asked to end */ #ending = new Set();

  /**
   * Takes over from an earlier player of this participant, which can end nothing any more: the page was
   * loaded again, or the app attached another element.
   * @param {Suspension[]} standing this device's suspensions that are open on the server
   * @returns {number[]} the numbers to end
   */
  inherit(standing) {
    const left = standing.filter(({ reason, imposed }) => !imposed && automatic.has(reason));
    this.#ending = new Set(left.map(({ suspension }) => suspension));
    return [...this.#ending];
  }

  /** Ends those that have no number yet as soon as they have one; whoever inherits the others ends them. */
  abandon() {
    for (const one of this.#open.values()) one.isOver = true;
  }

  /** @param {string} reason */
  begin(reason) {
    this.#open.set(reason, { number: null, isOver: false, asked: (this.#open.get(reason)?.asked ?? 0) + 1 });
  }

  /** @param {string} reason of which the server has none; it may yet grant the one asked for next */
  drop(reason) {
    const one = this.#open.get(reason);
    if (one === undefined) return;
    one.asked -= 1;
    if (one.asked === 0 && one.number === null) this.#open.delete(reason);
  }

  /**
   * @param {string} reason
   * @param {number} number that the server gave
   * @param {Suspension[]} standing this device's suspensions that are open on the server
   * @returns {number | null} the number to end, if it is over already
   */
  name(reason, number, standing) {
    const one = this.#open.get(reason);
    if (one === undefined) return null;
    one.asked -= 1;
    // A number that is being ended answers a request from before its end.
    if (!this.#ending.has(number)) one.number = number;
    return one.isOver ? this.end(reason, standing) : null;
  }

  /** @param {string} reason @param {Suspension[]} standing @returns {number | null} the number to end, if it is known */
  end(reason, standing) {
    const one = this.#open.get(reason);
    if (one === undefined) return null;
    const { number } = one;
    [one.number, one.isOver] = [null, true];
    // The answer that is still due may name another one.
    if (one.asked === 0) this.#open.delete(reason);
    if (number === null) return null;
    const open = new Set(standing.map(({ suspension }) => suspension));
    this.#ending = new Set([...this.#ending].filter((one) => open.has(one))).add(number);
    return number;
  }

  /** @param {Suspension} one @returns {boolean} whether this page asked for it */
  covers({ reason, suspension }) {
    if (this.#ending.has(suspension)) return true;
    const own = this.#open.get(reason);
    return own !== undefined && (own.number ?? suspension) === suspension;
  }
}
