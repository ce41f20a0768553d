// In-app messages as a state without clock, view or task: inputs go in, outputs come out.

import { MessageBacklog } from "./message-backlog.js";
import { isPage, isPlayer, leavesOf, stands } from "./message-model.js";
import { OfferedMessage } from "./message-offer.js";
import { Presentation } from "./presentation.js";
import { PresenterSettings, somePlatform, Surroundings } from "./surroundings.js";

/** @typedef {import("./message-model.js").InAppMessage} InAppMessage */
/** @typedef {import("./message-offer.js").Origin} Origin */
/** @typedef {import("./message-backlog.js").Verdict} Verdict */

/**
 * The rules of `MessagePresenter` in Swift. It promises that every delivery ends in exactly one
 * `finished`, counts at most once, and has a `didDismiss` for each `willPresent`; that at most one is
 * on screen; and that nothing keeps the screen without a deadline, except what people look at.
 *
 * Its driver carries out the outputs of each input in their order, feeds their results back in, and
 * calls `advanceClock` at `nextDeadline`. Times are µs of one clock.
 */
export class MessagePresenter {
  #around;
  #backlog;
  /** @type {Presentation | null} the message that has the screen */ #slot = null;

  /** @param {PresenterSettings} [settings] @param {string | null} [user] @param {import("./surroundings.js").PlatformState} [platform] */
  constructor(settings = new PresenterSettings(), user = null, platform = somePlatform) {
    this.#around = new Surroundings(settings, platform);
    this.#backlog = new MessageBacklog(this.#around, user);
  }

