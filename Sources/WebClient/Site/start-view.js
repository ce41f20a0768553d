// The dark screen before the film: what to watch, or whom to wait for.

import { View, make, toast } from "./dom.js";
import { complain } from "./faults.js";
import { linkParts } from "./link-view.js";
import { mediaAt } from "./media.js";
import { mediaList } from "./media-list.js";
import { mediaOf } from "./own-file.js";
import { text } from "./texts.js";
import { keptOptions } from "./waiting-policy.js";

/**
 * A field for the address of a video, with a button.
 * @param {string} id @param {import("./texts.js").TextName} label @param {string} look of the button
 * @param {(media: import("./queue.js").Media) => Promise<unknown> | undefined} take
 */
export function addressForm(id, label, look, take) {
  // Of type text, since a path on this server is a good address, too.
  const field = make("input", { id, name: id, required: true, placeholder: "https://…", "data-key": id,
    inputMode: "url", autocomplete: "off", spellcheck: false });
  return make("form", { onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const media = mediaAt(field.value);
    if (media === null) return toast(text("noAddress"));
    try {
      await take(media);
      field.value = "";
    } catch (error) {
      complain(error);
    }
  } },
    make("label", { for: id, class: look === "primary" ? "" : "unseen" }, text("address")),
    make("div", { class: "line" }, field, make("button", { class: look, "data-key": `${id} go` }, text(label))));
}

/**
 * The field for a file of the person's own; its label is the button.
 * @param {string} id @param {(media: import("./queue.js").Media, file: File) => Promise<unknown> | undefined} take
 */
export function ownFileField(id, take) {
  const field = make("input", { type: "file", id, accept: "video/*,audio/*", "data-key": id, onchange: async () => {
    const file = field.files?.[0];
    if (file === undefined) return;
    try {
      await take(mediaOf(file), file);
    } catch (error) {
      complain(error);
    }
    // The same file can be chosen once more.
    field.value = "";
  } });
  return field;
}

/** What to watch, once somebody else is here; until then the link that brings them, and before that what is waited for. */
export class StartView extends View {
  /** @type {import("./texts.js").TextName} what it says until the group is there */ waitsFor = "connecting";
  /** @type {(media: import("./queue.js").Media, file: File) => void} keeps a file of the person's own */
  onfile = () => {};
  /** @type {HTMLElement | null} */ #library = null;
  /** @type {HTMLElement | null} keeps what somebody has typed when others come and go */ #form = null;
  /** What was watched here last. */ #film = { session: "", title: "" };
  /** The language in which it was drawn last. */ #language = "";
  /** Whether the group was there; whoever is removed from it later is told otherwise. */ #hasComeIn = false;

  /** @override */
  get causes() { return [...super.causes, "offer", "refused"]; }

  /** @override */
  draw() {
    const client = this.client;
    const isEligible = client?.eligibility.eligible === true;
    this.#hasComeIn ||= client?.group != null;
    this.hidden = client == null || client.session !== null || (client.group === null && this.#hasComeIn);
    this.#noteFilm();
    if (this.hidden) return this.put();
    if (!this.#hasComeIn) return this.put(make("div", { class: "screen" }, make("h1", {}, text(this.waitsFor))));
    const language = document.documentElement.lang;
    if (this.#language !== language) this.#library = this.#form = null;
    this.#language = language;
    if (isEligible && this.#othersSession !== null) return this.#drawOthers(this.#othersSession);
    // Who is typing keeps the place in the text.
    if (isEligible && this.#form?.isConnected && this.contains(document.activeElement)) return;
    if (isEligible && client !== null) {
      this.#form ??= addressForm("address", "start", "primary", (media) => this.client?.watch(media, keptOptions()));
      this.#library ??= this.#makeLibrary(client);
    }
    this.put(make("div", { class: `screen ${isEligible ? "" : "alone"}` },
      make("h1", {}, text(isEligible ? "startTitle" : "aloneTitle")),
      make("p", {}, text(isEligible ? "startHint" : "aloneHint")),
      ...(isEligible ? [this.#form ?? "", this.#library ?? "", this.#ownFile()] : linkParts(client))));
  }

  /** What the group watches without this device; a session that is only prepared cannot be joined yet. */
  get #othersSession() {
    const [session, offer] = [this.client?.group?.session, this.client?.offer];
    const isStaged = offer?.session === session && offer?.staged === true;
    return session === undefined || isStaged || this.client?.isUnderWay(session) === true ? null : session;
  }

  #noteFilm() {
    const session = this.client?.session;
    if (session) this.#film = { session: session.id, title: session.title ?? "" };
  }

  /** @param {string} session in which nothing can be chosen from outside */
  #drawOthers(session) {
    const isBanned = session === this.client?.bannedFrom;
    this.put(make("div", { class: "screen" }, make("h1", {}, text("othersWatch")),
      this.#film.session === session && this.#film.title !== "" ? make("p", {}, this.#film.title) : "",
      isBanned ? make("p", {}, text("notLetIn")) : this.#wayBack(session)));
  }

  /** @param {string} session of which whoever left is not told once more, so this is the way back into it */
  #wayBack(session) {
    return make("button", { class: "primary", "data-key": "way back", onclick: async () => {
      try {
        await this.client?.join(session);
      } catch (error) {
        complain(error);
        this.drawSoon();
      }
    } }, text("watchAgain"));
  }

  /** @param {import("./client.js").Client} client asks the server once, however often this is drawn */
  #makeLibrary(client) {
    return mediaList(client, "library", async (media) => {
      try {
        await client.watch(media, keptOptions());
      } catch (error) {
        complain(error);
      }
    });
  }

  #ownFile() {
    const field = ownFileField("own", (media, file) => {
      this.onfile(media, file);
      return this.client?.watch(media, keptOptions());
    });
    return make("div", { class: "own" }, make("p", { class: "or" }, text("or")), field,
      make("label", { for: "own", class: "button" }, text("ownFile")), make("p", { class: "hint" }, text("ownFileHint")));
  }
}

customElements.define("m-start", StartView);
