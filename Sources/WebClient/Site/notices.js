// What the server has to hear of a person's messages: kept until it is answered, and told in order.

import { MatineeError } from "./requests.js";

/** @typedef {import("./connection.js").Connection} Connection */

/** Enough for a busy app that is offline for a week, as in Swift. */
const limit = 1_000;

export class Notices {
  #connection;
  /** Identifies this run: a new one means that the stack of the one before is gone. */
  #epoch = Math.floor(Math.random() * 2 ** 52);
  #sequence = 0;
  #hasLaunched = false;
  /** Whether the server has in-app messages; false after it refused them. */
  #isAvailable = true;
  /** @type {{line: Record<string, unknown>, type: string}[]} not answered yet */ #outbox = [];
  #isSending = false;

  /** @param {Connection} connection */
  constructor(connection) { this.#connection = connection; }

  get isAvailable() { return this.#isAvailable; }

  /**
   * Tells the server what it has to know after each welcome.
   * @param {boolean} isVisible @param {string[]} messages that are here
   */
  async enter(isVisible, messages) {
    this.#isAvailable = true;
    await this.tellVisible(isVisible);
    if (messages.length > 0) await this.#ask("revalidateMessages", { messages: messages.slice(0, 64) });
    void this.#flush();
  }

  /** @param {boolean} isVisible whether a message would be seen now */
  async tellVisible(isVisible) {
    if (!this.#connection.isOnline || !this.#isAvailable) return;
    const change = this.#hasLaunched || !isVisible ? undefined : "launch";
    if (change !== undefined) this.#sequence += 1;
    this.#hasLaunched ||= isVisible;
    await this.#ask("appState", {
      visible: isVisible, change, epoch: this.#epoch,
      sequence: change === undefined ? undefined : this.#sequence, app: "matinee-web",
      capabilities: ["groupWatch"] });
  }

  /**
   * Notices arrive in order: the server takes a lower number for a repeat.
   * @param {string} type @param {Record<string, unknown>} fields
   */
  tell(type, fields) {
    if (!this.#isAvailable) return;
    this.#sequence += 1;
    this.#outbox.push({ type, line: { ...fields, sequence: this.#sequence } });
    if (this.#outbox.length > limit) this.#outbox.shift();
    void this.#flush();
  }

  async #flush() {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#outbox[0]; next !== undefined; next = this.#outbox[0]) {
      if (!(await this.#ask(next.type, next.line))) break;
      if (this.#outbox[0] === next) this.#outbox.shift();
    }
    this.#isSending = false;
  }

  /**
   * @param {string} type @param {Record<string, unknown>} fields
   * @returns {Promise<boolean>} whether the server has it, or will never take it
   */
  async #ask(type, fields) {
    try {
      await this.#connection.request(type, fields);
      return true;
    } catch (error) {
      if (!(error instanceof MatineeError)) throw error;
      if (error.code !== "messagingUnavailable") return !["timedOut", "forgotten", "closed"].includes(error.code);
      [this.#isAvailable, this.#outbox.length] = [false, 0];
      return false;
    }
  }
}
