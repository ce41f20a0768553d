// In-app messages: the presenter's rules, carried out with a display, an app's hooks and the server.

import { hostNow } from "./clock.js";
import { isByPerson } from "./message-clicks.js";
import { complete, isPlayer, sorted } from "./message-model.js";
import { MessagePresenter } from "./message-presenter.js";
import { Notices } from "./notices.js";
import { readPlatform, watchPlatform } from "./platform.js";
import { PresenterSettings, somePlatform } from "./surroundings.js";

/** @typedef {import("./message-model.js").InAppMessage} InAppMessage */
/** @typedef {import("./actions.js").ClickAction} ClickAction */
/** @typedef {import("./screen-use.js").ShownMessage} ShownMessage */
/** @typedef {import("./surroundings.js").PresentationContext} PresentationContext */
/** @typedef {import("./message-host.js").MessageHost} MessageHost */
/** @typedef {import("./message-host.js").ViewMaker} ViewMaker */
/** @typedef {import("./message-host.js").MessageDelegate} MessageDelegate */
/** @typedef {import("./message-host.js").MessageDisplay} MessageDisplay */

/** The event that is logged when a session's media is due to be watched here; Braze's guide calls it so. */
const mediaEvent = "SharePlay Event";

/**
 * What is due to be watched here, and who has logged it.
 * @typedef {{me: string, revision: number, properties: Record<string, any>, byClient: boolean, byApp: boolean}} EnqueuedMedia
 */

/**
 * Shows one message at a time. Events on `target`: `message` (the visible one or null), `messageClicked`
 * ({message, button, kind, url, action}), `messageWarning`, and for the client `click` (a click action),
 * `dismissal` (a session whose player the person closed).
 *
 * The *player message* opens with a session and shows its media. Its dismissal is the person's wish
 * to be done with the session: `dismiss`, whose policy says whether the others go on.
 */
export class Presenter {
  /** An app's hooks; all of them may be left out.
   * @type {MessageDelegate} */
  delegate = {};
  #connection;
  #target;
  #core;
  #notices;
  /** @type {MessageDisplay | null} */ #display = null;
  /** @type {Map<string, ViewMaker>} */ #makers = new Map();
  /** @type {string | undefined} */ #screen;
  /** @type {((inputs: MessagePresenter["inputs"]) => void)[]} */ #inputs = [];
  #isFeeding = false;
  /** The browser as it was looked at last, which the presenter may not have heard yet. */
  #seen;
  #timer = 0;
  #watching = new AbortController();
  #told = "null";
  #lastRequest = 0;
  /** @type {Map<number, (result: string) => void>} */ #requests = new Map();
  /** @type {EnqueuedMedia | null} */ #enqueued = null;
  /** The message that shows the session's own player, until the person or the app closes it.
   * @type {({message: string, session: string} & Record<string, unknown>) | null} */
  #player = null;

