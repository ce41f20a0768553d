// The app's credential: shown at each hello, and renewed before it ends.

import { hostNow } from "./clock.js";
import { backOff } from "./connection.js";
import { MatineeError } from "./requests.js";

const seconds = 1_000_000;
/** A credential that lasted for this long resets the back-off. */
const proof = 5 * seconds;

/**
 * When the app is asked for a newer credential: a value without a clock.
 *
 * The server says once when one ends. From then on the app is asked, with growing pauses, until it has given
 * another one or the old one has ended; the next hello asks it anyway.
 */
export class Renewal {
  /** @type {string | undefined} what the server was shown last */ #shown;
  /** @type {string | undefined} what the server takes no longer, although its leeway may */ #spent;
  /** @type {number | null} when that one ends */ #end = null;
  /** @type {number | null} when the app is to be asked */ #due = null;
  #attempts = 0;
  #shownAt = -Infinity;

  /** @returns {number | null} the host time at which `isDue` */
  get nextDeadline() { return this.#due; }

  /** @param {string | undefined} credential @param {number} now */
  noteShown(credential, now) {
    [this.#shown, this.#shownAt, this.#end, this.#due] = [credential, now, null, null];
  }

  /** @param {number} end @param {number} now */
  hearEnd(end, now) {
    this.#end = end;
    // Of credentials that are shorter than the server's notice, it speaks at once, again and again.
    if (now - this.#shownAt >= proof) this.#attempts = 0;
    this.#due = this.#attempts === 0 ? now : now + backOff(this.#attempts);
  }

  /** The server has ended the connection for the sake of the shown one; the next hello asks the app. */
  expire() { [this.#spent, this.#due] = [this.#shown, null]; }

  /** @param {string | undefined} credential @returns {boolean} whether a connection has ended with this one */
  isSpent(credential) { return credential !== undefined && credential === this.#spent; }

  /** @param {number} now @returns {boolean} whether the app is to be asked now, which it then is */
  takeDue(now) {
    if (this.#due === null || now < this.#due) return false;
    this.#due = null;
    this.#attempts += 1;
    return true;
  }

  /** @param {string | undefined} credential that the app gave @returns {boolean} whether it is another one */
  isNew(credential) { return credential !== undefined && credential !== "" && credential !== this.#shown; }

  /** @param {number} now after which the app is asked once more, if there is time left */
  fail(now) {
    const due = now + backOff(this.#attempts);
    this.#due = this.#end !== null && due < this.#end ? due : null;
  }
}

/** Asks the app, and shows the server what it gives. */
export class Credential {
  #ask;
  #show;
  #complain;
  #renewal = new Renewal();
  #timer = 0;
  #isClosed = false;
  /** Whether the app knows that the shown one has ended; it is told once. */
  #isTold = false;

  /**
   * @param {() => string | undefined | Promise<string | undefined>} ask the app's
   * @param {(credential: string) => Promise<unknown>} show it to the server
   * @param {(error: unknown) => void} complain to the app
   */
  constructor(ask, show, complain) {
    this.#ask = ask;
    this.#show = show;
    this.#complain = complain;
  }

  /**
   * What the next hello shows.
   * @throws {MatineeError} if the app still has only the one that has ended: the next attempt asks it again
   */
  async forHello() {
    const credential = await this.#ask();
    if (this.#renewal.isSpent(credential)) {
      const error = new MatineeError("credentialExpired", "the app has no newer credential");
      if (!this.#isTold) this.#complain(error);
      this.#isTold = true;
      throw error;
    }
    this.#renewal.noteShown(credential, hostNow());
    this.#arm();
    return credential;
  }

  /** @param {number} end when the server takes the shown one no longer, in host time */
  hearEnd(end) {
    this.#renewal.hearEnd(end, hostNow());
    this.#arm();
  }

  /** The server has ended the connection because the shown one has ended. */
  expire() {
    this.#renewal.expire();
    this.#isTold = false;
    this.#arm();
  }

  /** Shows the server what the app has now. @returns {Promise<boolean>} whether the server took it */
  async renew() {
    let isTaken = false;
    try {
      const credential = await this.#ask();
      if (this.#isClosed) return false;
      if (credential !== undefined && this.#renewal.isNew(credential)) {
        await this.#show(credential);
        this.#renewal.noteShown(credential, hostNow());
        isTaken = true;
      }
    } catch (error) {
      // Without a connection nothing is wrong with it: the next hello asks the app.
      if (error instanceof MatineeError && error.code === "superseded") return false;
      if (!this.#isClosed) this.#complain(error);
    }
    if (!isTaken) this.#renewal.fail(hostNow());
    this.#arm();
    return isTaken;
  }

  /** Asks for nothing any more. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #arm() {
    clearTimeout(this.#timer);
    const due = this.#renewal.nextDeadline;
    if (due === null || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      if (this.#renewal.takeDue(hostNow())) void this.renew();
      else this.#arm();
    }, Math.max((due - hostNow()) / 1000, 0));
  }
}
