// What a player's commands cost, and how often it may be moved.

const seconds = 1_000_000;

/**
 * How long a player takes to carry out a command, learned from its previous commands.
 *
 * The median of the last seven times, so that one slow fetch has no effect.
 */
export class LearnedCost {
  static #memory = 7;
  /** @type {number[]} */ #times;

  /** @param {number} first the expected cost until the player shows its own, in microseconds */
  constructor(first) { this.#times = [first]; }

  /** The expected cost. */
  get likely() {
    const sorted = [...this.#times].sort((a, b) => a - b);
    return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
  }

  /** The longest remembered cost, but at most three times the expected one. */
  get cautious() { return Math.min(Math.max(...this.#times), this.likely * 3); }

  /** @param {number} time */
  learn(time) {
    // A time outside these bounds is due to a stall rather than to the command.
    this.#times.push(Math.min(Math.max(time, -2 * seconds), 5 * seconds));
    if (this.#times.length > LearnedCost.#memory) this.#times.shift();
  }
}

/** Limits corrective seeks: viewers tolerate a few, and who needs more cannot keep up. */
export class SeekBudget {
  static perMinute = 6;
  static #shortestFreeze = 2 * seconds;
  /** @type {number[]} */ #recent = [];
  #frozenUntil = -Infinity;

  /**
   * Requests a seek. After one, the budget is frozen for two seconds or three times the cost;
   * otherwise the time that the seek takes would look like drift and cause another one.
   * @param {number} cost @param {number} now @returns {"allowed" | "frozen" | "exhausted"}
   */
  request(cost, now) {
    if (now < this.#frozenUntil) return "frozen";
    this.#recent = this.#recent.filter((seek) => now - seek < 60 * seconds);
    if (this.#recent.length >= SeekBudget.perMinute) return "exhausted";
    this.#recent.push(now);
    this.#frozenUntil = now + Math.max(SeekBudget.#shortestFreeze, cost * 3);
    return "allowed";
  }
}
