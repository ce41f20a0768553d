// Asks for the person's own copy of what the group watches, and compares it.

import { make } from "./dom.js";
import { differencesOf } from "./own-file.js";
import { text } from "./texts.js";

/** @typedef {import("./queue.js").Media} Media */

/** One media's card over the film; `ontake` gets the file that the person chose. */
export class FileCard {
  /** @type {{file: File, differences: ("name" | "size")[]} | null} */ #doubtful = null;
  /** @type {(file: File) => void} */ ontake = () => {};
  onchange = () => {};

  /** @param {Media} media */
  constructor(media) { this.media = media; }

  /** @returns {(Node | null)[]} */
  get parts() {
    const title = this.media.title ?? this.media.url;
    const field = make("input", { type: "file", id: "copy", "data-key": "copy", accept: "video/*,audio/*", onchange: () => {
      const file = field.files?.[0];
      if (file !== undefined) void this.#compare(file);
    } });
    const doubtful = this.#doubtful;
    if (doubtful === null) {
      return [make("p", {}, text("fileWanted", { title })), field,
        make("label", { for: "copy", class: "primary" }, text("chooseFile")), make("p", {}, text("fileHint"))];
    }
    const what = text(doubtful.differences.length === 2 ? "differsBoth"
      : doubtful.differences[0] === "name" ? "differsName" : "differsSize");
    return [make("p", { role: "alert" }, text("fileDiffers", { what })), make("p", { class: "count" }, doubtful.file.name),
      field, make("div", { class: "line" },
        make("label", { for: "copy", class: "primary" }, text("chooseAnother")),
        make("button", { type: "button", "data-key": "use anyway", onclick: () => this.#takeAnyway() }, text("useAnyway")))];
  }

  /** The file that was compared last, which may look like the one before. */
  #takeAnyway() { if (this.#doubtful !== null) this.ontake(this.#doubtful.file); }

  /** @param {File} file */
  async #compare(file) {
    const differences = await differencesOf(file, this.media);
    if (differences.length === 0) return this.ontake(file);
    this.#doubtful = { file, differences };
    this.onchange();
  }
}
