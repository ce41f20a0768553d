// What a message uses of the device while it is shown: its view, how the app is held, the page's bar.

import { sayingAs, showing, sorted, stands } from "./message-model.js";

/** @typedef {import("./message-model.js").InAppMessage} InAppMessage */
/** @typedef {import("./message-model.js").Orientation} Orientation */
/** @typedef {import("./surroundings.js").Surroundings} Surroundings */

/**
 * A message as a view is to show it.
 * @typedef {object} ShownMessage
 * @property {import("./surroundings.js").PresentationContext} context
 * @property {string} view the name of one of those registered
 * @property {import("./message-model.js").ColorScheme} colorScheme
 * @property {Orientation} orientation
 * @property {boolean} coversScreen a full screen message in a large window does not: it is a dialog
 * @property {boolean} isAnimated whether it appears with an animation
 */

export class ScreenUse {
  /** @type {ShownMessage | null} what the view was told to show */ shown = null;
  /** @type {Orientation | null} null follows the device */ #held = null;
  #hasRotated = false;
  #isBarChanged = false;

  /** @param {import("./surroundings.js").PresentationContext} context @param {string} view @param {Surroundings} around */
  show(context, view, around) {
    const { message, preferredOrientation } = context;
    const { platform } = around;
    let orientation = around.orientation;
    if (preferredOrientation !== undefined) {
      const isPossible = platform.supportedOrientations.includes(preferredOrientation)
        && stands(message.orientation, preferredOrientation);
      if (isPossible) this.#held = orientation = preferredOrientation;
      else around.warn("unsupportedOrientation", message);
    }
    // A message for one orientation is not turned with the device.
    if (message.orientation !== "any") this.#held = orientation;
    const shown = { context, view, colorScheme: platform.colorScheme, orientation,
      coversScreen: covers(message, around), isAnimated: message.animatesIn && !platform.reducesMotion };
    this.shown = shown;
    this.#hasRotated = false;
    const isHidden = barHidden(shown);
    this.#isBarChanged = isHidden !== null;
    if (isHidden !== null) around.emit("statusBar", { isHidden });
    if (this.#held !== null) around.emit("hold", { orientation: this.#held });
    return shown;
  }

  /** The device was turned; one that now stands as the app is held was turned by that, not by the person.
   * @param {Orientation} orientation */
  rotate(orientation) { if (orientation !== this.#held) this.#hasRotated = true; }

  /** Shows the message again for the current surroundings.
   * @param {number} token @param {Surroundings} around */
  follow(token, around) {
    if (this.shown === null) return;
    const before = this.shown;
    const { message } = before.context;
    const shown = { ...before, colorScheme: around.platform.colorScheme, coversScreen: covers(message, around) };
    if (this.#hasRotated && stands(message.orientation, around.orientation)) {
      shown.orientation = around.orientation;
      const held = message.orientation === "any" ? null : around.orientation;
      if (held !== this.#held) around.emit("hold", { orientation: held });
      this.#held = held;
    }
    this.#hasRotated = false;
    const isHidden = barHidden(shown);
    if (isHidden !== barHidden(before)) {
      around.emit("statusBar", { isHidden });
      this.#isBarChanged = isHidden !== null;
    }
    this.shown = shown;
    if (sorted(shown) !== sorted(before)) around.emit("view", { command: "update", shown, token });
  }

  /**
   * Swaps the video for the session's, and the words for a newer delivery's; a video that may not be
   * played is not shown.
   * @param {{url: string, title?: string}} media @param {InAppMessage | undefined} newer @param {number} token @param {Surroundings} around
   */
  swap(media, newer, token, around) {
    if (this.shown === null) return;
    const before = this.shown;
    const message = sayingAs(showing(before.context.message, media), newer);
    const shown = { ...before, context: { ...before.context, message } };
    if (sorted(shown) === sorted(before) || !around.isSound(message, shown.view)) return;
    this.shown = shown;
    around.tell("willUpdate", message);
    around.emit("view", { command: "update", shown, token });
  }

  /** @param {Surroundings} around */
  restore(around) {
    if (this.#isBarChanged) around.emit("statusBar", { isHidden: null });
    if (this.#held !== null) around.emit("hold", { orientation: null });
  }
}

/** @param {ShownMessage} shown @returns {boolean | null} null leaves the page's bar as it is */
function barHidden({ context, coversScreen }) {
  if (context.statusBar !== "auto") return context.statusBar === "hidden";
  return coversScreen ? true : null;
}

/**
 * Whether the message covers the whole app: a page always does, another full screen message unless the
 * window is as large as a tablet's.
 * @param {InAppMessage} message @param {Surroundings} around
 */
function covers(message, { platform, settings }) {
  if (message.surface !== "fullScreen") return false;
  return message.body.type === "html" || Math.min(platform.width, platform.height) < settings.largeWindow;
}

/** Time in sight, added up; µs. */
export class VisibleTime {
  #sum = 0;
  /** @type {number | null} */ #since = null;

  /** Starts or stops the time.
   * @param {boolean} isVisible @param {number} time */
  run(isVisible, time) {
    if (isVisible && this.#since === null) this.#since = time;
    else if (!isVisible && this.#since !== null) {
      this.#sum += time - this.#since;
      this.#since = null;
    }
  }

  /** @param {number} duration @returns {number | null} when the time reaches that much; null while it is stopped */
  momentOf(duration) { return this.#since === null ? null : this.#since + (duration - this.#sum); }
}
