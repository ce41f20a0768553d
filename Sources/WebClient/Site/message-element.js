// A message on screen: its place in the top layer, how it comes and goes, gestures and the focus.

import { icon, make } from "./dom.js";
import { listenForSwipes, controls } from "./message-swipe.js";
import { isAtEdge, isRightToLeft, themeFor } from "./message-model.js";
import { messageColors, paint } from "./message-theme.js";
import { text } from "./texts.js";

/** @typedef {import("./screen-use.js").ShownMessage} ShownMessage */
/** @typedef {import("./message-host.js").MessageHost} MessageHost */
/** @typedef {import("./message-host.js").MessageContent} MessageContent */

/** Twice the longest animation of `messages.css`: a page in the background gets no frames. */
const longestAnimation = 800;

/**
 * The surface of a message: a modal dialog, or a popover at an edge beside which the page stays usable.
 * What is in it is made by a view. Custom properties for apps: see `messages.css`.
 */
export class MessageElement extends HTMLElement {
  #host;
  #shown;
  #surface;
  #content;
  #isClosing = false;
  #isPointedAt = false;
  #isHeld = false;
  #wasSwipe;

  /**
   * @param {ShownMessage} shown @param {MessageHost} host
   * @param {(shown: ShownMessage, view: MessageElement) => MessageContent} makeContent
   */
  constructor(shown, host, makeContent) {
    super();
    this.#host = host;
    this.#shown = shown;
    this.#surface = this.isAtEdge ? make("aside") : make("dialog", { tabIndex: -1 });
    if (this.isAtEdge) this.#surface.setAttribute("popover", "manual");
    this.#surface.className = "matinee-message";
    this.#content = makeContent(shown, this);
    this.#surface.append(...this.#closeButton(), this.#content);
    this.#wasSwipe = this.#listen();
    this.append(this.#surface);
    this.edgeOffset = shown.context.edgeOffset;
    this.#look();
  }

  get message() { return this.#shown.context.message; }
  get shown() { return this.#shown; }
  get host() { return this.#host; }
  get isAtEdge() { return isAtEdge(this.#shown.context.message); }
  /** The dialog or popover, for an app that changes how it stands. */
  get surface() { return this.#surface; }

  /**
   * How far it stands from its edge, besides what is kept clear; px. It stays when the device is turned, and setting
   * it again adds nothing. If the campaign says the whole distance, it changes nothing.
   */
  get edgeOffset() { return Number.parseFloat(this.#surface.style.getPropertyValue("--message-offset")) || 0; }
  set edgeOffset(offset) { this.#surface.style.setProperty("--message-offset", `${offset}px`); }

  /** @param {import("./message-clicks.js").Click} [click] */
  press(click = {}) { this.#host.tell({ kind: "clicked", click }); }

  // Coming and going.

  /** Appears above everything else. */
  async enter() {
    this.#stand();
    this.#surface.getBoundingClientRect();
    this.#host.hook("beforeEnter", this, this.#shown);
    if (this.#shown.isAnimated) await this.#animate("enters");
    await this.#content.ready;
    if (this.isConnected && !this.#isClosing) this.#host.tell({ kind: "presented" });
  }

  /** @param {boolean} isAnimated */
  async leave(isAnimated) {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#content.pause?.();
    if (isAnimated && this.isConnected) await this.#animate("leaves");
    // Closing it gives the focus back.
    if (this.#surface instanceof HTMLDialogElement) this.#surface.close();
    this.remove();
    this.#host.tell({ kind: "dismissed" });
  }

  pause() { this.#content.pause?.(); }

  /** @param {ShownMessage} shown */
  update(shown) {
    const { edgeOffset } = shown.context;
    if (edgeOffset !== this.#shown.context.edgeOffset) this.edgeOffset = edgeOffset;
    this.#shown = shown;
    this.#content.update?.(shown);
    this.#look();
    this.#host.hook("layoutChanged", this);
  }

  /** Takes its place. Beside a dialog nothing can be used, so what is at an edge stands in the last one that is open. */
  #stand() {
    const dialog = this.isAtEdge ? [...document.querySelectorAll("dialog:modal")].at(-1) : undefined;
    (dialog ?? document.body).append(this);
    this.#raise();
    // In a dialog that is closed it would be on screen without being seen.
    dialog?.addEventListener("close", () => { if (this.parentNode === dialog && !this.#isClosing) this.#stand(); }, { once: true });
  }

  #raise() {
    if (this.#surface instanceof HTMLDialogElement) {
      this.#surface.showModal();
      // Not on what closes it: who presses a key without looking closes nothing.
      return this.#surface.focus();
    }
    /** @type {any} */ (this.#surface).showPopover?.();
  }

  /** @param {string} name */
  async #animate(name) {
    this.#surface.classList.add(name);
    const over = this.#surface.getAnimations().map((animation) => animation.finished.catch(() => {}));
    await Promise.race([Promise.all(over), new Promise((resolve) => setTimeout(resolve, longestAnimation))]);
    if (name === "enters") this.#surface.classList.remove(name);
  }

  // How it looks.

  #look() {
    const { context: { message }, colorScheme, coversScreen } = this.#shown;
    const surface = this.#surface;
    surface.dataset.kind = message.kind;
    surface.dataset.surface = message.surface;
    surface.dataset.scheme = colorScheme;
    surface.dataset.view = this.#shown.view;
    surface.classList.toggle("covers", coversScreen);
    this.#turn();
    const whole = message.extras.slideConstraint;
    const isWhole = this.isAtEdge && typeof whole === "number";
    surface.classList.toggle("absolute", isWhole);
    if (isWhole) surface.style.setProperty("--message-distance", `${whole}px`);
    const language = message.language ?? "";
    if (language !== "") {
      surface.lang = language;
      surface.dir = isRightToLeft(language) ? "rtl" : "ltr";
    }
    const { header, message: body, image } = message.body;
    const first = [header, body, image?.alternativeText, message.campaign?.name, text("message")];
    surface.setAttribute("aria-label", first.find((one) => (one ?? "") !== "") ?? "");
    paint(surface, messageColors(themeFor(message.themes, colorScheme), colorScheme));
  }

  /** Where the device cannot be held as the message wants, the message is turned instead. */
  #turn() {
    const held = innerWidth > innerHeight ? "landscape" : "portrait";
    this.#surface.classList.toggle("turned", !this.isAtEdge && this.#shown.orientation !== held);
  }

  /** @returns {HTMLElement[]} */
  #closeButton() {
    if (!this.message.closing.byButton) return [];
    return [make("button", { type: "button", class: "close", title: text("close"), "aria-label": text("close"),
      onclick: () => this.#close("button") }, icon("close"))];
  }

  // Gestures.

  /** @param {string} gesture */
  #close(gesture) { this.#host.tell({ kind: "closed", gesture }); }

  #listen() {
    const surface = this.#surface;
    surface.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.#close("escape");
    });
    // A browser closes a dialog at the second Escape whatever the page says.
    surface.addEventListener("close", () => { if (!this.#isClosing) this.#close("escape"); });
    surface.addEventListener("click", (event) => this.#hearClick(/** @type {MouseEvent} */ (event)));
    for (const name of /** @type {const} */ (["pointerenter", "pointermove", "pointerleave"])) {
      surface.addEventListener(name, (event) => this.#hold(name !== "pointerleave" && !this.#isOutside(event)));
    }
    for (const name of ["focusin", "focusout"]) surface.addEventListener(name, () => this.#hold());
    return listenForSwipes(surface, { direction: () => this.#swipeDirection, away: () => this.#close("swipe") });
  }

  /** @returns {1 | -1 | 0} */
  get #swipeDirection() {
    if (!this.message.closing.bySwipe) return 0;
    return this.message.surface === "top" ? -1 : 1;
  }

  /**
   * Nobody has to read against the clock: while it is pointed at, or something in it has the focus, it stays
   * (WCAG 2.2.1). That a dialog itself has the focus is nobody's doing, and its backdrop is no part of it.
   * @param {boolean} [isPointedAt] unless nothing is known that is new
   */
  #hold(isPointedAt = this.#isPointedAt) {
    this.#isPointedAt = isPointedAt;
    const isHeld = isPointedAt || this.#surface.querySelector(":focus") !== null;
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#host.tell({ kind: "held", isHeld });
  }

  /** @param {MouseEvent} event */
  #hearClick(event) {
    if (this.#wasSwipe()) return;
    const target = /** @type {Element} */ (event.target);
    if (target === this.#surface && this.#isOutside(event)) return this.#close("tapOutside");
    this.press({ isOnControl: target.closest(controls) !== null });
  }

  /** @param {MouseEvent} event */
  #isOutside({ clientX, clientY }) {
    const { left, right, top, bottom } = this.#surface.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  }

  // The page around it.

  connectedCallback() {
    addEventListener("resize", this.#hearResize);
    document.addEventListener("keydown", this.#hearKey);
    document.addEventListener("fullscreenchange", this.#rise);
  }

  disconnectedCallback() {
    removeEventListener("resize", this.#hearResize);
    document.removeEventListener("keydown", this.#hearKey);
    document.removeEventListener("fullscreenchange", this.#rise);
    // It was only moved, for example out of a dialog of the page.
    if (this.#isClosing || this.isConnected) return;
    // Without its parent it was taken away by itself; else the dialog that it stands in was.
    if (this.parentNode === null) this.#host.tell({ kind: "detached" });
    else this.#stand();
  }

  #hearResize = () => {
    this.#turn();
    this.#host.hook("layoutChanged", this);
  };

  #hearKey = (/** @type {KeyboardEvent} */ event) => {
    const isOurs = this.isAtEdge && event.key === "Escape" && !event.defaultPrevented;
    if (isOurs && document.querySelector("dialog:modal") === this.closest("dialog:modal")) this.#close("escape");
  };

  /** What goes full screen lies above what was there before. */
  #rise = () => {
    if (!this.isAtEdge) return;
    /** @type {any} */ (this.#surface).hidePopover?.();
    this.#raise();
  };
}

customElements.define("m-message", MessageElement);
