// Who is here, how each of them is doing, and the link that brings others.

import { View, icon, make, toast } from "./dom.js";
import { makeLink } from "./identity.js";
import { text } from "./texts.js";

/** @typedef {import("./mirror.js").Participant} Participant */

/** Below this, in µs, nobody sees that two players are apart. */
const unnoticed = 40_000;
/** How often the others' positions are asked for, in milliseconds. */
const placesInterval = 5_000;

/** The members of the group, each with what their player does. */
export class PeopleView extends View {
  /** @type {Map<string, number>} µs ahead of the group, by participant */ #places = new Map();
  #timer = 0;

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    this.#timer = window.setInterval(() => void this.#askPlaces(), placesInterval);
  }

  disconnectedCallback() { window.clearInterval(this.#timer); }

  /** Tells the link of the group, with its key. */
  get link() {
    const client = this.client;
    return makeLink(location.origin, client?.group?.id ?? "", client?.groupKey ?? undefined);
  }

  async #askPlaces() {
    const client = this.client;
    if (client?.session === null || client?.isOnline !== true || document.hidden) return;
    try {
      const status = await client.request("status");
      this.#places = new Map(status.places.map(
        (/** @type {any} */ one) => [one.participant, one.offset]));
      this.drawSoon();
    } catch {
      // The next time will do: these figures are for show.
    }
  }

  /** @override */
  draw() {
    const group = this.client?.group;
    if (!group) return this.put();
    const session = this.client?.session;
    const taking = [...(session?.participants.values() ?? [])].filter((one) => !one.keeper)
      .sort((a, b) => Number(b.participant === session?.me) - Number(a.participant === session?.me)
        || (a.joinedAt ?? 0) - (b.joinedAt ?? 0));
    const others = [...group.members.values()].filter((member) => !member.keeper
      && !taking.some((one) => one.device === member.device));
    this.put(
      make("h2", {}, text("people"), make("span", { class: "count" }, String(taking.length + others.length))),
      make("ul", { class: "people" },
        ...taking.map((one) => this.#row(one.name, one.participant === session?.me, ...this.#state(one), one.role)),
        ...others.map((one) => this.#row(one.name, one.device === this.client?.welcome?.device,
          one.lostUntil === undefined ? "" : text("away"), one.lostUntil === undefined ? "here" : "away"))),
      make("button", { type: "button", class: "invite", "data-key": "copy", onclick: () => void this.copy() },
        icon("link"), text("copyLink")),
      make("p", { class: "hint" }, text("inviteHint")));
  }

  /** @param {string} name @param {boolean} isOwn @param {string} state @param {string} look @param {string} [role] */
  #row(name, isOwn, state, look, role) {
    const marks = [isOwn ? text("you") : "", role === "host" || role === "coHost" || role === "listener" ? text(role) : ""]
      .filter((mark) => mark !== "").join(" · ");
    return make("li", {},
      make("span", { class: "face", "aria-hidden": "true" }, [...name.toUpperCase()][0] ?? "?"),
      make("span", { class: "who" }, make("span", { class: "name" }, name),
        marks === "" ? null : make("span", { class: "marks" }, marks)),
      make("span", { class: `state ${look}` }, state));
  }

  /** @param {Participant} one @returns {[string, string]} in words, and how it looks */
  #state(one) {
    const session = this.client?.session;
    if (!session) return ["", "here"];
    if (one.lostUntil !== undefined) return [text("away"), "away"];
    if (one.suspensions.length > 0) return [text("waits"), "waits"];
    if (one.item === undefined) return [session.item === undefined ? "" : text("loading"), "waits"];
    if (one.item !== session.item) return [text("elsewhere"), "waits"];
    const timeline = session.timeline;
    if (timeline?.phase === "preparing") {
      return one.readySeq === timeline.seq ? [text("ready"), "good"] : [text("loading"), "waits"];
    }
    if (timeline?.phase !== "playing") {
      return one.ready === true ? [text("ready"), "good"] : one.ready === false ? [text("notReady"), "here"]
        : [text("paused"), "here"];
    }
    const offset = this.#places.get(one.participant);
    if (offset === undefined) return [text("watching"), "good"];
    if (Math.abs(offset) <= unnoticed) return [text("inSync"), "good"];
    const ms = Math.round(Math.abs(offset) / 1000);
    return [text(offset > 0 ? "ahead" : "behind", { ms }), "waits"];
  }

  /** Puts the link on the clipboard, or shows it. */
  async copy() {
    try {
      await navigator.clipboard.writeText(this.link);
      toast(text("copied"));
    } catch {
      // Without a secure page there is no clipboard; then the link is shown to be copied by hand.
      window.prompt(text("inviteHint"), this.link);
    }
  }
}

customElements.define("m-people", PeopleView);
