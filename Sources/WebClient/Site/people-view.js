// Who is here, how each of them is doing, and the link that brings others.

import { deedsAbout, deedsAside, deedsInGroup } from "./deeds.js";
import { View, icon, iconButton, make, toast } from "./dom.js";
import { complain } from "./faults.js";
import { showLink } from "./link-view.js";
import { openMenu } from "./menu.js";
import { text } from "./texts.js";
import { choiceOf, keepChoice } from "./waiting-policy.js";

/** @typedef {import("./mirror.js").Participant} Participant */

/** @type {Record<string, import("./texts.js").TextName>} why somebody does not watch along, if it is more than a moment */
const pauses = {
  coordinatedPlaybackNotPossible: "cannotPlay", userActionRequired: "hasToTap", audioSessionInterrupted: "interrupted" };
/** Below this, in µs, nobody sees that two players are apart. */
const unnoticed = 40_000;
/** How often the others' positions are asked for, in milliseconds. */
const placesInterval = 5_000;

/**
 * Which names need the user beside them: anybody may choose a name that looks like another's.
 * @param {{name: string, user: string}[]} people @returns {(one: {name: string, user: string}) => boolean}
 */
function lookAlikes(people) {
  // Characters of format, as those of no width, are not seen.
  const looks = (/** @type {string} */ name) => name.replace(/\p{Cf}/gu, "");
  /** @type {Map<string, Set<string>>} */
  const users = new Map();
  for (const { name, user } of people) users.set(looks(name), new Set(users.get(looks(name))).add(user));
  return ({ name }) => (users.get(looks(name))?.size ?? 0) > 1;
}

/** @param {string} user @returns {string} with the characters that nobody sees escaped, as in JSON */
function seen(user) {
  return user.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => one.split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""));
}

/** The members of the group, each with what their player does. */
export class PeopleView extends View {
  /** @type {Map<string, number>} µs ahead of the group, by participant */ #places = new Map();
  /** Whether another shows the same name. */ #isLookAlike = lookAlikes([]);
  #timer = 0;
  /** What the fields of those who steer say; they stay while it does. */ #said = "";
  /** @type {(HTMLElement | null)[]} */ #fields = [];

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    this.#timer = window.setInterval(() => void this.#askPlaces(), placesInterval);
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    window.clearInterval(this.#timer);
  }

  async #askPlaces() {
    const client = this.client;
    if (client?.session?.isSpectator !== false || !client.isOnline || document.hidden) return;
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
    this.hidden = !group;
    if (!group) return this.put();
    const session = this.client?.session;
    const taking = [...(session?.participants.values() ?? [])].filter((one) => !one.keeper)
      .sort((a, b) => Number(b.participant === session?.me) - Number(a.participant === session?.me)
        || (a.joinedAt ?? 0) - (b.joinedAt ?? 0));
    const device = this.client?.welcome?.device;
    // Members have no order of their own: without one, each loading of the page would show another.
    const others = [...group.members.values()].filter((member) => !member.keeper
      && !taking.some((one) => one.device === member.device))
      .sort((a, b) => Number(b.device === device) - Number(a.device === device) || a.name.localeCompare(b.name));
    this.#isLookAlike = lookAlikes([...taking, ...others]);
    this.put(
      make("h2", {}, text("people"), make("span", { class: "count" }, String(taking.length + others.length))),
      make("ul", { class: "people" },
        ...taking.map((one) => this.#row(one, one.participant === session?.me, ...this.#state(one), one)),
        ...others.map((one) => this.#row(one, one.device === device,
          one.lostUntil === undefined ? "" : text("away"), one.lostUntil === undefined ? "here" : "away"))),
      session?.audience.count ? make("p", { class: "hint" }, text("audience", { count: session.audience.count })) : null,
      ...(session ? this.#drawFields(session) : []),
      make("button", { type: "button", class: "invite", "data-key": "invite", onclick: () => showLink(this.client) },
        icon("link"), text("invite")));
  }

  /** @param {{name: string, user: string}} one @param {boolean} isOwn @param {string} state @param {string} look @param {Participant} [taking] */
  #row(one, isOwn, state, look, taking) {
    const role = taking?.role;
    const marks = [this.#isLookAlike(one) ? text("user", { user: seen(one.user) }) : "", isOwn ? text("you") : "",
      role === "host" || role === "coHost" || role === "listener" ? text(role) : ""]
      .filter((mark) => mark !== "").join(" · ");
    return make("li", {},
      make("span", { class: "face", "aria-hidden": "true" }, [...one.name.toUpperCase()][0] ?? "?"),
      make("span", { class: "who" }, make("span", { class: "name", dir: "auto" }, one.name),
        marks === "" ? null : make("span", { class: "marks" }, marks)),
      make("span", { class: `state ${look}` }, state),
      this.#more(one, taking));
  }

