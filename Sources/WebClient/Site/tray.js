// The person's standing notifications, as the server tells them to this device.

import { parsedURL } from "./message-model.js";
import { MatineeError } from "./requests.js";

/** @typedef {import("./client.js").Client} Client */

/**
 * @typedef {object} Notification
 * @property {string} notification its identifier
 * @property {number} at an instant
 * @property {string} [collapseID]
 * @property {number} [expires] an instant
 * @property {{aps?: any, inv?: string, token?: string, session?: string, group?: string, from?: string, item?: {title?: string}, url?: any}} payload
 * @property {boolean} [new]
 * @property {boolean} [putAway]
 */

/**
 * What shows notifications while nobody sees the page.
 * @typedef {object} Background
 * @property {(one: Notification) => Promise<boolean>} show returns whether it does
 * @property {(notifications: string[]) => unknown} withdraw takes away what it shows of these
 */

/** How long an invitation waits before it is shown, in milliseconds: the page joins what it is offered. */
const settling = 1_000;
/** The standard action of a tap on a notification itself; Apple's name. */
const tap = "com.apple.UNNotificationDefaultActionIdentifier";
/** How many notifications are remembered as arrived: several times what a tray holds, as in Swift. */
const memory = 512;

/** @param {Notification} one @returns {{title: string, subtitle: string, body: string}} what it says */
export function saidBy({ payload }) {
  const alert = payload.aps?.alert;
  if (typeof alert === "string") return { title: "", subtitle: "", body: alert };
  return { title: alert?.title ?? "", subtitle: alert?.subtitle ?? "", body: alert?.body ?? "" };
}

/**
 * Where a tap leads, by the rule of `placeOf` in service-worker.js.
 * @param {Notification} one @param {string} origin of this page @returns {string | undefined} a URL
 */
export function placeOf({ payload }, origin) {
  if (typeof payload.url !== "string") return undefined;
  const place = parsedURL(payload.url, origin);
  if (place?.origin !== origin || !place.protocol.startsWith("http")) return undefined;
  place.hash = "";
  return place.href;
}

/** @param {Notification} one @returns {boolean} whether it asks a question */
export function isInvitation({ payload }) {
  return payload.aps?.category === "GROUP_WATCH_INVITE" && payload.inv !== undefined;
}

/** @param {Notification} one @returns {boolean} whether it has something to show; others are for apps alone */
function isForPerson({ payload }) { return payload.aps?.alert != null; }

/**
 * Registers the device with each server that does not know it, keeps what stands, and acknowledges
 * what arrives. Events on the client: `tray` (the notifications to list, the newest first) and
 * `announcement` (a new one for the page to show; `background` shows those of a hidden page).
 */
export class Tray {
  #client;
  /** @type {Notification[]} those for people that stand, the oldest first */ #all = [];
  /** @type {Map<string, Promise<string>>} what became of those that arrived, the oldest first */ #arrived = new Map();
  /** @type {unknown} a browser's subscription */ #webPush = null;
  /** Whether this server was asked to register the device. */ #isAsked = false;
  /** Whether this server was told again what the person follows. */ #isFollowing = true;
  /** Whether the server has told this page what stood before it came. */ #isListed = false;
  /** @type {string | null} the group whose sessions this page was told to let invite the person */ #follows = null;
  isAvailable = false;
  /** @type {Background | null} */ background = null;

