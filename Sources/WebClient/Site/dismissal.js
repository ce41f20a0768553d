// How the message on screen is dismissed, and what becomes of its delivery and its session.

import { isByPerson } from "./message-clicks.js";

export class Dismissal {
  /** @type {string | null} why it is dismissed; null until it is */ reason = null;
  /** @type {string | undefined} the button, after an action */ button;
  /** @type {"finished" | "waits" | {refused: string}} what becomes of the delivery */ end = "finished";
  /** @type {number | null} when its view must be gone */ due = null;
  /** Whether its view is gone, and the device as it was before. */
  isOver = false;
  /** Whether the view went by itself. */
  isViewGone = false;
  /** @type {string | null} why it is dismissed as soon as it is on screen */ #waiting = null;
  /** Whether the session is left with the message for any reason. */
  mustLeaveSession = false;
  /** Whether the session stays although the person closed the message, because the click was for it. */
  keepsSession = false;

  /** @param {import("./surroundings.js").PresenterSettings} settings @returns {boolean} */
  leavesSession(settings) {
    if (this.reason === "userChanged" || this.reason === "dataWiped") return true;
    if (!settings.leavesWithMessage) return false;
    if (this.reason !== null && isByPerson(this.reason)) return !this.keepsSession || this.mustLeaveSession;
    return this.mustLeaveSession && this.end === "finished";
  }

  /** Dismisses it as soon as it is on screen; the first reason counts unless it is replaced.
   * @param {string} reason @param {boolean} [replaces] */
  wait(reason, replaces = false) {
    if (replaces || this.#waiting === null) this.#waiting = reason;
  }

  takeWaiting() {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }

  /** @param {string} reason @param {Dismissal["end"]} end @param {number} due */
  begin(reason, end, due) { [this.reason, this.end, this.due] = [reason, end, due]; }
}
