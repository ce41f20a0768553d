// In-app messages: which one is on screen, which ones wait, and what the server hears of them.

import { MatineeError } from "./requests.js";

/**
 * A message to show, as the protocol has it.
 * @typedef {object} InAppMessage
 * @property {string} message
 * @property {string} kind
 * @property {number} [expires] an instant
 * @property {boolean} [seen]
 * @property {{type: string, header?: string, message?: string, icon?: string}} [body]
 * @property {Record<string, unknown>} [extras]
 * @property {{id: string, text: string, clickAction?: unknown}[]} [buttons]
 * @property {{after?: number | "never"}} [closing] µs
 * @property {string} [session] the session whose media it shows
 */

/** @typedef {import("./connection.js").Connection} Connection */

/**
 * Shows one message at a time. Events on `target`: `message` (the one to show, or null) and, for
 * the client, `click` (a click action) and `dismissal` (a session).
 *
 * The *player message* opens with a session and shows its media. Its dismissal is the person's wish
 * to be done with the session: `dismiss`, whose policy says whether the others go on.
 */
export class Presenter {
  #connection;
  #target;
  /** @type {InAppMessage[]} */ #stack = [];
  /** @type {InAppMessage | null} */ #visible = null;
  #epoch = Math.floor(Math.random() * 2 ** 52);
  #sequence = 0;
  #isAvailable = true;
  /** @type {{line: Record<string, unknown>, type: string}[]} reports not answered yet */ #outbox = [];
  #isSending = false;
  /** @type {Set<string>} messages of the page's own */ #local = new Set();

  /** @param {Connection} connection @param {EventTarget} target */
  constructor(connection, target) {
    this.#connection = connection;
    this.#target = target;
    document.addEventListener("visibilitychange", () => void this.#tellVisible());
  }

  get visible() { return this.#visible; }

  /** @param {string} session @returns {boolean} whether a message that shows it is open here */
  hosts(session) {
    return [this.#visible, ...this.#stack].some((one) => one?.session === session);
  }

  /**
   * The person closed the message that hosts a session, whether or not another one lies over it.
   * @param {string} session
   */
  dismissHost(session) {
    if (this.#visible?.session === session) return this.dismiss("closeButton");
    this.#stack = this.#stack.filter((one) => one.session !== session);
    this.#target.dispatchEvent(new CustomEvent("dismissal", { detail: session }));
  }

  /** Tells the server what it has to know after each welcome. */
  async enter() {
    this.#isAvailable = true;
    await this.#tellVisible(this.#sequence === 0 ? "launch" : undefined);
    const messages = [...this.#stack, this.#visible].flatMap((one) => (one && !this.#local.has(one.message) ? [one.message] : []));
    if (messages.length > 0) await this.#ask("revalidateMessages", { messages });
    void this.#flush();
  }

  /**
   * Logs an event of the app, which campaigns may react to.
   * @param {string} name @param {Record<string, unknown>} [properties]
   */
  log(name, properties) {
    this.#tell("logEvent", { name, properties });
  }

  /**
   * Shows a message of the page's own, of which the server hears nothing.
   * @param {InAppMessage} message
   */
  present(message) {
    this.#local.add(message.message);
    this.deliver(message);
  }

  /** @param {InAppMessage} message from the server */
  deliver(message) {
    const isKnown = [...this.#stack, this.#visible].some((one) => one?.message === message.message);
    if (isKnown) return;
    // A player message replaces the one before it: both show the same session.
    if (message.session !== undefined && this.#visible?.session === message.session) {
      this.#report(this.#visible, "dismissed", { reason: "replaced" });
      this.#visible = null;
    }
    if (message.kind === "control") return this.#report(message, "impression");
    this.#stack.push(message);
    if (this.#visible === null) this.#next(); else this.#report(message, "waiting");
  }

  /** @param {{message: string, force?: boolean}} revocation */
  revoke({ message, force }) {
    this.#stack = this.#stack.filter((one) => one.message !== message);
    if (this.#visible?.message !== message || force !== true) return;
    this.#report(this.#visible, "dismissed", { reason: "programmatic" });
    this.#next();
  }

  /**
   * The person closed the visible message.
   * @param {"closeButton" | "swipe" | "tapOutside" | "escape" | "action" | "automatic"} reason @param {string} [button]
   */
  dismiss(reason, button) {
    const message = this.#visible;
    if (message === null) return;
    this.#report(message, "dismissed", { reason, button });
    this.#visible = null;
    if (message.session !== undefined) {
      this.#target.dispatchEvent(new CustomEvent("dismissal", { detail: message.session }));
    }
    if (this.#visible === null) this.#next();
  }

  /** @param {{id: string, clickAction?: unknown}} button of the visible message */
  click(button) {
    const message = this.#visible;
    if (message === null) return;
    this.#report(message, "clicked", { button: button.id });
    this.dismiss("action", button.id);
    if (button.clickAction !== undefined) {
      this.#target.dispatchEvent(new CustomEvent("click", { detail: button.clickAction }));
    }
  }

  /** @param {string} session which is over: its messages go, and that is nobody's dismissal */
  endSession(session) {
    this.#stack = this.#stack.filter((one) => one.session !== session);
    if (this.#visible?.session !== session) return;
    this.#report(this.#visible, "dismissed", { reason: "sessionEnded" });
    this.#next();
  }

  #next() {
    this.#visible = this.#stack.shift() ?? null;
    if (this.#visible !== null) {
      this.#report(this.#visible, "started");
      if (this.#visible.seen !== true) this.#report(this.#visible, "impression");
    }
    this.#target.dispatchEvent(new CustomEvent("message", { detail: this.#visible }));
  }

  /** @param {InAppMessage} message @param {string} report @param {Record<string, unknown>} [more] */
  #report(message, report, more = {}) {
    if (this.#local.has(message.message)) return;
    this.#tell("reportMessage", { message: message.message, report, ...more });
  }

  /**
   * Reports arrive in order: the server takes a lower number for a repeat.
   * @param {string} type @param {Record<string, unknown>} fields
   */
  #tell(type, fields) {
    if (!this.#isAvailable) return;
    this.#sequence += 1;
    this.#outbox.push({ type, line: { ...fields, sequence: this.#sequence } });
    void this.#flush();
  }

  async #flush() {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#outbox[0]; next !== undefined; next = this.#outbox[0]) {
      if (!(await this.#ask(next.type, next.line))) break;
      this.#outbox.shift();
    }
    this.#isSending = false;
  }

  /** @param {string} [change] */
  async #tellVisible(change) {
    if (!this.#connection.isOnline || !this.#isAvailable) return;
    if (change !== undefined) this.#sequence += 1;
    await this.#ask("appState", {
      visible: !document.hidden, change, epoch: this.#epoch,
      sequence: change === undefined ? undefined : this.#sequence, app: "matinee-web",
      capabilities: ["groupWatch"] });
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
