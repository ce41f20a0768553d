// Clicks on the message on screen: what each means, and which of them the app has yet to decide on.

import { buttonOf, isAtEdge, isPage, leavesOf } from "./message-model.js";

/** @typedef {import("./message-model.js").InAppMessage} InAppMessage */
/** @typedef {import("./actions.js").ClickAction} ClickAction */
/** @typedef {import("./surroundings.js").Surroundings} Surroundings */

/**
 * A click in a view.
 * @typedef {object} Click
 * @property {string} [button] its id; absent is the body
 * @property {ClickAction} [action] that a page of HTML or a custom view chooses
 * @property {boolean} [isTransient] whether the message stays: a page opens another beside it
 * @property {boolean} [isOnControl] whether a control of the view was touched, which keeps the touch
 */

/** @typedef {{number: number, button?: string, action: ClickAction, isTransient: boolean, due: number | null}} PendingClick */

/** @type {ClickAction} */
const close = { type: "close" };

/** The clicks whose actions the app has yet to decide on. */
export class PendingClicks {
  /** @type {PendingClick | null} the one that closes the message; kept until it is gone */ #closing = null;
  /** @type {PendingClick[]} after which the message stays */ #transient = [];

  get isClosing() { return this.#closing !== null; }
  get transientCount() { return this.#transient.length; }

  /**
   * Reports a click, and asks the app about its action.
   * @param {Click} click @param {ClickAction} action @param {boolean} isTransient
   * @param {InAppMessage} message @param {number} token @param {Surroundings} around
   */
  ask({ button }, action, isTransient, message, token, around) {
    around.report(message, "clicked", { button });
    const number = around.nextClick();
    const pending = { number, button, action, isTransient, due: around.now + around.settings.patience.processing };
    if (isTransient) this.#transient.push(pending);
    else this.#closing = pending;
    around.emit("ask", { question: "shouldProcess", token, click: number, action, message, buttonID: button,
      button: button === undefined ? undefined : buttonOf(message, button) });
  }

  /** @param {number} number @returns {PendingClick | null} null if none of that number waits */
  answer(number) {
    const place = this.#transient.findIndex((click) => click.number === number);
    if (place >= 0) return this.#transient.splice(place, 1)[0] ?? null;
    if (this.#closing?.number !== number) return null;
    const click = { ...this.#closing };
    this.#closing.due = null;
    return click;
  }

  /** The message is dismissed: only a click that closed it is kept.
   * @param {string} reason */
  end(reason) {
    this.#transient = [];
    if (reason !== "action") this.#closing = null;
  }

  /** @returns {{time: number, number: number}[]} when each is decided without the app */
  get dues() {
    return [...this.#transient, ...(this.#closing === null ? [] : [this.#closing])]
      .flatMap(({ due, number }) => (due === null ? [] : [{ time: due, number }]));
  }
}

/**
 * What a click means; null for nothing.
 * @param {InAppMessage} message @param {Click} click
 * @param {boolean} isOwnView whether the view is not the usual one: then there are things to click in
 *   it that the message does not know
 * @returns {{action: ClickAction} | {unknown: string} | null}
 */
export function meaningOf(message, click, isOwnView) {
  const own = isPage(message) || isOwnView ? click.action : undefined;
  if (click.button !== undefined) {
    const button = buttonOf(message, click.button);
    if (button === undefined && own === undefined && !isPage(message)) return { unknown: click.button };
    return { action: own ?? button?.clickAction ?? close };
  }
  if (click.isOnControl === true && own === undefined) return null;
  const isFree = isPage(message) || isAtEdge(message);
  if (!isFree && message.buttons.length > 0 && own === undefined) return null;
  const action = own ?? message.clickAction;
  // A view of the app's own, such as a player, knows itself what a tap means.
  return isFree || !isOwnView || action !== undefined ? { action: action ?? close } : null;
}

/**
 * The action of a click that an app reports which draws messages itself.
 * @param {InAppMessage} message @param {string | undefined} button @returns {ClickAction}
 */
export function reportedAction(message, button) {
  if (button === undefined) return message.clickAction ?? close;
  return buttonOf(message, button)?.clickAction ?? close;
}

/**
 * Whether a message stays after a click: a page may open another beside it, but a deep link closes it.
 * @param {InAppMessage} message @param {Click} click @param {ClickAction} action
 */
export function staysAfter(message, click, action) {
  return isPage(message) && click.isTransient === true && !leavesOf(action).some(({ type }) => type === "deepLink");
}

/**
 * Why a person's gesture closes the message; null if its author does not allow it. Escape always does.
 * @param {InAppMessage} message @param {"button" | "tapOutside" | "escape" | "swipe"} gesture
 */
export function reasonFor(message, gesture) {
  const { closing } = message;
  switch (gesture) {
    case "button": return closing.byButton || isPage(message) ? "closeButton" : null;
    case "tapOutside": return closing.byTapOutside ? "tapOutside" : null;
    case "swipe": return closing.bySwipe ? "swipe" : null;
    default: return "escape";
  }
}

/** @param {string} reason @returns {boolean} whether the person closed it */
export const isByPerson = (reason) => ["closeButton", "swipe", "tapOutside", "escape", "action"].includes(reason);
