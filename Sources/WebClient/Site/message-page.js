// A message that is a page of HTML, in a frame of its own origin.

import { make } from "./dom.js";
import { deedOf } from "./message-bridge.js";
import { text } from "./texts.js";

/** @typedef {import("./message-element.js").MessageElement} MessageElement */

/** Words that a page may say: a game that logs every move says fewer. */
const mostWords = 1_000;
/** How long the frame may take to show the page, once it is loaded; ms. Where an app does not serve it, it never does. */
const patience = 5_000;

export class MessagePage extends HTMLElement {
  #view;
  #words = 0;
  /** @type {MessagePort | null} */ #port = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #isLate;
  #tellReady = () => {};
  /** @type {Promise<void>} resolves when the page is in its frame */ ready;

  /** @param {MessageElement} view */
  constructor(view) {
    super();
    this.#view = view;
    this.ready = new Promise((resolve) => { this.#tellReady = resolve; });
  }

  connectedCallback() {
    const frame = make("iframe", { title: this.#view.message.campaign?.name ?? text("message"), src: "/message-frame.html" });
    frame.setAttribute("sandbox", "allow-scripts");
    frame.addEventListener("load", () => this.#open(frame), { once: true });
    this.append(frame);
  }

  /** A frame that is moved loads its page anew, so that the message makes another one. */
  disconnectedCallback() {
    this.#port?.close();
    clearTimeout(this.#isLate);
    this.replaceChildren();
    this.toggleAttribute("shown", false);
  }

  /** The page stays as it is: its own styles follow the surroundings. */
  update() {}

  /** @param {HTMLIFrameElement} frame */
  #open(frame) {
    const { body: { source, baseURL, allowsScripts }, language } = this.#view.message;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#hear(data, baseURL);
    // The frame's origin is opaque, and has no name.
    frame.contentWindow?.postMessage({ source, allowsScripts: allowsScripts === true, language }, "*", [port2]);
    // Each frame has its own: the server may be away when another one is made.
    this.#isLate = setTimeout(() => this.#view.host.tell({ kind: "failed", failure: "content" }), patience);
  }

  /** @param {unknown} data @param {string | undefined} baseURL */
  #hear(data, baseURL) {
    this.#words += 1;
    const deed = this.#words > mostWords ? null : deedOf(data, baseURL);
    if (deed === null) return;
    const { host } = this.#view;
    if ("shown" in deed) {
      clearTimeout(this.#isLate);
      this.toggleAttribute("shown", true);
      this.#tellReady();
    } else if ("tell" in deed) host.tell(deed.tell);
    else if ("perform" in deed) host.perform(deed.perform);
    else host.notice(deed.notice, deed.fields);
  }
}

customElements.define("m-message-page", MessagePage);
