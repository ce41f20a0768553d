// The display of in-app messages: it makes their elements, loads their pictures, and asks to be held so.

import { MessagePicker, MessageSwitches } from "./message-choices.js";
import { MessagePicture, MessageText } from "./message-content.js";
import { MessageElement } from "./message-element.js";
import { isAtEdge, isPage, isPlayer } from "./message-model.js";
import { MessagePage } from "./message-page.js";
import { MessageVideo } from "./message-video.js";

/** @typedef {import("./screen-use.js").ShownMessage} ShownMessage */
/** @typedef {import("./message-host.js").MessageHost} MessageHost */
/** @typedef {import("./message-host.js").ViewMaker} ViewMaker */

/** The views that come along, by their names.
 * @type {Record<string, ViewMaker>} */
const shipped = {
  picker: (_, view) => new MessagePicker(view),
  table_list: (_, view) => new MessageSwitches(view),
  // Its last button's action asks the browser.
  permission: (_, view) => new MessageText(view),
  video: (_, view) => new MessageVideo(view),
  default: ({ context: { message } }, view) => {
    if (isPage(message)) return new MessagePage(view);
    return message.body.type === "image" ? new MessagePicture(view) : new MessageText(view);
  },
};

/** @type {import("./message-host.js").MessageDisplay} */
export class MessageScreen {
  /** @type {MessageElement | null} */ #element = null;
  /** @type {MessageHost | null} of a player that is the page's own */ #embedded = null;
  /** @type {HTMLElement | null} says what appears at an edge */ #speaker = null;
  /** @type {(isHidden: boolean | null) => void} whether the page hides its own bar; null: as it was */
  onstatusbar = () => {};

  /** @returns {MessageElement | null} the message on screen */
  get element() { return this.#element; }

  /** @param {ShownMessage} shown @param {MessageHost} host */
  show(shown, host) {
    const { message } = shown.context;
    // The app's page has the player of a session, and shows it while its message is here.
    if (isPlayer(message)) {
      this.#embedded = host;
      return host.tell({ kind: "presented" });
    }
    const make = host.makerOf(shown.view) ?? shipped[shown.view] ?? shipped.default;
    this.#element = new MessageElement(shown, host, /** @type {ViewMaker} */ (make));
    if (isAtEdge(message)) this.#speak([message.body.header, message.body.message, message.body.image?.alternativeText]);
    void this.#element.enter();
  }

  /** @param {ShownMessage} shown */
  update(shown) { this.#element?.update(shown); }

  pause() { this.#element?.pause(); }

  /** @param {boolean} isAnimated */
  dismiss(isAnimated) {
    const [element, embedded] = [this.#element, this.#embedded];
    [this.#element, this.#embedded] = [null, null];
    this.#speak([]);
    void element?.leave(isAnimated);
    embedded?.tell({ kind: "dismissed" });
  }

  /** @param {boolean | null} isHidden */
  statusBar(isHidden) { this.onstatusbar(isHidden); }

  /** Only an app in full screen is held as it wants; a message that is not is turned by its element.
   * @param {import("./message-model.js").Orientation | null} orientation */
  hold(orientation) {
    const device = /** @type {any} */ (screen.orientation);
    if (orientation === null) return device?.unlock?.();
    device?.lock?.(orientation).catch(() => {});
  }

  /** @param {import("./message-model.js").Assets} assets @returns {Promise<("loaded" | "landscapeFailed" | "failed")[]>} */
  async load({ image, landscapeImage }) {
    const [isThere, isThereAcross] = await Promise.all([image, landscapeImage].map(load));
    if (!isThere) return ["failed"];
    return isThereAcross ? ["loaded"] : ["landscapeFailed", "loaded"];
  }

  /** What stands at an edge has no focus, and is said when it comes.
   * @param {(string | undefined)[]} words */
  #speak(words) {
    if (this.#speaker === null) {
      this.#speaker = document.createElement("p");
      this.#speaker.className = "matinee-message-speaker";
      this.#speaker.setAttribute("aria-live", "polite");
      document.body.append(this.#speaker);
    }
    this.#speaker.textContent = words.filter((word) => (word ?? "") !== "").join(" ");
  }
}

/** @param {string | undefined} url @returns {Promise<boolean>} whether the picture is there, or none is wanted */
async function load(url) {
  if (url === undefined) return true;
  const picture = new Image();
  picture.src = url;
  try {
    await picture.decode();
    return true;
  } catch {
    return false;
  }
}
