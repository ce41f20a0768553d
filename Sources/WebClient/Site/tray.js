// The person's standing notifications, as the server tells them to this device.

/** @typedef {import("./client.js").Client} Client */

/**
 * @typedef {object} Notification
 * @property {string} notification its identifier
 * @property {number} at an instant
 * @property {string} [collapseID]
 * @property {number} [expires] an instant
 * @property {{aps?: any, inv?: string, token?: string, session?: string, from?: string, item?: {title?: string}}} payload
 * @property {boolean} [new]
 * @property {boolean} [putAway]
 */

/** @param {Notification} one @returns {{title: string, body: string}} what it says */
export function saidBy({ payload }) {
  const alert = payload.aps?.alert;
  if (typeof alert === "string") return { title: "", body: alert };
  return { title: alert?.title ?? "", body: alert?.body ?? "" };
}

/** @param {Notification} one @returns {boolean} whether it asks a question */
export function isInvitation({ payload }) {
  return payload.aps?.category === "GROUP_WATCH_INVITE" && payload.inv !== undefined;
}

/**
 * Registers the device after each new welcome, and keeps what stands. Events on the client: `tray`
 * (the notifications to list, the newest first) and `announcement` (a new one).
 */
export class Tray {
  #client;
  /** @type {Notification[]} */ #all = [];
  /** @type {unknown} a browser's subscription */ #webPush = null;
  #isAsked = false;
  isAvailable = false;

  /** @param {Client} client */
  constructor(client) {
    this.#client = client;
    const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ hear) =>
      client.addEventListener(name, (event) => hear(/** @type {CustomEvent} */ (event).detail));
    on("group", (group) => { if (group !== null && !this.#isAsked) void this.register(); });
    on("notifications", (line) => this.#set(line.notifications));
    on("notification", (line) => {
      this.#set([...this.#all.filter((one) => one.notification !== line.notification
        && (line.collapseID === undefined || one.collapseID !== line.collapseID)), line]);
      this.#announce(line);
    });
    on("notificationsRevoked", (line) =>
      this.#set(this.#all.filter((one) => !line.notifications.includes(one.notification))));
  }

  /** @returns {Notification[]} those for people, the newest first */
  get listed() { return this.#all.filter((one) => one.payload.aps?.alert != null).reverse(); }

  /** @param {unknown} [webPush] as `PushSubscription.toJSON()` has it */
  async register(webPush = this.#webPush) {
    [this.#webPush, this.#isAsked] = [webPush, true];
    try {
      await this.#client.request("registerForNotifications", webPush === null ? {} : { webPush });
      this.isAvailable = true;
    } catch {
      // A server without notifications is no fault.
      this.isAvailable = false;
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
  }

  /** Asks for all of them again. */
  refresh() { return this.#client.request("listNotifications"); }

  /** @param {Notification} one @param {boolean} accepts @returns {Promise<any>} */
  async answer(one, accepts) {
    const answered = await this.#client.request("reportNotification", { notification: one.notification, report: "responded",
      action: accepts ? "ACCEPT_IDENTIFIER" : "DECLINE_IDENTIFIER" });
    this.#set(this.#all.filter((other) => other !== one));
    return answered;
  }

  /** @param {Notification[]} some from all of the person's devices */
  async remove(some) {
    const notifications = some.map((one) => one.notification);
    await this.#client.request("removeNotifications", { notifications });
    this.#set(this.#all.filter((one) => !notifications.includes(one.notification)));
  }

  /** @param {Notification} one */
  #announce(one) {
    this.#client.request("reportNotification", { notification: one.notification, report: "acknowledged", result: "presented" })
      .catch(() => {});
    if (one.payload.aps?.alert != null) this.#client.dispatchEvent(new CustomEvent("announcement", { detail: one }));
  }

  /** @param {Notification[]} all */
  #set(all) {
    this.#all = all;
    this.#client.dispatchEvent(new CustomEvent("tray", { detail: this.listed }));
  }
}
