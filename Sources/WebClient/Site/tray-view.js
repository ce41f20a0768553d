// The notifications of the person: a bell with their number, and a list to answer from.

import { View, icon, iconButton, make, redraw, toast } from "./dom.js";
import { complain } from "./faults.js";
import { background, canPush, resumePush, serverKey, startPush, stopPush, watchSubscription } from "./push.js";
import { language, text } from "./texts.js";
import { isInvitation, placeOf, saidBy } from "./tray.js";

/** @typedef {import("./tray.js").Notification} Notification */

/** @param {Notification} one @returns {{title: string, subtitle: string, body: string}} in the person's language, if it can be */
function words(one) {
  const said = saidBy(one);
  return isInvitation(one) && one.payload.from !== undefined ? { ...said, body: text("invitesYou", { name: one.payload.from }) } : said;
}

/** Shows a number on the app's icon on a home screen, in browsers that can.
 * @param {number} count */
function countOnIcon(count) { /** @type {any} */ (navigator).setAppBadge?.(count).catch(() => {}); }

/** A button, and the dialog that it opens. */
export class TrayView extends View {
  #dialog = make("dialog", { class: "card tray" });
  #button = iconButton("bell", "", () => this.#open());
  #count = make("span", { class: "badge" });
  /** @type {"on" | "off" | "unavailable"} */ #push = "unavailable";
  /** Whether it hears of subscriptions that the browser renews. */ #isWatching = false;
  /** @type {(group: string) => void} shows another group's page */ ongroup = () => {};

  /** @override */
  get causes() { return ["tray", "announcement", "session"]; }

  /** @override */
  set client(client) {
    super.client = client;
    if (client) client.tray.background = background;
    client?.addEventListener("announcement", (event) => this.#tell(/** @type {CustomEvent} */ (event).detail));
    let isAsked = false;
    client?.addEventListener("tray", () => {
      if (isAsked || client.tray.isAvailable !== true) return;
      isAsked = true;
      void this.#resume();
      if (this.#isWatching || !canPush()) return;
      this.#isWatching = true;
      watchSubscription(() => void this.#resume());
    });
  }

  /** @override */
  get client() { return super.client; }

  /** @override */
  draw() {
    const tray = this.client?.tray;
    this.hidden = tray?.isAvailable !== true;
    countOnIcon(this.hidden ? 0 : tray?.listed.length ?? 0);
    if (tray === undefined || this.hidden) return this.#dialog.close();
    if (this.childElementCount === 0) this.append(this.#button, this.#dialog);
    const listed = tray.listed;
    const label = text("notifications", { count: listed.length });
    this.#button.title = label;
    this.#button.setAttribute("aria-label", label);
    this.#count.textContent = listed.length === 0 ? "" : String(listed.length);
    this.#button.replaceChildren(icon("bell"), this.#count);
    this.#drawDialog(listed);
  }

  /** @param {Notification[]} listed */
  #drawDialog(listed) {
    this.#dialog.setAttribute("aria-label", text("notificationsTitle"));
    redraw(this.#dialog,
      make("div", { class: "head" }, make("h2", {}, text("notificationsTitle")),
        this.#close()),
      listed.length === 0 ? make("p", { class: "hint" }, text("notificationsEmpty"))
        : make("ul", { class: "notices" }, ...listed.map((one) => this.#row(one))),
      ...(listed.length < 2 ? [] : [make("button", { type: "button", "data-key": "clear", onclick: () => this.#remove(listed) }, text("clear"))]),
      ...this.#pushChoice());
  }

  #close() {
    const close = iconButton("close", text("close"), () => this.#dialog.close());
    close.dataset.key = "close";
    return close;
  }

  /** @param {Notification} one */
  #row(one) {
    const { title, subtitle, body } = words(one);
    const shown = title === "" ? "Matinee" : title;
    const place = placeOf(one, location.origin);
    const when = new Intl.DateTimeFormat(language(), { dateStyle: "short", timeStyle: "short" }).format(one.at / 1000);
    const remove = iconButton("close", text("removeNotice", { title }), () => this.#remove([one]));
    remove.dataset.key = `remove ${one.notification}`;
    return make("li", {},
      make("div", { class: "head" }, place === undefined ? make("b", {}, shown) : make("a", { href: place, "data-key": `open ${one.notification}` }, shown),
        remove),
      ...[subtitle, body].filter((line) => line !== "").map((line) => make("p", {}, line)), make("p", { class: "hint" }, when),
      isInvitation(one) ? make("div", { class: "line" },
        make("button", { type: "button", class: "primary", "data-key": `accept ${one.notification}`,
          onclick: () => void this.#answer(one, true) }, text("accept")),
        make("button", { type: "button", "data-key": `decline ${one.notification}`,
          onclick: () => void this.#answer(one, false) }, text("decline"))) : null);
  }

  #pushChoice() {
    if (this.#push === "unavailable") return [];
    const field = make("input", { type: "checkbox", id: "push", "data-key": "push", checked: this.#push === "on",
      onchange: () => void this.#switch(field.checked) });
    return [make("label", { class: "switch", for: "push" }, field, text("pushMe"))];
  }

  #open() {
    this.draw();
    this.#dialog.showModal();
    void this.client?.tray.refresh().catch(() => {});
  }

  async #resume() {
    if (!canPush()) return;
    try {
      const { tray } = /** @type {import("./client.js").Client} */ (this.client);
      const isOn = await resumePush(tray, language());
      this.#push = isOn ? "on" : await serverKey(tray) === null ? "unavailable" : "off";
      this.drawSoon();
    } catch {
      // Without a worker, or without the server's key, the bell is enough.
    }
  }

  /** @param {boolean} isOn */
  async #switch(isOn) {
    const tray = this.client?.tray;
    if (tray === undefined) return;
    try {
      const outcome = isOn ? await startPush(tray, language()) : (await stopPush(tray), "off");
      this.#push = outcome === "on" ? "on" : "off";
      if (outcome === "denied") toast(text("pushDenied"));
    } catch (error) {
      complain(error);
    }
    this.drawSoon();
  }

  /** @param {Notification} one @param {boolean} accepts */
  async #answer(one, accepts) {
    try {
      const answer = await this.client?.tray.answer(one, accepts);
      this.#dialog.close();
      const group = one.payload.aps?.["thread-id"];
      // Whoever accepts in another group is expected there.
      if (accepts && answer.participant === undefined && typeof group === "string" && group !== this.client?.group?.id) this.ongroup(group);
    } catch (error) {
      complain(error);
    }
  }

  /** @param {Notification[]} some */
  #remove(some) { void this.client?.tray.remove(some).catch(complain); }

  /** @param {Notification} one which has just come */
  #tell(one) {
    const { title, subtitle, body } = words(one);
    toast([title, subtitle, body].filter((part) => part !== "").join(": "));
  }
}

customElements.define("m-tray", TrayView);