  /** @param {Client} client */
  constructor(client) {
    this.#client = client;
    const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ hear) =>
      client.addEventListener(name, (event) => hear(/** @type {CustomEvent} */ (event).detail));
    on("group", (group) => { if (group !== null) void this.#wishAnew(); });
    on("notifications", (line) => {
      const isFirst = !this.#isListed;
      this.#isListed = true;
      this.#set(line.notifications);
      // To the server a new tab is a new device: what stood before it came is only listed.
      for (const one of line.notifications) if (one.new) void this.#arrive(one, isFirst);
    });
    on("notification", (line) => {
      this.#set([...this.#all.filter((one) => one.notification !== line.notification
        && (line.collapseID === undefined || one.collapseID !== line.collapseID)), line]);
      void this.#arrive(line);
    });
    on("notificationsRevoked", (line) => this.#drop(line.notifications));
  }

  /** @returns {string} of the server's WebSocket */
  get url() { return this.#client.url; }

  /** @returns {Notification[]} those for people, the newest first */
  get listed() { return [...this.#all].reverse(); }

  /**
   * A server that did not resume the connection gets the registration: notifications are the person's, in a group
   * or not. What the person follows it gets again once the group is back.
   * @param {{resumed?: boolean}} welcome
   */
  enter({ resumed }) {
    if (resumed) return;
    this.#isFollowing = false;
    void this.register();
  }

  /** A server that does not know the device may have forgotten what the person follows, too. */
  async #wishAnew() {
    if (!this.#isAsked) await this.register();
    if (this.#isFollowing || this.#follows === null || this.#follows !== this.#client.group?.id) return;
    this.#isFollowing = true;
    await this.followGroup(true).catch(() => {});
  }

  /** @param {unknown} [webPush] as `PushSubscription.toJSON()` has it */
  async register(webPush = this.#webPush) {
    [this.#webPush, this.#isAsked] = [webPush, true];
    try {
      await this.#client.request("registerForNotifications", webPush === null ? {} : { webPush });
      this.isAvailable = true;
    } catch (error) {
      // A server without notifications is no fault. After any other refusal the next `group` or welcome asks again.
      const hasNone = error instanceof MatineeError && error.code === "notificationsUnavailable";
      [this.isAvailable, this.#isAsked] = [false, hasNone];
    }
    this.#set(this.#all);
    return this.isAvailable;
  }

  /** Whether a push service tells this browser, too. */
  get isPushed() { return this.isAvailable && this.#webPush !== null; }

  /**
   * Lets the group's sessions invite the person while no page of theirs is in it, or not any more.
   * @param {boolean} isOn
   */
  async followGroup(isOn) {
    const group = this.#client.group?.id;
    // A name with a slash has no topic.
    if (group === undefined || group.includes("/")) return;
    await this.#client.request(isOn ? "subscribe" : "unsubscribe", { topic: `group/${group}` });
    this.#follows = isOn ? group : null;
  }

  /** Asks for all of them again. */
  refresh() { return this.#client.request("listNotifications"); }

  /** @param {Notification} one an invitation @param {boolean} accepts @returns {Promise<any>} */
  answer(one, accepts) { return this.respond(one, accepts ? "ACCEPT_IDENTIFIER" : "DECLINE_IDENTIFIER"); }

  /**
   * Tells the server how the person responded, and lists the notification no longer.
   * @param {Notification} one
   * @param {string} [action] of its category; a tap on the notification itself if absent
   * @param {string} [text] that the person wrote
   * @returns {Promise<any>}
   */
  async respond(one, action = tap, text) {
    const { notification } = one;
    const answered = await this.#client.request("reportNotification", { notification, report: "responded", action, text });
    this.#drop([notification]);
    return answered;
  }

  /** @param {Notification[]} some from all of the person's devices */
  async remove(some) {
    const notifications = some.map((one) => one.notification);
    await this.#client.request("removeNotifications", { notifications });
    this.#drop(notifications);
  }

  /**
   * Shows what has arrived, and tells the server what became of it. One that comes again is not
   * shown again, but acknowledged, because the server did not hear of it the first time.
   * @param {Notification} one @param {boolean} [isListed] whether it is only listed, and not shown
   */
  async #arrive(one, isListed = false) {
    const { notification } = one;
    const earlier = this.#arrived.get(notification);
    const outcome = earlier?.then(() => "alreadyDelivered") ?? this.#show(one, isListed);
    if (earlier === undefined) this.#arrived.set(notification, outcome);
    if (this.#arrived.size > memory) this.#arrived.delete(this.#arrived.keys().next().value);
    const result = await outcome;
    this.#client.request("reportNotification", { notification, report: "acknowledged", result }).catch(() => {});
  }

  /** @param {Notification} one @param {boolean} isListed @returns {Promise<string>} what the server hears of it */
  async #show(one, isListed) {
    if (!isForPerson(one)) return "noData";
    if (isListed) return "notPresented";
    if (isInvitation(one)) await new Promise((settled) => setTimeout(settled, settling));
    // Whoever already watches, or answered elsewhere, needs no invitation.
    const stands = this.#all.some((other) => other.notification === one.notification);
    if (!stands || (one.payload.session !== undefined && one.payload.session === this.#client.session?.id)) return "notPresented";
    const isHidden = document.hidden;
    if (isHidden && await this.background?.show(one).catch(() => false)) return "presented";
    this.#client.dispatchEvent(new CustomEvent("announcement", { detail: one }));
    return isHidden ? "notPresented" : "presented";
  }

  /** @param {string[]} notifications */
  #drop(notifications) { this.#set(this.#all.filter((one) => !notifications.includes(one.notification))); }

  /** @param {Notification[]} all that stand */
  #set(all) {
    const before = this.#all;
    this.#all = all.filter(isForPerson);
    const gone = before.filter((one) => !this.#all.some((other) => other.notification === one.notification));
    if (gone.length > 0) this.background?.withdraw(gone.map((one) => one.notification));
    this.#client.dispatchEvent(new CustomEvent("tray", { detail: this.listed }));
  }
}
