// One delivery and its progress, which ends in exactly one `finished`.

import { isControl, looksLike } from "./message-model.js";

/** @typedef {import("./message-model.js").InAppMessage} InAppMessage */
/** @typedef {import("./surroundings.js").Surroundings} Surroundings */
/** @typedef {"trigger" | "stack" | "followUp" | "deferred" | "local"} Origin */

/**
 * Every step there is. A view may decline a message that is `presenting`, and a person who writes may
 * send one on screen back; both wait again by way of `dismissing`, so that each `willPresent` has its
 * `didDismiss`.
 * @type {Record<string, string[]>}
 */
export const nextStages = {
  waiting: ["offered", "finished"],
  offered: ["loading", "presenting", "waiting", "finished"],
  loading: ["preparing", "waiting", "finished"],
  preparing: ["presenting", "waiting", "finished"],
  presenting: ["presented", "dismissing"],
  presented: ["dismissing"],
  dismissing: ["finished", "waiting"],
  finished: [],
};

/** A message that was offered. */
export class OfferedMessage {
  stage = "waiting";
  /** Whether it was on screen and sent back. */
  wasShown = false;
  /** @type {number | null} the call of `presentNext` that is told of its end */ request = null;
  /** Whether the server knows that it waits. */
  isKnownToWait = false;

  /**
   * @param {InAppMessage} message @param {Origin} origin
   * @param {number | null} [expires] suspended while it waits for its turn
   * @param {boolean} [wasSeen] whether its impression was counted
   */
  constructor(message, origin, expires = null, wasSeen = false) {
    this.message = message;
    this.origin = origin;
    this.expires = expires;
    this.wasSeen = wasSeen;
  }

  get id() { return this.message.message; }

  /** @param {string} stage */
  go(stage) {
    if (!nextStages[this.stage]?.includes(stage)) throw new RangeError(`${this.id} goes from ${this.stage} to ${stage}`);
    this.stage = stage;
  }

  /** @param {OfferedMessage} other */
  isSameAs(other) { return looksLike(this.message, other.message); }

  /**
   * Lets it wait, and tells the caller that asked for it and the server.
   * @param {Surroundings} around @param {boolean} keepsExpiry whether its time to live runs on
   */
  wait(around, keepsExpiry) {
    if (this.stage !== "waiting") this.go("waiting");
    if (this.request !== null) around.emit("answer", { request: this.request, result: "reenqueued" });
    this.request = null;
    if (keepsExpiry) return;
    this.expires = null;
    if (!this.isKnownToWait) around.report(this.message, "waiting");
    this.isKnownToWait = true;
  }

  /**
   * Ends it, and tells the server, the delegate and the caller that asked for it.
   * @param {Outcome} outcome @param {Surroundings} around
   */
  finish(outcome, around) {
    this.go("finished");
    const result = outcome.refused === undefined ? "presented" : outcome.refused;
    // It was on screen, and is not shown again.
    const told = outcome.refused !== undefined && this.wasShown ? { dismissedBy: "textInput" } : outcome;
    if (told.refused !== undefined) around.report(this.message, "refused", { reason: told.refused });
    else around.report(this.message, "dismissed", { reason: told.dismissedBy ?? "automatic", button: told.button });
    around.tell("finished", this.id, told);
    if (this.request !== null) around.emit("answer", { request: this.request, result });
  }

  /** A control goes through all stages, but nothing is shown.
   * @param {Surroundings} around */
  runAsControl(around) {
    const { message } = this;
    this.go("presenting");
    around.tell("willPresent", message);
    around.report(message, "started");
    this.go("presented");
    around.tell("impression", message);
    around.report(message, "impression");
    around.tell("didPresent", message);
    this.go("dismissing");
    around.tell("willDismiss", message, "automatic");
    around.tell("didDismiss", message, "automatic");
  }

  get isControl() { return isControl(this.message); }
}

/**
 * How a delivery ended: `dismissedBy` a reason after it was on screen, `control`, or `refused`.
 * @typedef {{dismissedBy?: string, button?: string, control?: true, refused?: string}} Outcome
 */
