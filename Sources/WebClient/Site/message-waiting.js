// The messages that are not on screen: those that the app is asked about, and those that wait.

import { isPlayer, sayingAs, showing, videoOf } from "./message-model.js";

/** @typedef {import("./message-offer.js").OfferedMessage} OfferedMessage */
/** @typedef {import("./surroundings.js").PresenterSettings} PresenterSettings */
/** @typedef {"stack" | "followUp" | "deferral" | "held"} Place where a message waits */
/** @typedef {{delivery: OfferedMessage, refusal: string}} Displaced one that makes way, and why */

export class WaitingMessages {
  /** @type {{token: number, delivery: OfferedMessage, due: number}[]} */ #offers = [];
  /** @type {OfferedMessage[]} the last is the top */ #stack = [];
  /** @type {OfferedMessage | null} */ #followUp = null;
  /** @type {OfferedMessage[]} one player for each session, and what else belongs to it */ #deferred = [];
  /** @type {OfferedMessage[]} until there is a display */ #held = [];

  /** @returns {OfferedMessage[]} the stack, the next one first */
  get stacked() { return [...this.#stack].reverse(); }
  get offerCount() { return this.#offers.length; }

  /** @returns {OfferedMessage[]} wherever they wait */
  get all() {
    return [...this.#stack, ...this.#deferred, ...this.#held, ...this.#offers.map(({ delivery }) => delivery),
      ...(this.#followUp === null ? [] : [this.#followUp])];
  }

  // The app is asked.

  /** @param {OfferedMessage} delivery @param {number} token @param {number} due */
  offer(delivery, token, due) { this.#offers.push({ token, delivery, due }); }

  /** @param {number} token @returns {OfferedMessage | null} null if the question is over */
  takeOffer(token) {
    const place = this.#offers.findIndex((offer) => offer.token === token);
    return place < 0 ? null : this.#offers.splice(place, 1)[0]?.delivery ?? null;
  }

  /**
   * Gives a session's player that the app is asked about another one's words and video.
   * @param {import("./message-model.js").InAppMessage} newer @returns {boolean} whether there is one
   */
  showInOffer(newer) {
    const offer = this.#offers.find(({ delivery: { message } }) => isPlayer(message) && message.session === newer.session);
    if (offer === undefined) return false;
    const [message, media] = [sayingAs(offer.delivery.message, newer), videoOf(newer)];
    offer.delivery.message = media === undefined ? message : showing(message, media);
    return true;
  }

  /** @returns {{time: number, due: {kind: "choice", token: number} | {kind: "held", id: string}}[]} */
  get dues() {
    const choices = this.#offers.map(({ token, due }) => ({ time: due, due: /** @type {const} */ ({ kind: "choice", token }) }));
    // A time to live includes its last moment.
    const held = this.#held.flatMap(({ id, expires }) => (expires === null ? []
      : [{ time: expires + 1, due: /** @type {const} */ ({ kind: "held", id }) }]));
    return [...choices, ...held];
  }

  // Waiting.

  /**
   * @param {OfferedMessage} delivery @param {Place} place @param {PresenterSettings} settings
   * @returns {Displaced[]} in order
   */
  put(delivery, place, settings) {
    switch (place) {
      case "stack": return this.#push(delivery, settings);
      case "followUp": {
        const displaced = this.#followUp === null ? [] : this.#push(this.#followUp, settings);
        this.#followUp = delivery;
        return displaced;
      }
      case "deferral": return add(delivery, this.#deferred, settings.questionLimit);
      default: return add(delivery, this.#held, settings.stackLimit);
    }
  }

  /** @param {OfferedMessage} delivery @param {PresenterSettings} settings @returns {Displaced[]} */
  #push(delivery, settings) {
    const equal = this.#stack.filter((one) => one.isSameAs(delivery) && one.id !== delivery.id);
    this.#stack = this.#stack.filter((one) => !one.isSameAs(delivery) && one.id !== delivery.id);
    this.#stack.push(delivery);
    return [...equal.map((one) => ({ delivery: one, refusal: "replaced" })), ...overflow(this.#stack, settings.stackLimit)];
  }

  // Taking out.

  popStack() { return this.#stack.pop() ?? null; }

  takeFollowUp() {
    const followUp = this.#followUp;
    this.#followUp = null;
    return followUp;
  }

  /** @param {(delivery: OfferedMessage) => boolean} matches @returns {OfferedMessage | null} the first session's message */
  takeDeferred(matches) {
    const place = this.#deferred.findIndex(matches);
    return place < 0 ? null : this.#deferred.splice(place, 1)[0] ?? null;
  }

  takeHeld() { return this.#held.splice(0); }

  /** @param {(delivery: OfferedMessage) => boolean} matches @returns {OfferedMessage[]} */
  takeFromStack(matches) {
    const found = this.#stack.filter(matches);
    this.#stack = this.#stack.filter((one) => !matches(one));
    return found;
  }

  /** @param {(delivery: OfferedMessage) => boolean} matches @returns {OfferedMessage[]} wherever they wait */
  take(matches) {
    const found = this.all.filter(matches);
    const stays = (/** @type {OfferedMessage} */ one) => !found.includes(one);
    [this.#stack, this.#deferred, this.#held] = [this.#stack, this.#deferred, this.#held].map((list) => list.filter(stays));
    this.#offers = this.#offers.filter(({ delivery }) => stays(delivery));
    if (this.#followUp !== null && !stays(this.#followUp)) this.#followUp = null;
    return found;
  }

  /** @returns {OfferedMessage[]} all of them; of the stack the next one first */
  takeAll() {
    const stack = this.stacked;
    this.#stack = [];
    return [...stack, ...this.take(() => true)];
  }
}

/**
 * Adds a delivery; a player takes the place of another of its session.
 * @param {OfferedMessage} delivery @param {OfferedMessage[]} list @param {number} limit @returns {Displaced[]}
 */
function add(delivery, list, limit) {
  const { session } = delivery.message;
  const older = isPlayer(delivery.message) ? list.filter(({ message }) => isPlayer(message) && message.session === session) : [];
  for (const one of older) list.splice(list.indexOf(one), 1);
  list.push(delivery);
  return [...older.map((one) => ({ delivery: one, refusal: "replaced" })), ...overflow(list, limit)];
}

/** Takes out the oldest if there are too many; a player only if there is nothing else.
 * @param {OfferedMessage[]} list @param {number} limit @returns {Displaced[]} */
function overflow(list, limit) {
  if (list.length <= limit) return [];
  const place = Math.max(0, list.findIndex(({ message }) => !isPlayer(message)));
  return list.splice(place, 1).map((delivery) => ({ delivery, refusal: "overflow" }));
}
