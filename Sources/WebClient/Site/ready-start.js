// “Start when all are ready”: who has asked for it counts down, and everybody sees it.

/** How long the countdown takes, in µs: enough to take a seat. */
export const countdownLength = 3_000_000;

/**
 * What everybody sees: who asked, and when it starts; without `at`, somebody is not ready yet.
 * @typedef {{by: string, at?: number}} Shown
 *
 * What the client is to do: to tell the others where the wish stands, or to press play.
 * @typedef {{kind: "tell", countdown: {at?: number} | null} | {kind: "play"}} Order
 */

/**
 * The wish of one session, as this participant has it: a value without a clock.
 *
 * It travels as the payload `{"countdown":{}}`, then `{"countdown":{"at":INSTANT}}`, and
 * `{"countdown":null}` when it is taken back. Whoever becomes unready stops the countdown, a
 * newcomer too; whoever steers ends the wish. Only the client that asked presses play.
 */
export class ReadyStart {
  #me;
  /** @type {Map<string, boolean>} who is here, and whether they are ready */ #people = new Map();
  /** @type {Shown | null} */ #shown = null;

  /** @param {string} me this device's participant */
  constructor(me) { this.#me = me; }

  /** @returns {Shown | null} */
  get shown() { return this.#shown; }
  /** @returns {number | null} the instant at which `tick` is due */
  get nextDeadline() { return this.#isOwn ? this.#shown?.at ?? null : null; }

  get #isOwn() { return this.#shown?.by === this.#me; }
  get #areReady() { return this.#people.size > 0 && [...this.#people.values()].every(Boolean); }

  /** @param {number} now @returns {Order[]} of the person who asks for it; the last one counts */
  ask(now) {
    this.#shown = { by: this.#me };
    return this.#areReady ? this.#begin(now) : [{ kind: "tell", countdown: {} }];
  }

  /** @returns {Order[]} of anybody who takes it back */
  takeBack() {
    if (this.#shown === null) return [];
    this.#shown = null;
    return [{ kind: "tell", countdown: null }];
  }

  /** @param {Map<string, boolean>} people who are connected @param {number} now @returns {Order[]} */
  meet(people, now) {
    this.#people = people;
    if (this.#shown === null) return [];
    if (!people.has(this.#shown.by)) this.#shown = null;
    else if (!this.#areReady && this.#shown.at !== undefined) {
      this.#shown = { by: this.#shown.by };
      if (this.#isOwn) return [{ kind: "tell", countdown: {} }];
    } else if (this.#areReady && this.#isOwn && this.#shown.at === undefined) return this.#begin(now);
    return [];
  }

  /**
   * Takes what another participant told.
   * @param {string} from @param {unknown} countdown
   */
  hear(from, countdown) {
    if (from === this.#me || !this.#people.has(from)) return;
    const at = /** @type {{at?: unknown} | null} */ (countdown)?.at;
    if (countdown === null) this.#shown = null;
    else if (typeof countdown !== "object" || (at !== undefined && !Number.isSafeInteger(at))) return;
    else this.#shown = at === undefined ? { by: from } : { by: from, at: Number(at) };
  }

  /** Somebody plays, pauses, seeks or chooses something else. */
  steer() { this.#shown = null; }

  /** @param {number} now @returns {Order[]} */
  tick(now) {
    const due = this.nextDeadline;
    if (due === null || now < due) return [];
    this.#shown = null;
    return [{ kind: "play" }];
  }

  /** @param {number} now @returns {Order[]} */
  #begin(now) {
    const at = now + countdownLength;
    this.#shown = { by: this.#me, at };
    return [{ kind: "tell", countdown: { at } }];
  }
}
