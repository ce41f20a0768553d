// In-app messages other than the player's: a card at an edge, or a dialog in the middle.

import { View, iconButton, make } from "./dom.js";
import { text } from "./texts.js";

/** Messages that stay at an edge while the page remains usable. */
const atEdge = ["slideup", "banner"];

/** After how many µs those close by themselves, unless their author says otherwise. */
const defaultStay = new Map([["slideup", 5_000_000], ["banner", 12_000_000]]);

/** Shows the visible message, unless it is the one that hosts a session: that is the player's. */
export class MessageView extends View {
  #closer = 0;

  /** @override */
  get causes() { return ["message", "session"]; }

  /** @override */
  draw() {
    const message = this.client?.messages.visible ?? null;
    this.hidden = message === null || message.session !== undefined;
    if (message === null || this.hidden) return this.put();
    const body = message.body ?? { type: "text" };
    const isAtEdge = atEdge.includes(message.kind);
    const buttons = message.buttons ?? [];
    const close = (/** @type {"closeButton" | "escape"} */ reason) => () => this.client?.messages.dismiss(reason);
    const card = make(isAtEdge ? "aside" : "dialog", { class: `card message ${isAtEdge ? "edge" : ""}`,
      "aria-label": body.header ?? body.message ?? "" },
      make("div", { class: "head" }, make("h2", {}, [body.icon, body.header].filter(Boolean).join(" ")),
        iconButton("close", text("close"), close("closeButton"))),
      body.message ? make("p", {}, body.message) : null,
      buttons.length === 0 ? null : make("div", { class: "line" }, ...buttons.map((button, index) =>
        make("button", { type: "button", class: index === buttons.length - 1 ? "primary" : "",
          onclick: () => this.client?.messages.click(button) }, button.text))));
    card.addEventListener("cancel", (event) => {
      event.preventDefault();
      close("escape")();
    });
    this.put(card);
    const stay = message.closing?.after ?? defaultStay.get(message.kind);
    clearTimeout(this.#closer);
    if (typeof stay === "number") {
      this.#closer = window.setTimeout(() => this.#closeByItself(message.message), stay / 1000);
    }
    if (card instanceof HTMLDialogElement) card.showModal();
  }

  /** @param {string} message unless another one has taken its place */
  #closeByItself(message) {
    const presenter = this.client?.messages;
    if (presenter?.visible?.message === message) presenter.dismiss("automatic");
  }
}

customElements.define("m-message", MessageView);
