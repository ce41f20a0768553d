// A video that a campaign shows to one person, with the browser's own player.

import { icon, make } from "./dom.js";
import { buttonRow, paintButtons } from "./message-content.js";
import { text } from "./texts.js";

/** @typedef {import("./message-element.js").MessageElement} MessageElement */
/** @typedef {import("./screen-use.js").ShownMessage} ShownMessage */

/** The title of a video without one, as in Swift. */
const usualTitle = "Video Content";

export class MessageVideo extends HTMLElement {
  #view;
  #video = make("video", { controls: true, playsInline: true, preload: "metadata" });
  #title = make("h2", { class: "words leading" });
  /** Whether it plays as soon as it is on the page: at first, and where it is moved to while it plays. */
  #plays = true;

  /** @param {MessageElement} view */
  constructor(view) {
    super();
    this.#view = view;
  }

  connectedCallback() {
    if (this.childElementCount === 0) this.#fill();
    // A browser that wants a tap before it plays has the tap on its own button.
    if (this.#plays) this.#video.play().catch(() => {});
  }

  disconnectedCallback() {
    this.#plays = !this.#video.paused;
    this.pause();
  }

  pause() { this.#video.pause(); }

  #fill() {
    this.#video.addEventListener("error", () => this.#video.after(make("p", { class: "words" }, text("mediaFailed", { title: this.#title.textContent ?? "" }))), { once: true });
    const buttons = buttonRow(this.#view);
    this.append(make("div", { class: "line" }, this.#title, ...this.#aside()), this.#video, ...(buttons === null ? [] : [buttons]));
    this.update(this.#view.shown);
  }

  /** @param {ShownMessage} shown */
  update({ context: { message: { extras } } }) {
    const [url, title] = [String(extras.video_url), String(extras.video_title ?? usualTitle)];
    if (this.#video.getAttribute("src") !== url) this.#video.src = url;
    this.#title.textContent = title;
    this.#video.setAttribute("aria-label", title);
    paintButtons(this.#view);
  }

  /** The picture in a window of its own, in browsers that have it. */
  #aside() {
    if (!document.pictureInPictureEnabled) return [];
    return [make("button", { type: "button", class: "aside", title: text("pictureInPicture"), "aria-label": text("pictureInPicture"),
      onclick: () => void this.#video.requestPictureInPicture().catch(() => {}) }, icon("aside"))];
  }
}

customElements.define("m-message-video", MessageVideo);
