// The message that has the screen, from the moment it gets it until its view is gone.

import { Dismissal } from "./dismissal.js";
import { isByPerson, meaningOf, PendingClicks, reasonFor, reportedAction, staysAfter } from "./message-clicks.js";
import { assetsOf, buttonOf, isAtEdge, isPage, leavesOf, sayingAs, showing, videoOf, withoutThemes } from "./message-model.js";
import { ScreenUse, VisibleTime } from "./screen-use.js";

/** @typedef {import("./surroundings.js").Surroundings} Surroundings */
/** @typedef {import("./surroundings.js").PresentationContext} PresentationContext */
/** @typedef {import("./message-offer.js").OfferedMessage} OfferedMessage */
/** @typedef {import("./message-clicks.js").Click} Click */
/** @typedef {{url: string, title?: string}} Media */
/** @typedef {{kind: string, button?: string, reason?: string, failure?: string}} Report by an app that draws messages itself */
/** @typedef {{kind: "assets" | "click" | "presenting" | "impression" | "automaticClose" | "dismissing", number?: number}} Due */

/** What a view's failure means to the server.
 * @type {Record<string, string>} */
const refusals = { image: "assets", content: "invalidContent", other: "noDisplay" };

/** Once it is over, the presenter ends the delivery as `dismissal` says. */
export class Presentation {
  dismissal = new Dismissal();
  clicks = new PendingClicks();
  screen = new ScreenUse();
  #around;
  #since;
  #hasAssets;
  /** @type {number | null} when its pictures must be loaded */ #assetsDue = null;
  /** @type {import("./message-model.js").InAppMessage | undefined} another delivery for the same session, whose words and video it shows */ #newer;
  /** Time in sight, and the part of it in which nobody holds the message. */
  #sight = new VisibleTime();
  #stay = new VisibleTime();
  #isHeld = false;
  /** @type {Report[]} from before it was on screen */ #early = [];

