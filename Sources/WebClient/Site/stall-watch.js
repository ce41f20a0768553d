// Distinguishes a real stall from a `waiting` event that an element sends by mistake.

/** How long motion is looked at before it is judged, µs: browsers renew a position some 20 times a second. */
const glance = 50_000;
/** How long a doubted film stands still before that is a stall, µs: five renewals of its position. */
const patience = 250_000;
/** How long after a change of the speed an element's word is doubted, µs; WebKit takes 10 ms to give it. */
const doubtful = 500_000;

/**
 * Watches a playing element by its position.
 *
 * WebKit with GStreamer says after some changes of the speed that it waits, and from then on never that it goes
 * on, while the film runs. Such an element is doubted until it says that it has its data again: it stalls only
 * once the film stands still. And any stall is over once the film moves.
 */
export class StallWatch {
  /** @type {{position: number, at: number} | null} */ #seen = null;
  /** @type {"running" | "doubted" | "stalled"} */ #state = "running";
  #doubtedUntil = -Infinity;

  /** Whether the element says that it waits, and may be wrong. */
  get isDoubted() { return this.#state === "doubted"; }

  /** @param {number} at when the speed changed */
  doubt(at) { this.#doubtedUntil = at + doubtful; }

  /** The element stands, or is at another position. */
  forget() { this.#seen = null; }

  /** @param {boolean} hasData the element says that it goes on, and whether it has its data */
  recover(hasData) { this.#state = hasData ? "running" : "doubted"; }

  /**
   * The element says that it waits.
   * @param {number} position @param {number} at
   * @returns {boolean} whether that is certainly a stall
   */
  wait(position, at) {
    this.#seen = { position, at };
    const isDoubtful = this.isDoubted || (this.#state === "running" && at < this.#doubtedUntil);
    this.#state = isDoubtful ? "doubted" : "stalled";
    return !isDoubtful;
  }

  /**
   * Looks at a playing element.
   * @param {{position: number, at: number, rate: number, hasData: boolean}} now what it says of itself
   * @returns {"runs" | "stalls" | "recovers" | "waits"} `stalls` and `recovers` once for each stall
   */
  look({ position, at, rate, hasData }) {
    const since = this.#seen;
    const watched = since === null ? 0 : at - since.at;
    if (since !== null && watched < glance && !hasData) return "waits";
    // Half its speed, because the position is renewed by leaps.
    const moves = since !== null && position - since.position > watched * rate / 2;
    const isPatient = this.isDoubted && !hasData && !moves && since !== null && watched < patience;
    if (!isPatient) this.#seen = { position, at };
    if (this.#state === "stalled") {
      if (moves) this.#state = hasData ? "running" : "doubted";
      return moves ? "recovers" : "waits";
    }
    if (hasData) this.#state = "running";
    if (moves || hasData) return "runs";
    if (since === null || isPatient || !this.isDoubted) return "waits";
    this.#state = "stalled";
    return "stalls";
  }
}
