// What people say, and what they do.

import { View, icon, make, toast } from "./dom.js";
import { offered, reactionIn } from "./reactions.js";
import { clockText, speedText, text } from "./texts.js";
import { choiceOf } from "./waiting-policy.js";

/** @typedef {{name: string | null, said: string, own: boolean, key?: string}} Line `key` is a line of chat's */

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
  #count = make("span", { class: "count" });
  #row = make("div", { class: "reactions", role: "group" });
  #log = make("div", { class: "log", role: "log", tabIndex: 0, onscroll: () => this.#noteScroll() });
  #label = make("label", { for: "say", class: "unseen" });
  #field = make("input", { id: "say", name: "say", autocomplete: "off", maxLength: 2000, dir: "auto" });
  #button = make("button", { class: "icon" }, icon("send"));

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
      this.#add({ name: isPrivate && !own ? text("toYou", { name }) : name, said, own, key });
      if (!own && !isEarlier) this.#noteUnread(1);
    });
    client?.addEventListener("payload", (event) => {
      const { from, payload } = /** @type {CustomEvent} */ (event).detail;
      const [reaction, name] = [reactionIn(payload), client.session?.participants.get(from)?.name];
      if (reaction !== null && name !== undefined) this.#note(text("reacted", { name, reaction }));
    });
    client?.addEventListener("group", () => this.#recall());
    client?.addEventListener("change", (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      // Who may speak has changed.
      if (detail.event === "roleSet" && this.#field.disabled === client.session?.maySpeak) this.drawSoon();
      const said = this.#notice(detail);
      if (said !== null) this.#note(said);
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
    document.addEventListener("visibilitychange", () => this.#noteUnread(0));
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
    for (const line of lines) this.#show(line);
    this.drawSoon();
  }

  /** @param {unknown} payload */
  async #send(payload) {
    try {
      await this.client?.request("send", { payload });
    } catch (error) {
      toast(text("failed", { why: error instanceof Error ? error.message : String(error) }));
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
      toast(text("failed", { why: error instanceof Error ? error.message : String(error) }));
    } finally {
      sending.remove();
    }
  }

  /** @param {string} said a deed; the same one again is not told twice */
  #note(said) {
    if (this.#lines.at(-1)?.said !== said) this.#add({ name: null, said, own: false });
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
    const shown = line.name === null ? make("p", { class: "deed" }, line.said)
      : make("p", { class: line.own ? "said own" : "said" },
        make("b", { dir: "auto" }, line.name), " ", make("span", { dir: "auto" }, line.said));
    this.#log.insertBefore(shown, this.#log.querySelector(".sending"));
    this.#toEnd();
  }

  /** @param {any} event of the session @returns {string | null} in words, if it is worth them */
  #notice(event) {
    const session = this.client?.session;
    const who = event.by ?? event.participant;
    const one = session?.participants.get(who) ?? event.gone;
    if (!one || one.keeper) return null;
    const name = one.name;
    switch (event.event) {
      case "joined": return text("didJoin", { name });
      case "left": return text("didLeave", { name });
      case "lost": return text("didLose", { name });
      case "resumed": return text("didReturn", { name });
      case "readinessSet": return event.ready ? text("didReady", { name }) : null;
      case "activitySet": return text("didChange", { name, title: event.activity.metadata?.title ?? "" });
      case "selected": return text("didChange", { name, title: session?.queue.currentEntry?.title ?? "" });
      case "controlSet": return text(event.control === "everyone" ? "didSteer" : "didSteerHosts", { name });
      case "waitingPolicySet": return this.#waiting(event, name);
      case "roleSet": return this.#roleNotice(event);
      case "suspensionBegan": return event.reason === "stallRecovery" ? text("didStall", { name }) : null;
      case "timelineSet": return this.#steering(event, name);
      default: return null;
    }
  }

  /** @param {any} event */
  #roleNotice({ participant, role, by }) {
    const name = this.client?.session?.participants.get(participant)?.name;
    // What the session does by itself, as when somebody comes, is nobody's deed.
    return name === undefined || by === undefined ? null : text("didRole", { name, role: text(/** @type {"host"} */ (role)) });
  }

  /** @param {any} event @param {string} name */
  #waiting({ waitingPolicy }, name) {
    const choice = choiceOf(waitingPolicy);
    return choice === "other" ? null : text(choice === "together" ? "didWait" : "didPlayOn", { name });
  }

  /** @param {any} event @param {string} name */
  #steering(event, name) {
    switch (event.action) {
      case "play": return text("didPlay", { name });
      case "pause": return text("didPause", { name });
      case "seek": return text("didSeek", { name, position: clockText(event.mediaTime) });
      case "setRate": return text("didRate", { name, rate: speedText(event.rate) });
      case "wait": return text("didStall", { name });
      default: return null;
    }
  }
}

customElements.define("m-chat", ChatView);
