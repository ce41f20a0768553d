// The ways out of a session: for oneself, and for hosts one that ends it for everybody.

import { make } from "./dom.js";
import { complain } from "./faults.js";
import { text } from "./texts.js";

/** @typedef {import("./client.js").Client} Client */

/**
 * Whether the person's dismissal of the player ends the session for the others, too.
 * @param {import("./mirror.js").SessionMirror} session
 */
function endsAll({ dismissalPolicy, initiator, own }) {
  return dismissalPolicy === "endsForEveryone"
    || (dismissalPolicy === "endsWithInitiator" && initiator.user === own?.user);
}

/** Its two buttons. The one for everybody is pressed once more, since nothing takes it back. */
export class WaysOut {
  leave = make("button", { type: "button", class: "leave", "data-key": "leave", onclick: () => this.#leave() });
  end = make("button", { type: "button", class: "end", "data-key": "end", hidden: true,
    onclick: (/** @type {MouseEvent} */ event) => { if (event.detail !== 2) this.#press(); },
    // Safari takes the focus from a button that is pressed, and so would take the question back at the second press.
    onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
    // A key that is held presses the button again and again.
    onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.repeat) event.preventDefault(); },
    onblur: () => this.#ask(false) });
  /** @type {Client | null} */ #client = null;
  #isAsked = false;

  /** @param {Client} client of a session */
  show(client) {
    this.#client = client;
    const session = client.session;
    const role = session?.own?.role;
    // Who started it and handed it over leaves, and the others watch on.
    this.end.hidden = session === null || !endsAll(session) || (role !== "host" && role !== "coHost");
    if (this.end.hidden) this.#isAsked = false;
    this.#label();
  }

  #label() {
    this.leave.textContent = text("leave");
    this.end.textContent = text(this.#isAsked ? "reallyEnd" : "endForAll");
    this.end.classList.toggle("grave", this.#isAsked);
  }

  /** @param {boolean} isAsked whether one more press ends it */
  #ask(isAsked) {
    this.#isAsked = isAsked;
    this.#label();
  }

  #leave() {
    const session = this.#client?.session;
    if (!session) return;
    if (!endsAll(session)) return this.#client?.messages.dismissHost(session.id);
    this.#client?.leave().catch(complain);
  }

  #press() {
    const session = this.#client?.session;
    const isSure = this.#isAsked;
    this.#ask(!isSure);
    // Its own way of taking the focus is prevented; without the focus, it would not lose it either.
    if (!isSure) this.end.focus();
    else if (session) this.#client?.messages.dismissHost(session.id);
  }
}