  /** @param {import("./connection.js").Connection} connection @param {EventTarget} target @param {string} user */
  constructor(connection, target, user) {
    this.#connection = connection;
    this.#target = target;
    const settings = new PresenterSettings();
    this.#notices = new Notices(connection, settings);
    const platform = globalThis.document === undefined ? somePlatform : readPlatform(false);
    this.#core = new MessagePresenter(settings, user, { ...platform, hasDisplay: false });
    this.#seen = sorted(this.#core.platform);
    if (globalThis.document !== undefined) watchPlatform(() => this.#look(), this.#watching.signal);
  }

  /** @returns {PresenterSettings} may be changed at any time */
  get settings() { return this.#core.settings; }
  get visible() { return this.#core.visible; }
  /** @returns {InAppMessage[]} the next one first; the one on screen is not among them */
  get stack() { return this.#core.stacked; }

  /** @returns {MessageDisplay | null} what messages are shown on; without one, they wait */
  get display() { return this.#display; }
  set display(display) {
    const old = this.#display;
    if (old !== null && old !== display) {
      // The message on screen ends with its display, which takes it away.
      const hasMessage = this.visible !== null;
      this.#display = null;
      this.#look();
      if (hasMessage) this.#attempt(() => old.dismiss(false));
    }
    this.#display = display;
    this.#look();
    this.#logMedia();
  }

  /** @returns {string | undefined} the app's name for what it shows now, for `settings.quietScreens` */
  get screen() { return this.#screen; }
  set screen(screen) {
    this.#screen = screen;
    this.#look();
  }

  /**
   * Registers a view of the app's, which campaigns choose by `view_type`.
   * @param {string} name @param {ViewMaker} make @param {import("./message-faults.js").Schema} [schema] what it needs
   */
  registerView(name, make, schema) {
    this.#makers.set(name, make);
    // A view of the app's in the place of one that came along needs what that one needs.
    this.settings.registry.register(name, schema ?? this.settings.registry.schemaOf(name));
  }

  /**
   * Makes a registered view the one for a kind; null restores the usual one.
   * @param {string | null} name @param {string} kind
   */
  useView(name, kind) { this.settings.registry.use(name, kind); }

  /** @param {string} session @returns {boolean} whether a player of it is here */
  hosts(session) { return this.#core.all.some((one) => isPlayer(one) && one.session === session); }

  /** The person closed the message that hosts a session, whether or not another one lies over it.
   * @param {string} session */
  dismissHost(session) {
    this.#forgetPlayer(session);
    this.#feed((all) => all.closeHost(session));
  }

  /** Tells the server what it has to know after each welcome. */
  enter() {
    this.#notices.enter(this.#core.all.flatMap(({ message, campaign }) => (campaign === undefined ? [] : [message])));
  }

  /**
   * Logs an event of the app, which campaigns may react to.
   * @param {string} name @param {Record<string, unknown>} [properties]
   */
  log(name, properties) {
    const ours = this.#enqueued;
    if (name !== mediaEvent || ours === null || ours.byApp || ![undefined, ours.properties.url].includes(properties?.url)) {
      return this.#notices.tell("logEvent", { name, properties });
    }
    // The app logs what this client logs, too: that counts once.
    ours.byApp = true;
    if (!ours.byClient) this.#notices.tell("logEvent", { name, properties: { ...ours.properties, ...properties } });
  }

  /**
   * Logs a purchase; a price and a currency are properties.
   * @param {string} product @param {Record<string, unknown>} [properties]
   */
  logPurchase(product, properties) { this.#notices.tell("logPurchase", { product, properties }); }

  /** Logs that the person opened a notification.
   * @param {string} [campaign] the notification's */
  logPushOpened(campaign) { this.#notices.tell("logPushOpened", { campaign }); }

  /** Adds the person to a list that campaigns use, or removes them.
   * @param {string} list @param {boolean} member whether they are in it */
  setMembership(list, member) { this.#notices.tell("setMembership", { list, member }); }

  /**
   * Sets attributes of the person, in order with what is logged; what is asked while offline is told later.
   * @param {Record<string, unknown>} attributes
   */
  setAttributes(attributes) { this.#notices.tell("setAttributes", { attributes }); }

  /**
   * Shows a message of the app's own, of which the server hears nothing.
   * @param {Record<string, unknown>} message as in `inAppMessage`; what its kind leaves out is filled in
   */
  present(message) {
    const whole = complete(message);
    if (whole === null) throw new TypeError(`a message of kind ${message.kind} is not known; see Protocol.md, inAppMessage`);
    this.#feed((all) => all.present(whole));
  }

  /** @returns {Promise<string>} `presented`, `empty`, `reenqueued`, or why the stack's next one is refused */
  presentNext() {
    const request = this.#lastRequest += 1;
    const answer = new Promise((/** @type {(result: string) => void} */ resolve) => this.#requests.set(request, resolve));
    this.#feed((all) => all.presentNext(request));
    return answer;
  }

  /** @param {any} line `inAppMessage`, from the server */
  deliver(line) {
    const message = complete(line);
    if (message === null) {
      return this.#notices.tell("reportMessage", { message: line.message, report: "refused", reason: "invalidContent" });
    }
    const instant = this.#connection.clock?.instant(hostNow());
    const timeToLive = instant === undefined || line.expires === undefined ? undefined : line.expires - instant;
    this.#feed((all) => all.deliver(message, timeToLive, line.seen === true));
  }

  /** @param {{message: string, force?: boolean}} revocation */
  revoke({ message, force }) { this.#feed((all) => all.revoke([message], force)); }

  /** Dismisses the visible message, and the session it belongs to unless told otherwise.
   * @param {boolean} [leavesSession] */
  dismiss(leavesSession = true) {
    this.#forgetPlayer(this.visible?.session);
    this.#feed((all) => all.dismiss(leavesSession));
  }

  /** How messages are treated while the app wants none: they are refused, or wait.
   * @param {"none" | "discard" | "queue"} suppression */
  suppress(suppression) { this.#feed((all) => all.suppress(suppression)); }

  /** Wants the screen alone, for a pop-up of the app's.
   * @param {unknown} tag @returns {boolean} whether it has it, until `releaseLease` */
  acquireLease(tag) {
    /** @param {MessagePresenter["inputs"]} all */
    const input = (all) => all.acquireLease(tag);
    // At once, because an input of a hook's waits until those before it are carried out.
    if (this.#isFeeding) this.#take(input);
    else this.#feed(input);
    return this.#core.lease === tag;
  }

  /** @param {unknown} tag */
  releaseLease(tag) { this.#feed((all) => all.releaseLease(tag)); }

  /** Erases everything that the server knows about the person, and takes all messages away. */
  wipe() {
    this.#feed((all) => all.dataWiped());
    this.#notices.wipe();
  }

  close() {
    this.#watching.abort();
    this.#player = null;
    this.#feed((all) => all.pageClosed());
  }

  // The session.

  /**
   * Shows a session's player, and logs that its media is due to be watched here, once for each
   * participant and revision. Campaigns react to it: their message takes the place of the app's own.
   * @param {import("./mirror.js").SessionMirror} session @param {boolean} isNew whether it was joined just now
   */
  watch({ id, me, revision, activity }, isNew) {
    const title = activity.media?.title ?? activity.metadata?.title;
    const media = activity.media === undefined ? undefined : { url: activity.media.url, title };
    if (isNew) {
      this.#feed((all) => all.sessionJoined(id, media));
      this.#player = { message: `player-${id}-${me}`, kind: "modal", session: id, extras: { view_type: "session" },
        body: { type: "text", header: title ?? "" } };
      this.present(this.#player);
    } else if (media !== undefined) this.#feed((all) => all.sessionMedia(id, media));
    if (media === undefined || (this.#enqueued?.me === me && this.#enqueued.revision === revision)) return;
    this.#enqueued = { me, revision, properties: { ...media, session: id }, byClient: false, byApp: false };
    this.#logMedia();
  }

  /** Logs what is due to be watched here, as soon as there is a display for the message it opens. */
  #logMedia() {
    const enqueued = this.#enqueued;
    if (enqueued === null || this.#display === null || enqueued.byClient) return;
    enqueued.byClient = true;
    if (!enqueued.byApp) this.#notices.tell("logEvent", { name: mediaEvent, properties: enqueued.properties });
  }

  /** @param {string} session which is over: its messages go, and that is nobody's dismissal */
  endSession(session) {
    if (this.#enqueued?.properties.session === session) this.#enqueued = null;
    this.#forgetPlayer(session);
    this.#notices.forgetMedia(mediaEvent, session);
    this.#feed((all) => all.sessionEnded(session));
  }

  /** @param {string | undefined} session whose player is not shown again */
  #forgetPlayer(session) { if (this.#player?.session === session) this.#player = null; }

  /**
   * Shows the session's own player again once the campaign's message that took its place is over, or for
   * the next display: without one nobody sees the session, nor can leave it.
   * @param {string} id @param {import("./message-offer.js").Outcome} outcome
   */
  #hearFinished(id, { dismissedBy, refused }) {
    const player = this.#player;
    if (player === null) return;
    const hasMadeWay = dismissedBy === "replaced" || refused === "replaced";
    const hasNoDisplay = this.#display === null && (dismissedBy === "failed" || refused === "noDisplay");
    if (id === player.message && !hasMadeWay && !hasNoDisplay) return this.#forgetPlayer(player.session);
    this.#feed(() => { if (this.#player === player && !this.hosts(player.session)) this.present(player); });
  }

  // Inputs and outputs.

  /** Looks at the browser again. */
  #look() {
    const platform = readPlatform(this.#display !== null, this.#screen);
    if (sorted(platform) === this.#seen) return;
    this.#seen = sorted(platform);
    this.#feed((all) => all.platform(platform));
    this.#notices.noteVisible(platform.isVisible && platform.hasDisplay);
  }

  /** @param {(inputs: MessagePresenter["inputs"]) => void} input */
  #feed(input) {
    this.#inputs.push(input);
    if (this.#isFeeding) return;
    this.#isFeeding = true;
    for (let next = this.#inputs.shift(); next !== undefined; next = this.#inputs.shift()) this.#take(next);
    this.#isFeeding = false;
    clearTimeout(this.#timer);
    const deadline = this.#core.nextDeadline;
    if (deadline !== null) {
      const wait = Math.ceil(Math.max(deadline - hostNow(), 0) / 1_000);
      this.#timer = setTimeout(() => this.#feed((all) => all.advanceClock()), Math.min(wait, 2 ** 31 - 1));
    }
    const told = JSON.stringify(this.visible?.message ?? null);
    if (told === this.#told) return;
    this.#told = told;
    this.#tell("message", this.visible);
  }

  /** @param {(inputs: MessagePresenter["inputs"]) => void} input */
  #take(input) {
    const outputs = this.#attempt(() => this.#core.handle(input, hostNow())) ?? [];
    for (const output of outputs) this.#attempt(() => this.#carryOut(output));
  }

  /** @param {any} output */
  #carryOut(output) {
    switch (output.type) {
      case "ask": return this.#answer(output);
      case "view": return this.#command(output);
      case "tell": return this.#tellDelegate(output);
      case "report":
        return this.#notices.tell("reportMessage", { message: output.message, report: output.report, ...output.more });
      case "perform": return this.#tell("click", output.action);
      case "session":
        if (output.step !== "leave") return;
        this.#forgetPlayer(output.session);
        return this.#tell("dismissal", output.session);
      case "answer":
        this.#requests.get(output.request)?.(output.result);
        return void this.#requests.delete(output.request);
      case "statusBar": return this.#display?.statusBar?.(output.isHidden);
      case "hold": return this.#display?.hold?.(output.orientation);
      case "warn": return this.#tell("messageWarning", output);
    }
  }

  /** @param {any} question */
  #answer({ question, token, ...asked }) {
    switch (question) {
      case "displayChoice":
        return this.#ask("displayChoice", [asked.message, asked.origin], "now", (choice) => (all) => all.chose(choice, token));
      case "loadAssets":
        return void this.#load(asked.assets, token);
      case "prepare": {
        const prepared = this.#prepare(asked.context);
        return this.#feed((all) => all.prepared(prepared, token));
      }
      case "shouldProcess": {
        const { action, button, buttonID, message, click } = asked;
        const { type: kind, url } = action;
        this.#tell("messageClicked", { message, button: buttonID, kind, url, action });
        return this.#ask("shouldProcess", [action, { button, buttonID, message }], true, (process) => (all) => all.decided(process !== false, click, token));
      }
    }
  }

  /** @param {PresentationContext} context @returns {PresentationContext} unchanged, if the app's is none */
  #prepare(context) {
    if (this.delegate.prepare === undefined) return context;
    return this.#attempt(() => {
      const own = structuredClone(context);
      const prepared = this.delegate.prepare?.(own) ?? own;
      const message = complete(prepared.message);
      return message === null ? context : { ...context, ...prepared, message };
    }) ?? context;
  }

  /**
   * Asks the app, which may take its time.
   * @param {"displayChoice" | "shouldProcess"} hook @param {unknown[]} values @param {any} usual
   * @param {(answer: any) => (inputs: MessagePresenter["inputs"]) => void} input
   */
  #ask(hook, values, usual, input) {
    const answer = this.#hook(hook, ...values) ?? usual;
    if (typeof answer?.then !== "function") return this.#feed(input(answer));
    answer.then((/** @type {any} */ late) => this.#feed(input(late ?? usual)), (/** @type {unknown} */ error) => {
      report(error);
      this.#feed(input(usual));
    });
  }

  /** @param {import("./message-model.js").Assets} assets @param {number} token */
  async #load(assets, token) {
    const reports = (await this.#display?.load?.(assets)) ?? /** @type {const} */ (["loaded"]);
    for (const one of reports) this.#feed((all) => all.assets(one, token));
  }

  /** @param {any} output */
  #command({ command, shown, isAnimated, token }) {
    const display = this.#display;
    switch (command) {
      case "show":
        try {
          return display?.show(shown, this.#host(token));
        } catch (error) {
          report(error);
          return this.#feed((all) => all.view({ kind: "failed", failure: "content" }, token));
        }
      case "update": return display?.update?.(shown);
      case "pause": return display?.pause?.();
      case "dismiss": return display?.dismiss(isAnimated);
    }
  }

  /** @param {number} token @returns {MessageHost} */
  #host(token) {
    return {
      tell: (event) => this.#feed((all) => all.view(event, token)),
      report: (report) => this.#feed((all) => all.reported(report, token)),
      perform: (action) => this.#tell("click", action),
      notice: (type, fields) => this.#notices.tell(type, fields),
      hook: (name, ...values) => this.#hook(name, ...values),
      makerOf: (view) => this.#makers.get(view) };
  }

  /** @param {{event: string, values: any[]}} told */
  #tellDelegate({ event, values }) {
    if (event === "finished") this.#hearFinished(values[0], values[1]);
    // Who closes it without leaving the session watches elsewhere.
    const isClosed = event === "didDismiss" && isByPerson(values[1]) && isPlayer(values[0]);
    if (isClosed && !this.settings.leavesWithMessage) this.#forgetPlayer(values[0].session);
    this.#hook(/** @type {keyof MessageDelegate} */ (event), ...values);
  }

  /** @param {keyof MessageDelegate} name @param {...any} values @returns {any} */
  #hook(name, ...values) { return this.#attempt(() => /** @type {any} */ (this.delegate)[name]?.(...values)); }

  /** An app's mistake stays the app's: it is reported, and stops nothing.
   * @template T @param {() => T} deed @returns {T | undefined} */
  #attempt(deed) {
    try {
      return deed();
    } catch (error) {
      report(error);
      return undefined;
    }
  }

  /** @param {string} name @param {unknown} detail */
  #tell(name, detail) { this.#target.dispatchEvent(new CustomEvent(name, { detail })); }
}

/** Told where the app's developer looks, without stopping anything.
 * @param {unknown} error */
function report(error) { setTimeout(() => { throw error; }); }
