// What is watched next, in which order, and what follows the last.

import { View, icon, iconButton, keepFocus, make } from "./dom.js";
import { makeDraggable } from "./dragging.js";
import { complain } from "./faults.js";
import { openMenu } from "./menu.js";
import { movesTo, nextIn } from "./queue-moves.js";
import { mediaList } from "./media-list.js";
import { addressForm, ownFileField } from "./start-view.js";
import { text } from "./texts.js";

/** @typedef {import("./queue.js").Entry} Entry */

/** The entries of the queue: play, move, remove. */
export class QueueView extends View {
  /** @type {(media: import("./queue.js").Media, file: File) => void} keeps a file of the person's own */
  onfile = () => {};
  #form = this.#addForm();
  /** @type {HTMLElement | null} */ #library = null;
  #isDragged = false;
  /** Kept, because it stays where it was scrolled to. */ #list = make("ol", { class: "queue" });
  /** @type {string | undefined} the current entry, once the list has shown it */ #current;
  /** What is kept when this is drawn is made anew in another language. */
  #forget = () => { [this.#form, this.#library] = [this.#addForm(), null]; };

  #addForm() {
    const insert = (/** @type {import("./queue.js").Media} */ media) => this.client?.request("insert", { media: [media] });
    const form = addressForm("next", "nextUp", "", insert);
    const field = ownFileField("next-own", (media, file) => {
      this.onfile(media, file);
      return insert(media);
    });
    form.querySelector(".line")?.append(field, make("label", { for: "next-own", class: "button icon", title: text("ownFile") },
      icon("file"), make("span", { class: "unseen" }, text("ownFile"))));
    return form;
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("language", this.#forget);
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("language", this.#forget);
  }

  /** @override */
  draw() {
    // A row under a finger stays; what happened meanwhile is drawn when it is let go.
    if (this.#isDragged) return;
    const session = this.client?.session;
    this.hidden = !session;
    if (!session) return this.put();
    const { entries } = session.queue;
    const client = session.mayControl ? this.client : null;
    if (client !== null) {
      this.#library ??= mediaList(client, "next-library", (media) => this.#ask("insert", { media: [media] }));
    }
    keepFocus(this, () => {
      this.#list.replaceChildren(...entries.map((entry, index) => this.#row(entry, index, session)));
      this.#put(session);
    });
    this.#showCurrent(session.queue.current);
  }

  /** @param {import("./mirror.js").SessionMirror} session */
  #put(session) {
    const { entries } = session.queue;
    this.put(
      make("div", { class: "head" },
        make("h2", {}, text("queue"), make("span", { class: "count" }, String(entries.length))),
        session.mayControl && make("span", { class: "tools" }, ...this.#switches(session.queue))),
      entries.length === 0 ? make("p", { class: "hint" }, text("queueEmpty")) : this.#list,
      ...(session.mayControl ? [this.#form, this.#library] : []));
  }

  /** @param {string | undefined} current which a long list scrolls to when it is another one */
  #showCurrent(current) {
    const list = this.#list;
    // Without buttons in it, a list that scrolls takes the focus itself.
    if (list.scrollHeight > list.clientHeight && list.querySelector("button") === null) list.tabIndex = 0;
    else list.removeAttribute("tabindex");
    if (current === this.#current) return;
    this.#current = current;
    const row = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
    if (row !== null) list.scrollTop = row.offsetTop - row.offsetHeight / 2;
  }

  /** @param {import("./queue.js").Queue} queue @returns {(Node | false)[]} those that would change something */
  #switches({ entries, isShuffled, repeat }) {
    return [
      (entries.length > 2 || isShuffled) && this.#switch("shuffle", isShuffled,
        () => this.#ask(isShuffled ? "unshuffle" : "shuffle", {})),
      (entries.length > 1 || repeat !== "off") && this.#switch("repeat", repeat !== "off",
        () => this.#ask("setRepeat", { repeat: repeat === "off" ? "all" : "off" }))];
  }

  /** @param {"shuffle" | "repeat"} name @param {boolean} isOn @param {() => void} press */
  #switch(name, isOn, press) {
    const button = this.#keyed(name, iconButton(name, text(name), press));
    button.setAttribute("aria-pressed", String(isOn));
    return button;
  }

  /** @param {Entry} entry @param {number} index @param {import("./mirror.js").SessionMirror} session */
  #row(entry, index, { queue, mayControl }) {
    const title = entry.title ?? entry.url;
    const isCurrent = entry.entry === queue.current;
    const mark = isCurrent ? text("now") : entry.entry === nextIn(queue) ? text("next") : "";
    return make("li", { "aria-current": isCurrent ? "true" : undefined },
      mayControl && queue.entries.length > 1 && this.#grip(entry, title),
      make("span", { class: "title", title }, title),
      mark === "" ? null : make("span", { class: "now" }, mark),
      mayControl && make("span", { class: "tools" },
        !isCurrent && this.#keyed(`play ${entry.entry}`,
          iconButton("play", text("playNow", { title }), () => this.#ask("select", { entry: entry.entry }))),
        this.#more(entry, title, index, isCurrent)));
  }

  /** @param {string} key @param {HTMLButtonElement} button */
  #keyed(key, button) {
    button.dataset.key = key;
    return button;
  }

  /** @param {Entry} entry @param {string} title */
  #grip(entry, title) {
    const grip = this.#keyed(`grip ${entry.entry}`, iconButton("grip", text("drag", { title }), () => {}, "quiet grip"));
    grip.addEventListener("keydown", (event) => {
      const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (way === undefined) return;
      event.preventDefault();
      this.#move(entry.entry, (index) => index + way);
    });
    const order = () => this.client?.session?.queue.entries.map((one) => one.entry).join(" ");
    let before = order();
    makeDraggable(grip, {
      begin: () => { [this.#isDragged, before] = [true, order()]; },
      end: () => {
        this.#isDragged = false;
        this.drawSoon();
      },
      // Places mean nothing if somebody else moved entries meanwhile.
      drop: (to) => { if (order() === before) this.#move(entry.entry, () => to); } });
    return grip;
  }

  /** @param {Entry} entry @param {string} title @param {number} index @param {boolean} isCurrent */
  #more(entry, title, index, isCurrent) {
    const last = (this.client?.session?.queue.entries.length ?? 0) - 1;
    const items = [
      index > 0 ? { name: text("moveUp"), act: () => this.#move(entry.entry, (at) => at - 1) } : null,
      index < last ? { name: text("moveDown"), act: () => this.#move(entry.entry, (at) => at + 1) } : null,
      isCurrent ? null : { name: text("removeEntry"), act: () => this.#ask("removeEntry", { entry: entry.entry }) },
    ].flatMap((item) => (item === null ? [] : [item]));
    if (items.length === 0) return null;
    const button = this.#keyed(`more ${entry.entry}`, iconButton("more", text("more", { title }),
      () => openMenu(button, text("more", { title }), items)));
    button.setAttribute("aria-haspopup", "menu");
    return button;
  }

  /** @param {string} id @param {(index: number) => number} goal */
  #move(id, goal) {
    const entries = this.client?.session?.queue.entries ?? [];
    const from = entries.findIndex((one) => one.entry === id);
    const to = goal(from);
    if (from < 0 || to < 0 || to >= entries.length) return;
    for (const request of movesTo(entries, from, to)) this.#ask("move", request);
    const title = entries[from].title ?? entries[from].url;
    const place = document.getElementById("spoken");
    if (place !== null) place.textContent = text("moved", { title, place: to + 1, all: entries.length });
  }

  /** @param {string} type @param {Record<string, unknown>} fields */
  #ask(type, fields) {
    void this.client?.request(type, fields).catch(complain);
  }
}

customElements.define("m-queue", QueueView);