  /** @param {{name: string, user: string}} one @param {Participant} [taking] */
  #more({ name, user }, taking) {
    const client = this.client;
    const own = client?.session?.own;
    const deeds = [
      ...(own && taking ? deedsAbout(own, taking) : deedsAside(own, client?.session?.mayControl === true, user)),
      ...deedsInGroup({ founder: client?.group?.founder ?? "", hasKey: client?.groupKey != null }, client?.user, user)];
    if (deeds.length === 0) return null;
    const items = deeds.map(({ key, type, fields, isGrave }) => ({
      name: text(key), confirm: isGrave ? text("really", { name }) : undefined,
      act: async () => { if (await this.#ask(type, fields) && type === "invite") toast(text("invited", { name })); } }));
    const button = iconButton("more", text("more", { title: name }), () => openMenu(button, text("more", { title: name }), items));
    button.dataset.key = `more ${taking?.participant ?? user}`;
    button.setAttribute("aria-haspopup", "menu");
    return button;
  }

  /** @param {import("./mirror.js").SessionMirror} session */
  #drawFields(session) {
    const { control, mayControl, waitingPolicy } = session;
    const said = JSON.stringify([document.documentElement.lang, session.own?.role, control, mayControl, waitingPolicy]);
    if (said !== this.#said) [this.#said, this.#fields] = [said, [this.#control(session), this.#waiting(session)]];
    return this.#fields;
  }

  /** @param {import("./mirror.js").SessionMirror} session */
  #control(session) {
    if (session.own?.role !== "host") {
      return session.control === "everyone" ? null : make("p", { class: "hint" }, text("hostsSteer"));
    }
    const field = make("select", { id: "control", "data-key": "control",
      onchange: () => void this.#ask("setControl", { control: field.value }) },
      ...[["everyone", text("steersEveryone")], ["hostsOnly", text("steersHosts")]].map(([value, name]) =>
        make("option", { value, selected: value === session.control }, name)));
    return make("div", { class: "control" }, make("label", { for: "control" }, text("steers")), field);
  }

  /** @param {import("./mirror.js").SessionMirror} session whether it waits for a film that stalls */
  #waiting(session) {
    const choice = choiceOf(session.waitingPolicy);
    if (!session.mayControl) return choice === "together" ? make("p", { class: "hint" }, text("allWait")) : null;
    const field = make("select", { id: "waiting", "data-key": "waiting", "aria-describedby": "waiting-hint", onchange: () => {
      const waitingPolicy = field.value === "together" ? "together" : "keepGoing";
      keepChoice(waitingPolicy);
      void this.#ask("setWaitingPolicy", { waitingPolicy });
    } },
      ...[["keepGoing", text("keepGoing")], ["together", text("together")],
        ...(choice === "other" ? [["other", text("waitsAsSet")]] : [])].map(([value, name]) =>
        make("option", { value, selected: value === choice, disabled: value === "other" }, name)));
    return make("div", { class: "control" }, make("label", { for: "waiting" }, text("ifStalled")), field,
      make("p", { class: "hint", id: "waiting-hint" }, choice === "together" ? text("waitsLimit") : ""));
  }

  /** @param {string} type @param {Record<string, unknown>} fields @returns {Promise<boolean>} whether it was done */
  async #ask(type, fields) {
    try {
      await this.client?.request(type, fields);
      return true;
    } catch (error) {
      complain(error);
      // The fields show what was refused.
      this.#said = "";
      this.drawSoon();
      return false;
    }
  }

  /** @param {Participant} one @returns {[string, string]} in words, and how it looks */
  #state(one) {
    const session = this.client?.session;
    if (!session) return ["", "here"];
    if (one.lostUntil !== undefined) return [text("away"), "away"];
    if (one.suspensions.length > 0) return [text(pauses[one.suspensions[0].reason] ?? "waits"), "waits"];
    if (one.item === undefined) return [session.item === undefined ? "" : text("loading"), "waits"];
    if (one.item !== session.item) return [text("elsewhere"), "waits"];
    const timeline = session.timeline;
    if (timeline?.phase === "preparing") {
      return one.readySeq === timeline.seq ? [text("ready"), "good"] : [text("loading"), "waits"];
    }
    if (timeline?.phase === "ended") return [text("atEnd"), "here"];
    if (timeline?.phase !== "playing") {
      // Who said so before the start is not asked again while the film is paused.
      const isBefore = timeline?.mediaTime === 0;
      return isBefore && one.ready === true ? [text("ready"), "good"]
        : isBefore && one.ready === false ? [text("notReady"), "here"] : [text("paused"), "here"];
    }
    const offset = this.#places.get(one.participant);
    if (offset === undefined) return [text("watching"), "good"];
    if (Math.abs(offset) <= unnoticed) return [text("inSync"), "good"];
    const ms = Math.round(Math.abs(offset) / 1000);
    return [text(offset > 0 ? "ahead" : "behind", { ms }), "waits"];
  }
}

customElements.define("m-people", PeopleView);