  /** Gives a message the screen, and asks for its pictures.
   * @param {OfferedMessage} delivery @param {number} token @param {Surroundings} around */
  constructor(delivery, token, around) {
    this.delivery = delivery;
    this.token = token;
    this.#around = around;
    this.#since = around.now;
    const assets = assetsOf(delivery.message);
    this.#hasAssets = assets.image !== undefined || assets.landscapeImage !== undefined;
    delivery.isKnownToWait = false;
    delivery.go("loading");
    if (!this.#hasAssets) return;
    this.#assetsDue = around.now + around.settings.patience.assets;
    around.emit("ask", { question: "loadAssets", assets, token });
  }

  /** The message as it is shown. */
  get message() { return this.screen.shown?.context.message ?? this.delivery.message; }
  get stage() { return this.delivery.stage; }
  get isLoading() { return this.#assetsDue !== null; }
  get isShown() { return this.screen.shown !== null; }
  /** Whether it is not on screen yet, and the app was not told that it will be. */
  get isComing() { return this.stage === "loading" || this.stage === "preparing"; }

  // Coming.

  assetsArrived() { this.#assetsDue = null; }

  dropLandscapeImage() {
    const { landscapeImage, ...body } = this.delivery.message.body;
    this.delivery.message = { ...this.delivery.message, body };
  }

  /** @param {Media | undefined} media */
  askToPrepare(media) {
    this.delivery.go("preparing");
    const own = this.#media(media);
    if (own !== undefined) this.delivery.message = showing(this.delivery.message, own);
    const { message } = this.delivery;
    const offset = isAtEdge(message) ? message.extras.edge_offset : 0;
    /** @type {PresentationContext} */
    const context = { message: this.#around.settings.ignoresCampaignColors ? withoutThemes(message) : message,
      statusBar: "auto", edgeOffset: typeof offset === "number" && Number.isFinite(offset) ? offset : 0 };
    this.#around.emit("ask", { question: "prepare", context, token: this.token });
  }

  /**
   * Shows the message as the app prepared it.
   * @param {PresentationContext} prepared @param {Media | undefined} media @returns {string | null} why not
   */
  show(prepared, media) {
    const settled = this.#around.settle(prepared, this.delivery.message, this.#media(media));
    if ("refusal" in settled) return settled.refusal;
    const { context, view } = settled;
    const shown = this.screen.show(context, view, this.#around);
    this.delivery.go("presenting");
    this.#around.tell("willPresent", context.message);
    // Each time, because the server holds a message that was sent back for waiting.
    this.#around.report(context.message, "started");
    this.#view("show", { shown });
    return null;
  }

  /** Gives up the screen before anything was on it. */
  giveUp() { if (this.#hasAssets) this.#view("releaseAssets"); }

  /** @param {Media | undefined} media the session's, or else one that another delivery brought */
  #media(media) { return media ?? (this.#newer && videoOf(this.#newer)); }

  /** @param {string} command @param {Record<string, unknown>} [more] */
  #view(command, more = {}) { this.#around.emit("view", { command, ...more, token: this.token }); }

  // On screen.

  /** @param {{kind: string, click?: Click, button?: string, gesture?: any, failure?: string, isHeld?: boolean, leavesSession?: boolean}} event @param {Media | undefined} media */
  hear(event, media) {
    switch (event.kind) {
      case "presented": return this.stage === "presenting" ? this.#present(media) : undefined;
      case "dismissed": return this.stage === "dismissing" ? this.#endDismissal() : undefined;
      case "clicked": return this.#hearClick(event.click ?? {});
      case "loggedClick":
        if (this.stage !== "presented" || !isPage(this.message)) return;
        this.#countImpression();
        return this.#around.report(this.message, "clicked", { button: event.button });
      case "closed": {
        const reason = reasonFor(this.message, event.gesture);
        return reason === null ? undefined : this.requestDismissal(reason);
      }
      case "held":
        this.#isHeld = event.isHeld === true;
        return this.#runClocks();
      case "declined": return this.stage === "presenting" ? this.#endBeforePresented("failed", "waits") : undefined;
      case "detached": return this.hearGone("programmatic", "noDisplay", event.leavesSession ?? true);
      case "failed": return this.hearGone("failed", refusals[event.failure ?? "other"] ?? "noDisplay");
    }
  }

  /** The view is on screen.
   * @param {Media | undefined} media */
  #present(media) {
    this.delivery.go("presented");
    const isReported = this.#early.some(({ kind }) => kind === "impression");
    if (this.message.impression === "onPresent" || isReported) this.#countImpression();
    this.#around.tell("didPresent", this.message);
    const { request } = this.delivery;
    if (request !== null) this.#around.emit("answer", { request, result: "presented" });
    this.delivery.request = null;
    this.#runClocks();
    this.screen.follow(this.token, this.#around);
    this.swap(media);
    const waiting = this.dismissal.takeWaiting();
    if (waiting !== null) this.#beginDismissal(waiting);
    for (const report of this.#early.splice(0)) if (!this.dismissal.isOver) this.hearReport(report);
  }

  #runClocks() {
    const { platform, now } = this.#around;
    const isPresented = this.stage === "presented";
    this.#sight.run(isPresented && platform.isVisible, now);
    this.#stay.run(isPresented && platform.isVisible && !this.#isHeld, now);
  }

  /** What an app that draws messages itself reports; kept until the message is on screen.
   * @param {Report} report */
  hearReport(report) {
    const isPresented = this.stage === "presented";
    if (report.kind === "failed") return this.hearGone("failed", refusals[report.failure ?? "other"] ?? "noDisplay");
    if (this.stage === "presenting") {
      if (this.#early.length < this.#around.settings.questionLimit) this.#early.push(report);
      return;
    }
    if (report.kind === "impression" && isPresented) this.#countImpression();
    if (report.kind === "dismissed") {
      if (isPresented) this.#countImpression();
      this.hearGone(report.reason ?? "programmatic", "noDisplay");
    }
    if (report.kind !== "clicked" || !isPresented || this.clicks.isClosing) return;
    const { button } = report;
    if (button !== undefined && buttonOf(this.message, button) === undefined) this.#around.warn("unknownButton", this.message, button);
    this.#take({ button }, reportedAction(this.message, button));
  }

  /** The platform changed: turned, out of sight, dark.
   * @param {boolean} isRotated */
  follow(isRotated) {
    if (isRotated) this.screen.rotate(this.#around.orientation);
    if (this.stage !== "presented") return;
    this.#runClocks();
    this.screen.follow(this.token, this.#around);
  }

  /** The session may watch something else now.
   * @param {Media | undefined} media */
  swap(media) {
    const own = this.#media(media);
    if (this.stage === "presented" && own !== undefined) this.screen.swap(own, this.#newer, this.token, this.#around);
  }

  /**
   * Takes the words and video of another player; the session's video takes precedence.
   * @param {import("./message-model.js").InAppMessage} newer @param {Media | undefined} media @returns {boolean} whether it does
   */
  take(newer, media) {
    if (this.stage === "dismissing" || this.clicks.isClosing) return false;
    this.#newer = newer;
    this.delivery.message = sayingAs(this.delivery.message, newer);
    const own = videoOf(newer);
    if (media === undefined && own !== undefined) this.delivery.message = showing(this.delivery.message, own);
    this.swap(media);
    return true;
  }

  #countImpression() {
    if (this.delivery.wasSeen) return;
    this.delivery.wasSeen = true;
    this.#around.tell("impression", this.message);
    this.#around.report(this.message, "impression");
  }

  // Clicks.

  /** @param {Click} click */
  #hearClick(click) {
    if (this.stage !== "presented" || this.clicks.isClosing) return;
    const meaning = meaningOf(this.message, click, this.screen.shown?.view !== "default");
    if (meaning === null) return;
    if ("unknown" in meaning) return this.#around.warn("unknownButton", this.message, meaning.unknown);
    this.#take(click, meaning.action);
  }

  /** Counts it as seen, reports the click, and asks the app about the action.
   * @param {Click} click @param {import("./actions.js").ClickAction} action */
  #take(click, action) {
    const isTransient = staysAfter(this.message, click, action);
    if (isTransient && this.clicks.transientCount >= this.#around.settings.questionLimit) {
      return this.#around.warn("tooManyClicks", this.message);
    }
    this.#countImpression();
    this.clicks.ask(click, action, isTransient, this.message, this.token, this.#around);
  }

  /** Closes the message after a click whose action the app decided on.
   * @param {import("./message-clicks.js").PendingClick} click */
  closeAfter({ button, action }) {
    const isForSession = leavesOf(action).some((one) => one.type === "session" && ["join", "startForAll"].includes(one.action ?? ""));
    if (isForSession) this.dismissal.keepsSession = true;
    this.dismissal.button = button;
    this.#beginDismissal("action");
  }

  // Going.

  /** Dismisses it, at once or as soon as it is on screen; a click that waits for an answer closes it itself.
   * @param {string} reason */
  requestDismissal(reason) {
    if (this.stage === "presenting") this.dismissal.wait(reason);
    if (this.stage === "presented" && !this.clicks.isClosing) this.#beginDismissal(reason);
  }

  /** The app dismisses it.
   * @param {boolean} leavesSession */
  dismiss(leavesSession) {
    if (!this.isShown) return;
    if (leavesSession) this.dismissal.mustLeaveSession = true;
    this.requestDismissal("programmatic");
  }

  /** The view disappeared without being asked to.
   * @param {string} reason @param {string} refusal @param {boolean} [leavesSession] */
  hearGone(reason, refusal, leavesSession = false) {
    if (this.stage === "presenting") return this.#endBeforePresented(reason, { refused: refusal });
    if (this.stage === "dismissing") return this.#endDismissal();
    if (this.stage !== "presented") return;
    this.dismissal.isViewGone = true;
    if (leavesSession) this.dismissal.mustLeaveSession = true;
    if (!this.clicks.isClosing) this.#beginDismissal(reason);
  }

  /** Its session is over: stops the video; a message still to appear is dismissed once it has. */
  sessionEnded() {
    if (!this.isShown || this.stage === "dismissing") return;
    this.#view("pause");
    if (this.stage === "presented") this.#beginDismissal("sessionEnded");
    else this.dismissal.wait("sessionEnded", true);
  }

  /** The user, the data or the page is gone.
   * @param {string} reason @param {string} refusal @param {boolean} leavesSession */
  tearDown(reason, refusal, leavesSession) {
    if (leavesSession) this.dismissal.mustLeaveSession = true;
    if (this.stage === "presenting") return this.#endBeforePresented(reason, { refused: refusal });
    if (this.stage === "presented") return this.#beginDismissal(reason, true);
    if (this.stage !== "dismissing") return;
    // Its view may take no longer than this.
    this.#view("dismiss", { isAnimated: false });
    this.dismissal.end = "finished";
    this.#endDismissal();
  }

  /** @param {string} reason @param {boolean} [isForced] at once and still, because nobody may see it any more */
  #beginDismissal(reason, isForced = false) {
    if (this.stage !== "presented") return;
    // A person who closes a message early has seen it, too.
    const isSeen = isByPerson(reason) || reason === "automatic";
    if (typeof this.message.impression === "object" && isSeen) this.#countImpression();
    this.clicks.end(reason);
    this.#depart(reason, reason === "textInput" ? "waits" : "finished");
    if (this.dismissal.isViewGone) return this.#endDismissal();
    const isAnimated = this.message.animatesOut && !this.#around.platform.reducesMotion && !isForced;
    this.#view("dismiss", { isAnimated });
    if (isForced) this.#endDismissal();
  }

  /** Ends a message that never came on screen although the app was told that it would.
   * @param {string} reason @param {Dismissal["end"]} end */
  #endBeforePresented(reason, end) {
    if (this.stage !== "presenting") return;
    this.#depart(reason, end);
    this.#view("dismiss", { isAnimated: false });
    this.#endDismissal();
  }

  /** @param {string} reason @param {Dismissal["end"]} end */
  #depart(reason, end) {
    this.delivery.go("dismissing");
    this.#runClocks();
    this.dismissal.begin(reason, end, this.#around.now + this.#around.settings.patience.dismissing);
    this.#around.tell("willDismiss", this.message, reason);
  }

  /** The view is gone: restores the device. */
  #endDismissal() {
    if (this.dismissal.reason === null || this.dismissal.isOver) return;
    if (this.#hasAssets) this.#view("releaseAssets");
    this.screen.restore(this.#around);
    this.#around.tell("didDismiss", this.message, this.dismissal.reason);
    this.dismissal.isOver = true;
  }

  // Deadlines.

  /** @returns {{time: number, due: Due}[]} */
  get dues() {
    const { patience } = this.#around.settings;
    if (this.stage === "presented") return [...this.clicks.dues.map(({ time, number }) => ({ time, due: /** @type {Due} */ ({ kind: "click", number }) })), ...this.#sightDues];
    if (this.stage === "dismissing") return this.dismissal.due === null ? [] : [{ time: this.dismissal.due, due: { kind: "dismissing" } }];
    if (!this.isComing && this.stage !== "presenting") return [];
    /** @type {{time: number, due: Due}[]} */
    const assets = this.#assetsDue === null ? [] : [{ time: this.#assetsDue, due: { kind: "assets" } }];
    return [...assets, { time: this.#since + patience.presenting, due: { kind: "presenting" } }];
  }

  /** @returns {{time: number, due: Due}[]} when it counts as seen, and when it closes by itself */
  get #sightDues() {
    const { impression, closing } = this.message;
    const seen = typeof impression === "object" && !this.delivery.wasSeen ? this.#sight.momentOf(impression.afterVisible) : null;
    const over = !this.clicks.isClosing && closing.after !== null ? this.#stay.momentOf(closing.after) : null;
    return [...(seen === null ? [] : [{ time: seen, due: /** @type {Due} */ ({ kind: "impression" }) }]),
      ...(over === null ? [] : [{ time: over, due: /** @type {Due} */ ({ kind: "automaticClose" }) }])];
  }

  /** Meets its deadlines, apart from those of pictures and clicks, which are the presenter's.
   * @param {Due} due */
  meet(due) {
    if (due.kind === "impression") this.#countImpression();
    if (due.kind === "automaticClose") this.#beginDismissal("automatic");
    if (due.kind !== "presenting" && due.kind !== "dismissing") return;
    this.#around.warn("viewSilent", this.message);
    if (due.kind === "presenting") return this.#endBeforePresented("failed", { refused: "watchdog" });
    this.#view("dismiss", { isAnimated: false });
    this.#endDismissal();
  }
}
