// What the usual view shows: texts and pictures, and the buttons below them.

import { icon, make } from "./dom.js";
import { isAtEdge, secureURL, themeFor } from "./message-model.js";
import { buttonColors, paint } from "./message-theme.js";
import { text } from "./texts.js";

/** @typedef {import("./screen-use.js").ShownMessage} ShownMessage */
/** @typedef {import("./message-element.js").MessageElement} MessageElement */
/** @typedef {import("./message-model.js").InAppMessage} InAppMessage */

/** A message of more buttons is its author's mistake. */
const drawnButtons = 2;

/** @param {InAppMessage} message @returns {boolean} whether a click anywhere on it does something */
const isClickable = (message) => message.clickAction !== undefined && (isAtEdge(message) || message.buttons.length === 0);

/**
 * The picture for how the message is held.
 * @param {ShownMessage} shown @returns {HTMLImageElement | null}
 */
function pictureOf({ context: { message: { body } }, orientation }) {
  const chosen = orientation === "landscape" && secureURL(body.landscapeImage) ? body.landscapeImage : body.image;
  const url = secureURL(chosen);
  if (url === undefined) return null;
  // A picture beside a text that its author did not describe adds nothing for who cannot see it.
  const words = chosen?.alternativeText ?? body.image?.alternativeText ?? (body.type === "image" ? text("picture") : "");
  return make("img", { src: url, alt: words, draggable: false, class: "picture" });
}

/**
 * The row of buttons, the primary one last; empty without any.
 * @param {MessageElement} view @param {(button: import("./message-model.js").Button, element: HTMLButtonElement) => void} [change]
 */
export function buttonRow(view, change) {
  const buttons = view.message.buttons.slice(0, drawnButtons).map((button, index, all) => {
    const element = make("button", { type: "button", class: index === all.length - 1 ? "action first" : "action",
      "data-button": button.id, onclick: () => view.press({ button: button.id }) }, button.text);
    change?.(button, element);
    return element;
  });
  return buttons.length === 0 ? null : make("div", { class: "actions" }, ...buttons);
}

/** @param {MessageElement} view */
export function paintButtons(view) {
  for (const element of view.surface.querySelectorAll("button[data-button]")) {
    const button = view.message.buttons.find(({ id }) => id === element.getAttribute("data-button"));
    const { colorScheme } = view.shown;
    const colors = buttonColors(themeFor(button?.themes, colorScheme), colorScheme, element.classList.contains("first"));
    paint(/** @type {HTMLElement} */ (element), colors);
  }
}

/**
 * The header and the text.
 * @param {InAppMessage} message @returns {HTMLElement[]}
 */
export function wordsOf({ body }) {
  const part = (/** @type {"h2" | "p"} */ tag, /** @type {string | undefined} */ words, /** @type {string} */ alignment) =>
    ((words ?? "") === "" ? [] : [make(tag, { class: `words ${alignment}` }, words)]);
  return [...part("h2", body.header, body.headerAlignment ?? "center"), ...part("p", body.message, body.messageAlignment ?? "center")];
}

/** A part of a view, which is drawn when it comes, and again when what it shows changes. */
class MessagePart extends HTMLElement {
  /** @param {MessageElement} view */
  constructor(view) {
    super();
    this.view = view;
  }

  connectedCallback() { if (this.childElementCount === 0) this.update(); }

  update() {}
}

/** A text, with a picture or a symbol. */
export class MessageText extends MessagePart {
  /** @override */
  update() {
    const { shown, message } = this.view;
    const symbol = message.body.icon;
    const picture = pictureOf(shown)
      ?? ((symbol ?? "") === "" ? null : make("span", { class: "symbol", "aria-hidden": "true" }, symbol));
    const [words, go] = [wordsOf(message), this.#go()];
    // A text that is longer than its place can be scrolled by keys as well, also once the device is turned.
    const scroller = make("div", { class: "scroller" }, ...words);
    this.replaceChildren(...[picture, scroller, go, buttonRow(this.view)].flatMap((one) => (one === null ? [] : [one])));
    this.toggleAttribute("clickable", isClickable(message));
    paintButtons(this.view);
    new ResizeObserver(() => {
      if (scroller.scrollHeight > scroller.clientHeight + 1) scroller.tabIndex = 0;
      else scroller.removeAttribute("tabindex");
    }).observe(scroller);
  }

  /** What a click on the body does, for who has no pointer. */
  #go() {
    if (!isClickable(this.view.message)) return null;
    return make("button", { type: "button", class: "go", title: text("open"), "aria-label": text("open"),
      onclick: () => this.view.press() }, icon("go"));
  }
}

/** A picture that is the whole message. */
export class MessagePicture extends MessagePart {
  /** @override */
  update() {
    const picture = pictureOf(this.view.shown) ?? "";
    const whole = isClickable(this.view.message)
      ? make("button", { type: "button", class: "whole", onclick: () => this.view.press() }, picture)
      : make("div", { class: "whole" }, picture);
    this.replaceChildren(...[whole, buttonRow(this.view)].flatMap((one) => (one === null ? [] : [one])));
    paintButtons(this.view);
  }
}

customElements.define("m-message-text", MessageText);
customElements.define("m-message-picture", MessagePicture);
