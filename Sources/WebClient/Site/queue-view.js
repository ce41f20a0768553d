// What is watched next.

import { View, icon, iconButton, make, toast } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {import("./queue.js").Entry} Entry */

/** @param {string} address as a person typed it @returns {import("./queue.js").Media} */
function mediaAt(address) {
  const url = new URL(address.trim(), location.href);
  const name = decodeURIComponent(url.pathname.split("/").pop() ?? "").replace(/\.\w{2,4}$/, "");
  // A file of this server is named by its path, so that it has one name for everybody.
  const place = url.origin === location.origin ? url.pathname + url.search : url.href;
  return { url: place, title: name.replaceAll("_", " ") || url.host };
}

/**
 * A field for the address of a video, with a button.
 * @param {string} id @param {import("./texts.js").TextName} label @param {string} look of the button
 * @param {(media: import("./queue.js").Media) => Promise<unknown> | undefined} take
 */
function addressForm(id, label, look, take) {
  // Of type text, since a path on this server is a good address, too.
  const field = make("input", { id, name: id, required: true, placeholder: "https://…", "data-key": id,
    inputMode: "url", autocomplete: "off", spellcheck: false });
  return make("form", { onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await take(mediaAt(field.value));
      field.value = "";
    } catch (error) {
      toast(text("failed", { why: error instanceof Error ? error.message : String(error) }));
    }
  } },
    make("label", { for: id, class: look === "primary" ? "" : "unseen" }, text("address")),
    make("div", { class: "line" }, field, make("button", { class: look, "data-key": `${id} go` }, text(label))));
}

/** The dark screen before the film: what to watch, or whom to wait for. */
export class StartView extends View {
  /** Passes the group's link on. */
  oninvite = () => {};

  /** @override */
  draw() {
    const client = this.client;
    const isEligible = client?.eligibility.eligible === true;
    this.hidden = client?.group == null || client?.session !== null;
    if (this.hidden) return this.put();
    // What somebody is typing stays when others come and go.
    if (isEligible && this.contains(document.activeElement) && this.lang === document.documentElement.lang) return;
    this.lang = document.documentElement.lang;
    this.put(make("div", { class: "screen" },
      make("h1", {}, text(isEligible ? "startTitle" : "aloneTitle")),
      make("p", {}, text(isEligible ? "startHint" : "aloneHint")),
      isEligible ? addressForm("address", "start", "primary", (media) => client?.watch(media))
        : make("button", { type: "button", class: "primary", "data-key": "invite", onclick: () => this.oninvite() },
          icon("link"), text("copyLink"))));
  }
}

/** The entries of the queue: play, move, remove. */
export class QueueView extends View {
  #form = this.#addForm();

  #addForm() {
    return addressForm("next", "nextUp", "", (media) => this.client?.request("insert", { media: [media] }));
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("language", () => { this.#form = this.#addForm(); });
  }

  /** @override */
  draw() {
    const session = this.client?.session;
    this.hidden = !session;
    if (!session) return this.put();
    const { entries, current } = session.queue;
    this.put(
      make("h2", {}, text("queue"), make("span", { class: "count" }, String(entries.length))),
      entries.length === 0 ? make("p", { class: "hint" }, text("queueEmpty"))
        : make("ol", { class: "queue" }, ...entries.map((entry, index) =>
          this.#row(entry, index, entries, entry.entry === current, session.mayControl))),
      session.mayControl && this.#form);
  }

  /** @param {Entry} entry @param {number} index @param {Entry[]} all @param {boolean} isCurrent @param {boolean} mayEdit */
  #row(entry, index, all, isCurrent, mayEdit) {
    const title = entry.title ?? entry.url;
    const id = entry.entry;
    const ask = (/** @type {string} */ type, /** @type {Record<string, unknown>} */ fields = {}) => () =>
      void this.client?.request(type, { entry: id, ...fields }).catch((error) =>
        toast(text("failed", { why: error.message })));
    const button = (/** @type {string} */ key, /** @type {HTMLButtonElement} */ made) => {
      made.dataset.key = `${key} ${id}`;
      return made;
    };
    // An entry moves up by going behind the one two places before it; first of all there is none.
    const before = all[index - 2]?.entry;
    return make("li", { "aria-current": isCurrent ? "true" : undefined },
      make("span", { class: "title" }, title),
      isCurrent ? make("span", { class: "now" }, text("now")) : null,
      mayEdit && make("span", { class: "tools" },
        !isCurrent && button("play", iconButton("play", text("playNow", { title }), ask("select"))),
        index > 1 && button("up", iconButton("up", text("up", { title }), ask("move", { position: { after: before } }))),
        index < all.length - 1 && button("down", iconButton("down", text("down", { title }),
          ask("move", { position: { after: all[index + 1].entry } }))),
        !isCurrent && button("remove", iconButton("bin", text("remove", { title }), ask("removeEntry")))));
  }
}

customElements.define("m-start", StartView);
customElements.define("m-queue", QueueView);
