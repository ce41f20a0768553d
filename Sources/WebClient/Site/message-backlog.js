// The deliveries that are not on screen, those that ended, their sessions, and who may come now.

import { allows } from "./message-faults.js";
import { isPage, isPlayer, showing } from "./message-model.js";
import { WaitingMessages } from "./message-waiting.js";

/** @typedef {import("./message-offer.js").OfferedMessage} OfferedMessage */
/** @typedef {import("./message-model.js").InAppMessage} InAppMessage */
/** @typedef {import("./surroundings.js").Surroundings} Surroundings */
/** @typedef {import("./message-waiting.js").Place} Place */
/** @typedef {{url: string, title?: string}} Media */
/** @typedef {"open" | {refused: string} | {waits: Place}} Verdict */
/** @typedef {{hasScreen: boolean, isTaken: boolean, isClickedAway: boolean}} Situation what has the screen */

/** The session that this device takes part in, and those that it is no longer in. */
class CurrentSession {
  /** @type {{id: string, media?: Media} | null} */ #current = null;
  /** @type {string[]} */ #over = [];

  /** @param {string} id */
  isOver(id) { return this.#over.includes(id); }

  /** @param {InAppMessage | undefined} message @returns {Media | undefined} what a player's session watches, if it is the current one */
  mediaOf(message) {
    return message !== undefined && isPlayer(message) && message.session === this.#current?.id ? this.#current?.media : undefined;
  }

  /** @param {string} id @param {Media} [media] */
  join(id, media) {
    this.#over = this.#over.filter((one) => one !== id);
    this.#current = { id, media };
  }

  /** @param {string} id @param {Media} media @returns {boolean} whether it is the current session */
  watch(id, media) {
    if (this.#current?.id !== id) return false;
    this.#current.media = media;
    return true;
  }

  /** @param {string} id @param {number} memory how many are remembered */
  end(id, memory) {
    this.#over = [...this.#over, id].slice(-memory);
    if (this.#current?.id === id) this.#current = null;
  }
}

export class MessageBacklog {
  waiting = new WaitingMessages();
  session = new CurrentSession();
  /** Whether the stack is to give up its next message when it can. */
  isDrainDue = false;
  /** @type {"none" | "discard" | "queue"} while the app wants no messages */ suppression = "none";
  /** @type {unknown} which of the app's own pop-ups has the screen */ lease = null;
  /** @type {string[]} deliveries that ended, in order */ #ended = [];

  /** @param {Surroundings} around @param {string | null} user */
  constructor(around, user) {
    this.around = around;
    this.user = user;
  }

  /** @param {string} id */
  hasEnded(id) { return this.#ended.includes(id); }

  /** @param {InAppMessage} message */
  isForUser({ campaign }) { return campaign === undefined || campaign.user === this.user; }

  // Who may come.

  /** Tests a message in the order of the rules; the first that applies decides.
   * @param {OfferedMessage} delivery @param {Situation} situation @returns {Verdict} */
  verdictOn(delivery, situation) {
    const { message, expires } = delivery;
    if (!this.isForUser(message)) return { refused: "userMismatch" };
    if (expires !== null && expires < this.around.now) return { refused: "expired" };
    if (message.session !== undefined && this.session.isOver(message.session)) return { refused: "sessionEnded" };
    const place = message.session === undefined ? "stack" : "deferral";
    if (this.suppression === "discard") return { refused: "suppressed" };
    if (this.suppression === "queue") return { waits: place };
    if (!this.around.platform.hasDisplay) return { waits: "held" };
    if (delivery.isControl) return "open";
    if (!situation.hasScreen && (situation.isTaken || this.lease !== null)) {
      const isAfterClick = situation.isClickedAway && ["trigger", "local"].includes(delivery.origin);
      return { waits: place === "stack" && isAfterClick ? "followUp" : place };
    }
    if (this.#isQuietFor(message)) return { waits: place };
    const asksEnough = this.waiting.offerCount >= this.around.settings.questionLimit;
    return !situation.hasScreen && asksEnough ? { waits: place } : "open";
  }

  /** On a quiet screen no message disturbs; while writing none that would take the keyboard.
   * @param {InAppMessage} message */
  #isQuietFor(message) {
    const { platform, settings } = this.around;
    if (platform.screen !== undefined && settings.quietScreens.has(platform.screen)) return true;
    return platform.isTextInputFocused && !isPage(message) && !(settings.embedsPlayers && isPlayer(message));
  }

  /** Lets a message through, or not.
   * @param {OfferedMessage} delivery @param {Situation} situation */
  #admit(delivery, situation) {
    const verdict = this.verdictOn(delivery, situation);
    if (verdict === "open") return true;
    if ("refused" in verdict) this.finish(delivery, verdict);
    else this.wait(delivery, verdict.waits);
    return false;
  }

  // The app is asked.

  /** Tests a message, and if it passes asks the app.
   * @param {OfferedMessage} delivery @param {Situation} situation @returns {number | null} its token, if it gets the screen unasked */
  offer(delivery, situation) {
    if (!this.#admit(delivery, situation)) return null;
    const media = this.session.mediaOf(delivery.message);
    if (media !== undefined) {
      const own = delivery.message.extras.video_url;
      if (own !== undefined && own !== media.url) this.around.warn("otherMedia", delivery.message, own);
      delivery.message = showing(delivery.message, media);
    }
    const refusal = this.around.refusalOf(delivery.message);
    if (refusal !== null) {
      this.finish(delivery, { refused: refusal });
      return null;
    }
    const token = this.around.nextToken();
    delivery.go("offered");
    // A player that was on screen before the connection was cut is on screen again, unasked.
    if (delivery.wasSeen && isPlayer(delivery.message)) return token;
    this.waiting.offer(delivery, token, this.around.now + this.around.settings.patience.choice);
    this.around.emit("ask", { question: "displayChoice", message: delivery.message, origin: delivery.origin, token });
    return null;
  }

  /** @param {string} choice @param {number} token @param {Situation} situation @returns {OfferedMessage | null} the message if it gets the screen */
  hearChoice(choice, token, situation) {
    const delivery = this.waiting.takeOffer(token);
    if (delivery === null) return null;
    if (choice === "discard") {
      const equal = this.waiting.takeFromStack((one) => one.isSameAs(delivery));
      for (const one of [...equal, delivery]) this.finish(one, { refused: "choice" });
      return null;
    }
    if (choice === "reenqueue" || choice === "later") {
      this.wait(delivery, "stack");
      return null;
    }
    // It is tested again, because much may have changed while the app decided.
    return this.#admit(delivery, situation) ? delivery : null;
  }

  // Waiting and ending.

  /** Its time to live stands still, except before there is a display.
   * @param {OfferedMessage} delivery @param {Place} wanted */
  wait(delivery, wanted) {
    const place = wanted === "held" && delivery.origin === "stack" ? "stack" : wanted;
    delivery.wait(this.around, place === "held");
    for (const { delivery: older, refusal } of this.waiting.put(delivery, place, this.around.settings)) {
      // It only waited, so nothing is free for the stack's next message.
      this.#conclude(older, { refused: refusal });
    }
  }

  /** @param {OfferedMessage} delivery @param {import("./message-offer.js").Outcome} outcome */
  finish(delivery, outcome) {
    this.#conclude(delivery, outcome);
    this.freePlace();
  }

  /** @param {OfferedMessage} delivery @param {import("./message-offer.js").Outcome} outcome */
  #conclude(delivery, outcome) {
    delivery.finish(outcome, this.around);
    if (delivery.message.campaign !== undefined) this.#ended = [...this.#ended, delivery.id].slice(-this.around.settings.memory);
  }

  /** @param {(delivery: OfferedMessage) => boolean} matches @param {string} refusal */
  finishAll(matches, refusal) {
    for (const delivery of this.waiting.take(matches)) this.finish(delivery, { refused: refusal });
  }

  /** Something ended or got out of the way. */
  freePlace() { if (this.around.settings.drainPolicy === "onSlotFree") this.isDrainDue = true; }

  /** The app came in sight. */
  comeInSight() { if (this.around.settings.drainPolicy === "onForeground") this.isDrainDue = true; }

  // Sessions.

  /** This device leaves a session, unless it has left it or the session is over.
   * @param {string} id */
  leave(id) {
    if (this.session.isOver(id)) return;
    this.around.emit("session", { step: "leave", session: id });
    this.forget(id);
  }

  /** A session is over for this device, and its waiting messages end.
   * @param {string} id */
  forget(id) {
    this.session.end(id, this.around.settings.memory);
    this.around.emit("session", { step: "clearSession", session: id });
    this.around.emit("session", { step: "clearItem", session: id });
    this.finishAll((one) => one.message.session === id, "sessionEnded");
  }

  /** Takes a click's action, as far as it may be taken.
   * @param {import("./actions.js").ClickAction} action @param {InAppMessage} message */
  perform(action, message) {
    if (action.type === "close") return;
    if (action.type === "session" && action.action === "leave" && message.session !== undefined) return this.leave(message.session);
    if (!allows(action)) return this.around.warn("refusedLink", message, action.url);
    this.around.emit("perform", { action, message });
  }
}
