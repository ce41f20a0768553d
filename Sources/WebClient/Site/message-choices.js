// The views that come along for choices: one of several, and switches.

import { make } from "./dom.js";
import { buttonRow, paintButtons } from "./message-content.js";
import { attributeOf, itemsIn } from "./message-faults.js";
import { text } from "./texts.js";

/** @typedef {import("./message-element.js").MessageElement} MessageElement */
/** @typedef {import("./actions.js").ClickAction} ClickAction */

/** A header, choices and buttons, of which the last submits. */
class MessageChoices extends HTMLElement {
  /** @param {MessageElement} view */
  constructor(view) {
    super();
    this.view = view;
  }

  connectedCallback() { if (this.childElementCount === 0) this.#draw(); }

  /** What was chosen stays chosen: only colours change. */
  update() { paintButtons(this.view); }

  get items() { return itemsIn(this.view.message.body.message ?? ""); }
  get attribute() { return attributeOf(this.view.message); }

  /** @returns {ClickAction | null} null while nothing can be submitted */
  get submission() { return null; }

  /** @returns {HTMLElement} */
  get choices() { return make("div"); }

  /** Lets the last button submit as soon as there is something to submit. */
  refresh() {
    const submit = /** @type {HTMLButtonElement | null} */ (this.querySelector(".action.first"));
    if (submit !== null) submit.disabled = this.submission === null;
  }

  #draw() {
    const { header } = this.view.message.body;
    const buttons = buttonRow(this.view, ({ id }, element) => {
      if (!element.classList.contains("first")) return;
      element.addEventListener("click", (event) => {
        event.stopImmediatePropagation();
        if (this.submission !== null) this.view.press({ button: id, action: this.submission });
      }, { capture: true });
    });
    this.replaceChildren(make("h2", { class: "words leading", id: "message-choices" }, header ?? ""),
      this.choices, ...(buttons === null ? [] : [buttons]));
    this.refresh();
    paintButtons(this.view);
  }
}

/** A choice of one of the items that the text lists. */
export class MessagePicker extends MessageChoices {
  #chosen = "";

  /** @override */
  get submission() {
    const { attribute } = this;
    return this.#chosen === "" || attribute === undefined ? null : { type: "setAttribute", key: attribute, value: this.#chosen };
  }

  /** @override */
  get choices() {
    const field = make("select", { "aria-labelledby": "message-choices", onchange: () => {
      this.#chosen = field.value;
      this.refresh();
    } }, make("option", { value: "" }, text("choose")), ...this.items.map((item) => make("option", { value: item }, item)));
    return make("div", { class: "scroller" }, field);
  }
}

/** A switch for each of the items that the text lists, all of them on at first. */
export class MessageSwitches extends MessageChoices {
  /** @type {Set<number>} */ #off = new Set();

  /** A list of none is a choice as well.
   * @override */
  get submission() {
    const { attribute } = this;
    if (attribute === undefined) return null;
    const value = this.items.filter((_, row) => !this.#off.has(row));
    /** @type {ClickAction} */
    const keep = { type: "setAttribute", key: attribute, value };
    const asksForPush = this.view.message.extras.request_push === true;
    return asksForPush ? { type: "sequence", actions: [keep, { type: "requestPushPermission" }] } : keep;
  }

  /** @override */
  get choices() {
    return make("ul", { class: "scroller switches", "aria-labelledby": "message-choices" }, ...this.items.map((item, row) => {
      const field = make("input", { type: "checkbox", role: "switch", "aria-checked": "true", checked: true, onchange: () => {
        field.setAttribute("aria-checked", String(field.checked));
        if (field.checked) this.#off.delete(row);
        else this.#off.add(row);
        this.refresh();
      } });
      return make("li", {}, make("label", {}, make("span", {}, item), field));
    }));
  }
}

customElements.define("m-message-picker", MessagePicker);
customElements.define("m-message-switches", MessageSwitches);
