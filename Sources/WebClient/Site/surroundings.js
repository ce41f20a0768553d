// What the presenter and the message on screen use while one input is handled.

import { faultOf } from "./message-faults.js";
import { actionsOf, adopting, isControl, showing } from "./message-model.js";
import { ViewRegistry } from "./view-registry.js";

/** @typedef {import("./message-model.js").InAppMessage} InAppMessage */

/**
 * How a message is about to be shown; an app may change all of it before it is.
 * @typedef {object} PresentationContext
 * @property {InAppMessage} message
 * @property {import("./message-model.js").Orientation} [preferredOrientation] at first, where the app can be held so
 * @property {"auto" | "hidden" | "visible"} statusBar what becomes of the page's own bar meanwhile
 * @property {string} [viewType] the view to show it in; without one, the message decides
 * @property {number} edgeOffset how far one at an edge stands from it, besides what the view keeps clear; px
 */

/** The settings of a presenter; times in µs. */
export class PresenterSettings {
  /** The app's identifier, for audiences of campaigns; set before the client starts, as is its version. */
  app = "matinee-web";
  /** @type {string | undefined} compared number by number: 1.10 is later than 1.9 */ version;
  /** What the app can do, for audiences. */
  capabilities = ["groupWatch"];
  /** @type {"manual" | "onForeground" | "onSlotFree"} when the stack's next message comes by itself */
  drainPolicy = "manual";
  /** Whether a message goes back to the stack when the person begins to write. */
  hidesOnTextInput = false;
  /** Whether a dismissal leaves the message's session; otherwise the person goes on elsewhere. */
  leavesWithMessage = true;
  /** Screens of the app on which no message is shown.
   * @type {Set<string>} */
  quietScreens = new Set();
  /** Whether players of sessions are a part of the app's own page, so that they disturb nobody who writes. */
  embedsPlayers = false;
  /** Whether colours of campaigns are ignored, for an app with a design of its own. */
  ignoresCampaignColors = false;
  registry = new ViewRegistry();
  /** How long it waits for the app, for pictures and for views; as `PresenterPatience`. */
  patience = { choice: 5_000_000, processing: 5_000_000, assets: 10_000_000, presenting: 15_000_000, dismissing: 5_000_000 };
  /** The server's default. */
  timeToLive = 300_000_000;
  /** A week of a busy app's campaigns. */
  stackLimit = 50;
  /** More messages and clicks at once than a person or an event brings. */
  questionLimit = 8;
  /** Ended deliveries and sessions that are remembered, so that late inputs are recognised. */
  memory = 256;
  /** The size, both ways, from which a full screen message is a dialog; px. */
  largeWindow = 600;
}

/**
 * What a presenter must know about the platform.
 * @typedef {object} PlatformState
 * @property {number} width px
 * @property {number} height px
 * @property {import("./message-model.js").ColorScheme} colorScheme
 * @property {string[]} supportedOrientations
 * @property {boolean} isVisible
 * @property {boolean} isTextInputFocused whether the person writes elsewhere than in a message
 * @property {boolean} reducesMotion
 * @property {boolean} hasDisplay
 * @property {boolean} hasPushPermission
 * @property {string} [screen] the app's name for what it shows, for `quietScreens`
 */

/** @type {PlatformState} a phone in sight */
export const somePlatform = {
  width: 390, height: 844, colorScheme: "light", supportedOrientations: ["portrait", "landscape"],
  isVisible: true, isTextInputFocused: false, reducesMotion: false, hasDisplay: true, hasPushPermission: false };

/** The settings, the platform, the time, and the outputs so far. */
export class Surroundings {
  now = 0;
  /** @type {any[]} */ outputs = [];
  #lastToken = 0;
  #lastClick = 0;

  /** @param {PresenterSettings} settings @param {PlatformState} platform */
  constructor(settings, platform) {
    this.settings = settings;
    this.platform = platform;
  }

  /** @returns {import("./message-model.js").Orientation} by the window's size; a square one is upright */
  get orientation() { return this.platform.width > this.platform.height ? "landscape" : "portrait"; }

  nextToken() { return this.#lastToken += 1; }
  nextClick() { return this.#lastClick += 1; }

  /** @param {string} type @param {Record<string, unknown>} [fields] */
  emit(type, fields = {}) { this.outputs.push({ type, ...fields }); }

  /** Tells the delegate.
   * @param {string} event @param {...unknown} values */
  tell(event, ...values) { this.emit("tell", { event, values }); }

  /** Warns the developer of the app.
   * @param {string} warning @param {InAppMessage} message @param {unknown} [detail] */
  warn(warning, { message }, detail) { this.emit("warn", { warning, message, detail }); }

  /**
   * Reports a delivery to the server, which knows nothing of an app's own messages.
   * @param {InAppMessage} message @param {string} report @param {Record<string, unknown>} [more]
   */
  report(message, report, more = {}) {
    if (message.campaign !== undefined) this.emit("report", { message: message.message, report, more });
  }

  /** @param {InAppMessage} message @param {string} view */
  #fault(message, view) { return faultOf(message, view, this.settings.registry.schemaOf(view)); }

  /** @param {InAppMessage} message @returns {string | null} why it is not offered to the app */
  refusalOf(message) {
    const { registry } = this.settings;
    const view = registry.choose({ message }).view ?? "default";
    const fault = this.#fault(message, view);
    if (fault !== null) {
      this.warn("invalidContent", message, fault);
      return "invalidContent";
    }
    const asksForPush = registry.schemaOf(view).asksForPush === true
      || actionsOf(message).some(({ type }) => type === "requestPushPermission");
    return this.platform.hasPushPermission && asksForPush ? "audience" : null;
  }

  /**
   * Checks the message that the app prepared, and gives it the delivery's own identity.
   * @param {PresentationContext} prepared @param {InAppMessage} original
   * @param {{url: string, title?: string} | undefined} media that its session watches
   * @returns {{context: PresentationContext, view: string} | {refusal: string}}
   */
  settle(prepared, original, media) {
    if (prepared.message.message !== original.message) this.warn("identityChanged", original);
    let message = adopting(prepared.message, original);
    if (media !== undefined) message = showing(message, media);
    const context = { ...prepared, message };
    const { view, unknown } = this.settings.registry.choose(context);
    if (unknown !== undefined) this.warn("unknownView", original, unknown);
    if (view === null) return { refusal: "noDisplay" };
    const fault = isControl(message) ? "there is nothing to show" : this.#fault(message, view);
    if (fault === null) return { context, view };
    this.warn("invalidContent", original, fault);
    return { refusal: "invalidContent" };
  }

  /** @param {InAppMessage} message @param {string} view @returns {boolean} whether it may be shown so */
  isSound(message, view) {
    const fault = this.#fault(message, view);
    if (fault !== null) this.warn("invalidContent", message, fault);
    return fault === null;
  }
}
