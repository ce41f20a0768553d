// What the server has to hear of a person's messages: kept until it is answered, and told in order.

import { MatineeError } from "./requests.js";

/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {{type: string, fields: Record<string, unknown>, sequence: number}} Notice */

/** Enough for a busy app that is offline for a week, as in Swift. */
const limit = 1_000;
/** How long a notice waits for room among the requests, ms: about as long as the server makes one of them wait. */
const roomPause = 1_000;
/** The notice that everything known of the person is to be deleted. */
const wipe = "wipeMessaging";

/**
 * Sends one notice at a time: the server takes a lower number for a repeat, so none may overtake
 * another. The first notice of a connection follows an `appState`, or is one, because only that
 * names the epoch in which the numbers count. The rules are those of `Outbox` in Swift.
 */
export class Notices {
  #connection;
  /** What the app says of itself. */ #settings;
  /** Identifies this run: a new one means that the stack of the one before is gone. */
  #epoch = Math.floor(Math.random() * 2 ** 52);
  #sequence = 0;
  #hasLaunched = false;
  /** Whether the server has in-app messages; false after it refused them. */
  #isAvailable = true;
  /** Whether a message would be seen now. */ #isVisible = false;
  /** @type {boolean | null} what the server was told of that on this connection */ #toldVisible = null;
  /** @type {Notice[]} not answered yet, the oldest first */ #outbox = [];
  /** @type {Notice | null} the one whose answer is pending */ #sent = null;

  /** @param {Connection} connection @param {import("./surroundings.js").PresenterSettings} settings */
  constructor(connection, settings) {
    this.#connection = connection;
    this.#settings = settings;
    connection.addEventListener("state", (event) => {
      if (/** @type {CustomEvent} */ (event).detail.state !== "online") this.#toldVisible = null;
    });
  }

  /**
   * Sends what waits after a welcome, and asks about the messages that are here.
   * @param {string[]} messages
   */
  enter(messages) {
    this.#isAvailable = true;
    this.#send();
    if (messages.length > 0) void this.#ask("revalidateMessages", { messages: messages.slice(0, 64) });
  }

  /**
   * Tells the launch once messages can be seen, then each coming back in sight and each going.
   * @param {boolean} isVisible whether a message would be seen now
   */
  noteVisible(isVisible) {
    if (isVisible === this.#isVisible) return;
    this.#isVisible = isVisible;
    if (!isVisible) return this.#send();
    const change = this.#hasLaunched ? "foreground" : "launch";
    this.#hasLaunched = true;
    this.tell("appState", { change });
  }

  /** @param {string} type @param {Record<string, unknown>} [fields] */
  tell(type, fields = {}) {
    if (!this.#isAvailable) return;
    this.#sequence += 1;
    this.#outbox.push({ type, fields, sequence: this.#sequence });
    if (this.#outbox.length > limit) this.#dropOldest();
    this.#send();
  }

  /** Tells that everything known of the person is to be deleted, in place of what waits. */
  wipe() {
    this.#outbox = this.#outbox.filter((one) => one === this.#sent);
    this.tell(wipe);
  }

  /**
   * Tells no more what a session that is over enqueued: a message that opens with it would come too late.
   * @param {string} name of the event @param {string} session
   */
  forgetMedia(name, session) {
    this.#outbox = this.#outbox.filter((one) => one === this.#sent || one.fields.name !== name
      || /** @type {any} */ (one.fields.properties)?.session !== session);
  }

  /** A wipe is never dropped, nor what is on its way, because it may have arrived. */
  #dropOldest() {
    const oldest = this.#outbox.findIndex((one) => one !== this.#sent && one.type !== wipe);
    if (oldest >= 0) this.#outbox.splice(oldest, 1);
  }

  /** Sends the visibility if the server does not know it, and the next notice if no answer is pending. */
  #send() {
    if (!this.#connection.isOnline || !this.#isAvailable) return;
    const next = this.#sent === null ? this.#outbox[0] : undefined;
    // A client that shows nothing says nothing until it has a notice.
    const isUntold = this.#toldVisible !== this.#isVisible
      && (next !== undefined || this.#isVisible || this.#toldVisible !== null);
    const isState = next?.type === "appState";
    if (isState || isUntold) this.#toldVisible = this.#isVisible;
    if (isUntold && !isState) void this.#tellState();
    if (next !== undefined) void this.#deliver(next);
  }

  /** Sends the app's state, and once more, as it is then, if the server could not store it in time. */
  async #tellState() {
    let isTold = false;
    do {
      isTold = await this.#ask("appState", this.#state);
      // Without a connection, the next one tells it anew.
    } while (!isTold && this.#isAvailable && this.#connection.isOnline);
  }

  /** @param {Notice} notice */
  async #deliver(notice) {
    const { type, fields, sequence } = notice;
    this.#sent = notice;
    const state = type === "appState" ? this.#state : {};
    const isSettled = await this.#ask(type, { ...state, ...fields, sequence });
    this.#sent = null;
    if (isSettled && this.#outbox[0] === notice) this.#outbox.shift();
    this.#send();
  }

  /** @returns {Record<string, unknown>} the app's state on this device, as it is now */
  get #state() {
    const { app, version, capabilities } = this.#settings;
    return { visible: this.#isVisible, epoch: this.#epoch, app, version, capabilities };
  }

  /**
   * @param {string} type @param {Record<string, unknown>} fields
   * @returns {Promise<boolean>} whether the server has it, or will never take it
   */
  async #ask(type, fields) {
    try {
      await this.#connection.requestNotice(type, fields);
      return true;
    } catch (error) {
      if (!(error instanceof MatineeError)) throw error;
      if (error.code === "tooManyRequests") {
        await new Promise((end) => { setTimeout(end, roomPause); });
        return false;
      }
      if (error.code !== "messagingUnavailable") return !["timedOut", "forgotten", "closed"].includes(error.code);
      [this.#isAvailable, this.#outbox] = [false, []];
      return false;
    }
  }
}