  get settings() { return this.#around.settings; }
  get platform() { return this.#around.platform; }
  get user() { return this.#backlog.user; }
  get lease() { return this.#backlog.lease; }
  /** @returns {InAppMessage | null} the one on screen, as it is shown; also while it comes and goes */
  get visible() { return this.#slot?.isShown ? this.#slot.message : null; }
  /** Whether a message is on screen, or on its way there. */
  get isScreenTaken() { return this.#slot !== null; }
  get currentToken() { return this.#slot?.token ?? null; }
  /** @returns {InAppMessage[]} the stack, the next one first */
  get stacked() { return this.#backlog.waiting.stacked.map(({ message }) => message); }
  /** @returns {InAppMessage[]} all that are here, wherever they are */
  get all() {
    const waiting = this.#backlog.waiting.all.map(({ message }) => message);
    return this.#slot === null ? waiting : [this.#slot.message, ...waiting];
  }

  /**
   * Takes one input, and returns the outputs to carry out, in order.
   * @param {(inputs: MessagePresenter["inputs"]) => void} input what happened outside
   * @param {number} time when; time never goes back, so an earlier one counts as the latest before
   * @returns {any[]}
   */
  handle(input, time) {
    this.#around.now = Math.max(this.#around.now, time);
    input(this.inputs);
    this.#fillScreen();
    return this.#around.outputs.splice(0);
  }

  /** What can happen outside; used by `handle` alone. */
  inputs = {
    /** From the server.
     * @param {InAppMessage} message @param {number} [timeToLive] @param {boolean} [wasSeen] */
    deliver: (message, timeToLive = this.settings.timeToLive, wasSeen = false) => {
      if (this.#isKnown(message.message)) return;
      this.#offer(new OfferedMessage(message, "trigger", this.#around.now + timeToLive, wasSeen));
    },
    /** The app's own.
     * @param {InAppMessage} message */
    present: (message) => {
      // A message on the stack that comes again goes to the top.
      this.#backlog.waiting.takeFromStack(({ id }) => id === message.message);
      if (!this.#isKnown(message.message)) this.#offer(new OfferedMessage(message, "local"));
    },
    /** @param {string[]} ids @param {boolean} [force] also from the screen */
    revoke: (ids, force = false) => this.#revoke(ids, force),
    /** @param {number} request */
    presentNext: (request) => {
      const next = this.#backlog.waiting.popStack();
      if (next === null) return this.#around.emit("answer", { request, result: "empty" });
      [next.request, next.origin] = [request, "stack"];
      this.#offer(next);
    },
    /** @param {string | null} user */
    userChanged: (user) => {
      if (user === this.#backlog.user) return;
      this.#backlog.user = user;
      this.#endEverything("userChanged", "userMismatch");
    },
    dataWiped: () => this.#endEverything("dataWiped", "userMismatch"),
    pageClosed: () => this.#endEverything("pageClosed", "noClient"),
    /** @param {string} choice @param {number} token */
    chose: (choice, token) => {
      const delivery = this.#backlog.hearChoice(choice, token, this.#situation());
      if (delivery !== null) this.#begin(delivery, token);
    },
    /** @param {"loaded" | "landscapeFailed" | "failed"} report @param {number} token */
    assets: (report, token) => this.#hearAssets(report, token),
    /** @param {import("./surroundings.js").PresentationContext} context @param {number} token */
    prepared: (context, token) => this.#hearPrepared(context, token),
    /** @param {boolean} process @param {number} click @param {number} token */
    decided: (process, click, token) => this.#decide(process, click, token),
    /** @param {any} event @param {number} token */
    view: (event, token) => {
      if (this.#slot?.token !== token) return;
      const media = this.#backlog.session.mediaOf(this.#slot.delivery.message);
      this.#onScreen((slot) => slot.hear(event, media));
    },
    /** @param {import("./presentation.js").Report} report @param {number} token */
    reported: (report, token) => { if (this.#slot?.token === token) this.#onScreen((slot) => slot.hearReport(report)); },
    /** @param {boolean} [leavesSession] */
    dismiss: (leavesSession = true) => this.#onScreen((slot) => slot.dismiss(leavesSession)),
    /** @param {"none" | "discard" | "queue"} suppression */
    suppress: (suppression) => {
      const isOver = suppression === "none" && this.#backlog.suppression !== "none";
      this.#backlog.suppression = suppression;
      if (isOver) this.#backlog.freePlace();
    },
    /** @param {unknown} tag of a pop-up of the app's */
    acquireLease: (tag) => {
      const isGranted = this.#slot === null && (this.lease === null || this.lease === tag);
      if (isGranted) this.#backlog.lease = tag;
      this.#around.emit("lease", { tag, isGranted });
    },
    /** @param {unknown} tag */
    releaseLease: (tag) => {
      if (this.lease !== tag) return;
      this.#backlog.lease = null;
      this.#backlog.freePlace();
    },
    /** @param {import("./surroundings.js").PlatformState} platform */
    platform: (platform) => this.#hearPlatform(platform),
    /** @param {string} id @param {{url: string, title?: string}} [media] */
    sessionJoined: (id, media) => {
      this.#backlog.session.join(id, media);
      this.#updateMedia();
    },
    /** @param {string} id @param {{url: string, title?: string}} media */
    sessionMedia: (id, media) => { if (this.#backlog.session.watch(id, media)) this.#updateMedia(); },
    /** @param {string} id */
    sessionEnded: (id) => {
      if (this.#backlog.session.isOver(id)) return;
      this.#backlog.forget(id);
      if (this.#slot?.message.session !== id) return;
      this.#onScreen((slot) => slot.sessionEnded());
      this.#giveUp({ refused: "sessionEnded" });
    },
    /** The person closed the message that shows a session, wherever it is; with it they leave, unless
     * they watch on elsewhere.
     * @param {string} id */
    closeHost: (id) => {
      const leaves = this.settings.leavesWithMessage;
      // With the session all its messages go, and else the player alone.
      const isOfIt = (/** @type {OfferedMessage} */ { message }) => message.session === id && (leaves || isPlayer(message));
      const isOnScreen = this.#slot !== null && isOfIt(this.#slot.delivery);
      if (isOnScreen && this.#slot?.isShown) return this.#onScreen((slot) => slot.requestDismissal("closeButton"));
      if (leaves) this.#backlog.leave(id); else this.#backlog.finishAll(isOfIt, "choice");
      if (isOnScreen) this.#giveUp({ refused: leaves ? "sessionEnded" : "choice" });
    },
    advanceClock: () => {
      // Meeting a deadline removes it, or advances its presentation.
      for (let due = this.#nextDue; due !== null && due.time <= this.#around.now; due = this.#nextDue) due.meet();
    },
  };

  // From a message that comes to one that has the screen.

  /** @param {string} id */
  #isKnown(id) {
    return this.#slot?.delivery.id === id || this.#backlog.hasEnded(id) || this.#backlog.waiting.all.some((one) => one.id === id);
  }

  #situation(hasScreen = false) {
    return { hasScreen, isTaken: this.#slot !== null, isClickedAway: this.#slot?.clicks.isClosing ?? false };
  }

  /** Offers a message to the app, unless another player of its session is updated with it.
   * @param {OfferedMessage} delivery */
  #offer(delivery) {
    if (this.#isTakenIn(delivery)) return;
    const token = this.#backlog.offer(delivery, this.#situation());
    if (token !== null) this.#begin(delivery, token);
  }

  /** @param {OfferedMessage} delivery @param {number} token */
  #begin(delivery, token) {
    if (!stands(delivery.message.orientation, this.#around.orientation)) {
      return this.#backlog.finish(delivery, { refused: "orientation" });
    }
    if (delivery.isControl) {
      delivery.runAsControl(this.#around);
      return this.#backlog.finish(delivery, { control: true });
    }
    this.#slot = new Presentation(delivery, token, this.#around);
    if (!this.#slot.isLoading) this.#prepare();
  }

  /** @param {string} report @param {number} token */
  #hearAssets(report, token) {
    if (this.#slot?.token !== token || !this.#slot.isLoading) return;
    if (report === "failed") return this.#giveUp({ refused: "assets" });
    if (report === "landscapeFailed") return this.#slot.dropLandscapeImage();
    this.#slot.assetsArrived();
    this.#prepare();
  }

  /** Lets the app prepare the message, if it may still be shown. */
  #prepare() {
    const slot = this.#slot;
    if (slot === null) return;
    const verdict = this.#backlog.verdictOn(slot.delivery, this.#situation(true));
    if (verdict !== "open") return this.#giveUp(verdict);
    if (!stands(slot.delivery.message.orientation, this.#around.orientation)) return this.#giveUp({ refused: "orientation" });
    slot.askToPrepare(this.#backlog.session.mediaOf(slot.delivery.message));
  }

  /** @param {import("./surroundings.js").PresentationContext} context @param {number} token */
  #hearPrepared(context, token) {
    const slot = this.#slot;
    if (slot?.token !== token || slot.stage !== "preparing") return;
    const verdict = this.#backlog.verdictOn(slot.delivery, this.#situation(true));
    if (verdict !== "open") return this.#giveUp(verdict);
    const refusal = slot.show(context, this.#backlog.session.mediaOf(slot.delivery.message));
    if (refusal !== null) this.#giveUp({ refused: refusal });
  }

  /** Takes the message from the screen if nothing of it is there yet.
   * @param {Verdict} verdict */
  #giveUp(verdict) {
    const slot = this.#slot;
    if (slot === null || !slot.isComing) return;
    this.#slot = null;
    slot.giveUp();
    if (verdict === "open") return;
    if ("refused" in verdict) this.#backlog.finish(slot.delivery, verdict);
    else this.#backlog.wait(slot.delivery, verdict.waits);
  }

  // The message on screen.

  /** Changes the message that has the screen, and takes it away if that was the end of it.
   * @param {(slot: Presentation) => void} change */
  #onScreen(change) {
    const slot = this.#slot;
    if (slot === null) return;
    change(slot);
    const { dismissal, delivery, message } = slot;
    if (!dismissal.isOver || dismissal.reason === null || this.#slot !== slot) return;
    this.#slot = null;
    if (message.session !== undefined && dismissal.leavesSession(this.settings)) this.#backlog.leave(message.session);
    if (dismissal.end === "waits") {
      const isSentBack = dismissal.reason === "textInput";
      if (isSentBack) delivery.wasShown = true;
      return this.#backlog.wait(delivery, isSentBack && message.session !== undefined ? "deferral" : "stack");
    }
    if (dismissal.end !== "finished") return this.#backlog.finish(delivery, dismissal.end);
    if (message.impression === "explicit" && !delivery.wasSeen) this.#around.warn("impressionMissing", message);
    this.#backlog.finish(delivery, { dismissedBy: dismissal.reason, button: dismissal.button });
  }

  /** The app's answer about a click's action, or that it had none in time.
   * @param {boolean} process @param {number} number @param {number} token */
  #decide(process, number, token) {
    const slot = this.#slot;
    if (slot?.token !== token) return;
    const click = slot.stage === "presented" ? slot.clicks.answer(number) : null;
    if (click === null) return;
    if (process) for (const action of leavesOf(click.action)) this.#backlog.perform(action, slot.message);
    if (!click.isTransient) this.#onScreen((one) => one.closeAfter(click));
  }

  /** @param {import("./surroundings.js").PlatformState} platform */
  #hearPlatform(platform) {
    const [old, before] = [this.platform, this.#around.orientation];
    this.#around.platform = platform;
    this.#onScreen((slot) => slot.follow(this.#around.orientation !== before));
    if (platform.isVisible && !old.isVisible) this.#backlog.comeInSight();
    const [isWriting, wasWriting] = [platform.isTextInputFocused, old.isTextInputFocused];
    if (isWriting && !wasWriting && this.settings.hidesOnTextInput && this.#slot !== null && !isPage(this.#slot.message)) {
      this.#onScreen((slot) => slot.requestDismissal("textInput"));
    }
    if ((!isWriting && wasWriting) || platform.screen !== old.screen) this.#backlog.freePlace();
    if (platform.hasDisplay && !old.hasDisplay) {
      this.#backlog.freePlace();
      for (const delivery of this.#backlog.waiting.takeHeld()) this.#offer(delivery);
    } else if (!platform.hasDisplay && old.hasDisplay) this.#onScreen((slot) => slot.hearGone("failed", "noDisplay"));
  }

  /** @param {string[]} ids @param {boolean} force */
  #revoke(ids, force) {
    this.#backlog.finishAll(({ id }) => ids.includes(id), "stopped");
    if (this.#slot === null || !ids.includes(this.#slot.delivery.id)) return;
    this.#giveUp({ refused: "stopped" });
    if (force) this.#onScreen((slot) => slot.requestDismissal("programmatic"));
  }

  /** The user, the data or the page is gone.
   * @param {string} reason @param {string} refusal */
  #endEverything(reason, refusal) {
    const leaves = reason !== "pageClosed";
    const rest = this.#backlog.waiting.takeAll();
    const session = this.#slot?.message.session;
    this.#giveUp({ refused: refusal });
    this.#onScreen((slot) => slot.tearDown(reason, refusal, leaves));
    if (leaves && session !== undefined) this.#backlog.leave(session);
    for (const delivery of rest) {
      this.#backlog.finish(delivery, { refused: refusal });
      if (leaves && delivery.message.session !== undefined) this.#backlog.leave(delivery.message.session);
    }
    this.#backlog.isDrainDue = false;
  }

  // Sessions: one player each.

  #updateMedia() {
    const media = this.#backlog.session.mediaOf(this.#slot?.delivery.message);
    this.#onScreen((slot) => slot.swap(media));
  }

  /**
   * Whether another player of the same session is on its way or on screen, and shows this one's words
   * and media instead. An app's own player makes way for a campaign's.
   * @param {OfferedMessage} delivery @returns {boolean}
   */
  #isTakenIn(delivery) {
    const { message } = delivery;
    if (message.session === undefined || !isPlayer(message) || this.#backlog.session.isOver(message.session) || !this.#backlog.isForUser(message)) return false;
    let isTaken = false;
    const older = this.#slot?.delivery.message;
    if (older !== undefined && isPlayer(older) && older.session === message.session) {
      if (older.campaign === undefined && message.campaign !== undefined) {
        this.#giveUp({ refused: "replaced" });
        this.#onScreen((slot) => slot.tearDown("replaced", "replaced", false));
        return false;
      }
      this.#onScreen((slot) => { isTaken = slot.take(message, this.#backlog.session.mediaOf(message)); });
    } else isTaken = this.#backlog.waiting.showInOffer(message);
    if (isTaken) this.#backlog.finish(delivery, { refused: "replaced" });
    return isTaken;
  }

  // What comes next when the screen is free.

  /** Gives a free screen to what waits for it: what is of a session, what a click brought, the stack. */
  #fillScreen() {
    while (this.#slot === null && this.lease === null) {
      const next = this.#nextForScreen();
      if (next === null) break;
      next.delivery.origin = next.origin;
      this.#offer(next.delivery);
    }
    // Messages that are stacked later wait for a drain of their own.
    if (this.#backlog.waiting.stacked.length === 0) this.#backlog.isDrainDue = false;
  }

  /** @returns {{delivery: OfferedMessage, origin: Origin} | null} */
  #nextForScreen() {
    const [waiting, situation] = [this.#backlog.waiting, this.#situation()];
    const isOpen = (/** @type {OfferedMessage} */ one) => this.#backlog.verdictOn(one, situation) === "open";
    const player = waiting.takeDeferred((one) => isPlayer(one.message) && isOpen(one));
    const deferred = player ?? (waiting.offerCount > 0 ? null : waiting.takeDeferred(isOpen));
    if (deferred !== null) return { delivery: deferred, origin: "deferred" };
    if (waiting.offerCount > 0) return null;
    const followUp = waiting.takeFollowUp();
    if (followUp !== null) return { delivery: followUp, origin: "followUp" };
    const top = waiting.stacked[0];
    if (!this.#backlog.isDrainDue || top === undefined) return null;
    const verdict = this.#backlog.verdictOn(top, situation);
    if (verdict !== "open" && "waits" in verdict) return null;
    this.#backlog.isDrainDue = false;
    waiting.popStack();
    return { delivery: top, origin: "stack" };
  }

  // What waits for time to pass.

  /** @returns {number | null} when `advanceClock` is due */
  get nextDeadline() { return this.#nextDue?.time ?? null; }

  /** Of two at the same time, the one that is listed first.
   * @returns {{time: number, meet: () => void} | null} */
  get #nextDue() {
    const slot = this.#slot;
    const all = [
      ...this.#backlog.waiting.dues.map(({ time, due }) => ({ time, meet: () => (due.kind === "choice"
        ? this.inputs.chose("now", due.token) : this.#backlog.finishAll(({ id }) => id === due.id, "noDisplay")) })),
      ...(slot?.dues ?? []).map(({ time, due }) => ({ time, meet: () => this.#meet(due, slot?.token ?? 0) }))];
    return all.reduce((/** @type {{time: number, meet: () => void} | null} */ first, one) => (first === null || one.time < first.time ? one : first), null);
  }

  /** @param {import("./presentation.js").Due} due @param {number} token */
  #meet(due, token) {
    if (due.kind === "assets") return this.#giveUp({ refused: "assets" });
    if (due.kind === "click") return this.#decide(true, due.number ?? 0, token);
    this.#onScreen((slot) => slot.meet(due));
    if (due.kind === "presenting") this.#giveUp({ refused: "watchdog" });
  }
}
