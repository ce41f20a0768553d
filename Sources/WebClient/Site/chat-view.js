// What people say, and what they do.

import { deedOf, deedText } from "./chat-notices.js";
import { View, icon, make } from "./dom.js";
import { complain } from "./faults.js";
import { partsOf } from "./links.js";
import { offered, reactionIn } from "./reactions.js";
import { hasText, text } from "./texts.js";

/**
 * `key` is a line of chat's; a `deed` is said again in another language.
 * @typedef {{name: string | null, said: string, own: boolean, key?: string, isPrivate?: boolean,
 *   deed?: import("./chat-notices.js").Deed}} Line
 */

/** As many lines as anybody scrolls back through. */
const mostLines = 200;
/** As many characters of them, because browsers keep about 5 MiB for all groups of a tab together. */
const mostText = 500_000;

/** The chat of the session, with a line for what each of them did. */
export class ChatView extends View {
  /** @type {Line[]} */ #lines = [];
  /** What arrived while nobody saw the log. */ #unread = 0;
  /** Whether the log is in the window. */ #isInView = true;
  /** Whether the log is scrolled to its last line. */ #isAtEnd = true;
  #group = "";
  /** The language in which the lines are told. */ #language = document.documentElement.lang;
  #count = make("span", { class: "count" });
  #row = make("div", { class: "reactions", role: "group" });
  #log = make("div", { class: "log", role: "log", tabIndex: 0, onscroll: () => this.#noteScroll() });
  #label = make("label", { for: "say", class: "unseen" });
  #field = make("input", { id: "say", name: "say", autocomplete: "off", maxLength: 2000, dir: "auto" });
  #button = make("button", { class: "icon" }, icon("send"));
  #hearVisibility = () => this.#noteUnread(0);

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.#hearVisibility);
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.#hearVisibility);
  }

  /** @override */
  get causes() { return ["session"]; }

  /** @override */
  set client(client) {
    super.client = client;
    client?.addEventListener("chat", (event) => {
      const { session, seq, name, text: said, own, isEarlier, isPrivate } = /** @type {CustomEvent} */ (event).detail;
      const key = `${session}#${seq}`;
      // What was said earlier is known where the page was loaded anew.
      if (isEarlier && this.#lines.some((line) => line.key === key)) return;
      this.#add({ name, said, own, key, isPrivate });
      if (!own && !isEarlier) this.#noteUnread(1);
    });
    client?.addEventListener("payload", (event) => {
      const { from, payload } = /** @type {CustomEvent} */ (event).detail;
      const [reaction, name] = [reactionIn(payload), client.session?.participants.get(from)?.name];
      if (reaction !== null && name !== undefined) this.#note({ text: "reacted", values: { name, reaction } });
    });
    client?.addEventListener("group", () => this.#recall());
    client?.addEventListener("change", (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      // Who may speak has changed.
      if (detail.event === "roleSet" && this.#field.disabled === client.session?.maySpeak) this.drawSoon();
      const deed = client.session === null ? null : deedOf(detail, client.session);
      if (deed !== null) this.#note(deed);
    });
    this.#recall();
  }

  /** @override */
  get client() { return super.client; }

  /** @override */
  draw() {
    this.hidden = this.client?.session === null && this.#lines.length === 0;
    this.#log.setAttribute("aria-label", text("chat"));
    this.#log.dataset.empty = text("chatEmpty");
    this.#label.textContent = this.#field.placeholder = text("message");
    this.#button.title = text("send");
    this.#button.setAttribute("aria-label", text("send"));
    this.#field.disabled = this.client?.session?.maySpeak !== true;
    this.#row.setAttribute("aria-label", text("react"));
    this.#row.replaceChildren(...offered.map((reaction) => this.#reactionButton(reaction)));
    if (this.childElementCount > 0) {
      this.querySelector("h2")?.replaceChildren(text("chat"), this.#count);
      this.#retell();
      return this.#noteUnread(0);
    }
    this.put(
      make("h2", {}, text("chat"), this.#count), this.#log, this.#row,
      make("form", { class: "line", onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void this.#say();
      } },
        this.#label, this.#field, this.#button));
    new IntersectionObserver(([entry]) => {
      this.#isInView = entry.isIntersecting;
      this.#noteUnread(0);
    }, { threshold: 0.5 }).observe(this.#log);
    // Lines that were shown before the log had a size, and a size that changes, leave the end where it was.
    new ResizeObserver(() => this.#toEnd()).observe(this.#log);
  }

  /** @param {string} reaction */
  #reactionButton(reaction) {
    return make("button", { type: "button", class: "quiet", "aria-label": text("reactWith", { reaction }),
      disabled: this.client?.session?.maySpeak !== true, onclick: () => void this.#send({ reaction }) }, reaction);
  }

  /** @param {number} more counts what came, or forgets it once it is seen */
  #noteUnread(more) {
    const isSeen = this.#isInView && this.#isAtEnd && !document.hidden;
    this.#unread = isSeen ? 0 : this.#unread + more;
    this.#count.textContent = this.#unread === 0 ? "" : text("unread", { count: this.#unread });
    this.dispatchEvent(new CustomEvent("unread", { bubbles: true, detail: this.#unread }));
  }

  #noteScroll() {
    const { scrollHeight, scrollTop, clientHeight } = this.#log;
    this.#isAtEnd = scrollHeight - scrollTop - clientHeight < 40;
    this.#noteUnread(0);
  }

  #toEnd() {
    if (this.#isAtEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** Shows again what was said in this tab before the page was loaded anew. */
  #recall() {
    const group = this.client?.group?.id ?? "";
    if (group === this.#group || group === "") return;
    this.#group = group;
    /** @type {Line[]} */ const lines = JSON.parse(sessionStorage.getItem(`matinee.chat.${group}`) ?? "[]");
    [this.#lines, this.#isAtEnd] = [[], true];
    this.#log.replaceChildren();
    for (const { deed, ...line } of lines) {
      // A sentence of another version of the page stays as it was said.
      this.#show(deed !== undefined && hasText(deed.text) ? { ...line, deed, said: deedText(deed) } : line);
    }
    this.drawSoon();
  }

  /** @param {unknown} payload */
  async #send(payload) {
    try {
      await this.client?.request("send", { payload });
    } catch (error) {
      complain(error);
    }
  }

  async #say() {
    const said = this.#field.value.trim();
    if (said === "") return;
    this.#field.value = "";
    // Until the server has it, the line stands below all others.
    const sending = make("p", { class: "said own sending", "aria-hidden": "true" }, said);
    this.#isAtEnd = true;
    this.#log.append(sending);
    this.#toEnd();
    try {
      await this.client?.chat(said);
    } catch (error) {
      // What was written meanwhile stays behind it.
      this.#field.value = [said, this.#field.value].filter((part) => part !== "").join(" ");
      complain(error);
    } finally {
      sending.remove();
    }
  }

  /** @param {import("./chat-notices.js").Deed} deed the same one again is not told twice */
  #note(deed) {
    const said = deedText(deed);
    if (this.#lines.at(-1)?.said !== said) this.#add({ name: null, said, own: false, deed });
  }

  /** Says in the language that was chosen now what was told in another one. */
  #retell() {
    if (this.#language === document.documentElement.lang) return;
    this.#language = document.documentElement.lang;
    for (const [index, line] of this.#lines.entries()) {
      if (line.deed !== undefined) line.said = deedText(line.deed);
      this.#log.children[index]?.replaceWith(this.#shown(line));
    }
  }

  /** @param {Line} line */
  #add(line) {
    this.#show(line);
    if (this.#group === "") return;
    try {
      sessionStorage.setItem(`matinee.chat.${this.#group}`, JSON.stringify(this.#lines));
    } catch {
      // The tab has no more room: whoever loads the page again misses lines that are on the screen now.
    }
  }

  get #isTooLong() {
    return this.#lines.length > mostLines || this.#lines.reduce((sum, { said }) => sum + said.length, 0) > mostText;
  }

  /** @param {Line} line below the others; the first ones give way */
  #show(line) {
    this.#lines.push(line);
    while (this.#isTooLong) {
      this.#lines.shift();
      this.#log.firstElementChild?.remove();
    }
    this.#log.insertBefore(this.#shown(line), this.#log.querySelector(".sending"));
    this.#toEnd();
  }

  /** @param {Line} line @returns {HTMLElement} */
  #shown({ name, said, own, isPrivate }) {
    if (name === null) return make("p", { class: "deed" }, said);
    return make("p", { class: own ? "said own" : "said" },
      make("b", { dir: "auto" }, isPrivate && !own ? text("toYou", { name }) : name), " ",
      make("span", { dir: "auto" }, ...partsOf(said).map((part) => (part.isAddress
        ? make("a", { href: part.said, target: "_blank", rel: "noopener noreferrer" }, part.said) : part.said))));
  }
}

customElements.define("m-chat", ChatView);
