// The client: one person's device in a group and its session.

import { perform } from "./actions.js";
import { activationOf, activityOf } from "./activity.js";
import { hostNow } from "./clock.js";
import { Connection } from "./connection.js";
import { Countdown } from "./countdown.js";
import { Credential } from "./credential.js";
import { ElementPlayer } from "./element-player.js";
import { maySend, steer } from "./intents.js";
import { openMedia, playable } from "./media.js";
import { Presenter } from "./messages.js";
import { GroupMirror, SessionMirror } from "./mirror.js";
import { PlayerSide } from "./player-side.js";
import { MatineeError, isForParticipants } from "./requests.js";
import { Tray } from "./tray.js";

/**
 * @typedef {import("./mirror.js").Activity} Activity
 * @typedef {import("./queue.js").Media} Media
 * @typedef {{session: string, activity: Activity, staged: boolean,
 *   initiator: {name: string}}} Offer
 */

/**
 * @typedef {object} ClientOptions
 * @property {string} url of the server's WebSocket
 * @property {string} user the person; the same on all their devices
 * @property {string} device this device; every tab is one of its own
 * @property {string} [name] that the others see; the `user` if absent
 * @property {string} [token] of an earlier welcome: the device resumes
 * @property {string} [code] with which another device of the person lets this one in
 * @property {() => string | undefined | Promise<string | undefined>} [credential] what proves who the
 *   person is: asked before each hello, and again before the last one ends
 * @property {(media: Media) => string | null | Promise<string | null>} [resolve]
 *   the URL that plays this media here; by default its own, if it is one
 * @property {boolean} [joinsOffers] whether an offered session is joined at once; true by default
 */

/** How long before a credential ends the server says so, µs, if its clock is not known yet. */
const notice = 60_000_000;

/**
 * Watches together with others.
 *
 * Events, each a CustomEvent: `connection` ({state, why, error}), `clockQuality` ({isPoor}), `eligibility` ({eligible,
 * reason}), `group` (a GroupMirror or null), `groupKey` (a text or null), `offer` (an Offer or null), `session` (a
 * SessionMirror, or null with why it is over in `lastReason`), `change` (an event of the session, after the mirror has
 * it), `chat` ({session, seq, at, name, text, own, isEarlier}), `payload` ({from, payload}), `message` (an in-app
 * message or null), `messageClicked` (the message, button, kind and url of a click), `messageWarning`, `action` (a
 * click action that is left to the app), `drift` (µs ahead of the group), `correction`, `audience` ({count, slow}),
 * `needsGesture`, `gestureGiven`, `mediaWanted`, `mediaFailed`, `refused`, `countdown` ({by, at} or null), `tray`,
 * `announcement`, and what the server says as `itemMismatch` … `notificationsRevoked`.
 */
export class Client extends EventTarget {
  #options;
  #connection;
  #credential;
  /** @type {PlayerSide | null} */ #side = null;
  /** @type {{group: string, key: string | undefined} | null} to join after each welcome */ #wanted = null;
  /** @type {string | null} the session whose join is pending */ #joining = null;
  /** @type {GroupMirror | null} */ group = null;
  /** @type {string | null} the group's key, for the link that invites others */ groupKey = null;
  /** @type {Offer | null} */ offer = null;
  /** @type {SessionMirror | null} */ session = null;
  /** @type {string | null} why the last session was over */ lastReason = null;
  eligibility = { eligible: false, reason: "notConnected" };
  /** @type {Presenter} */ messages;
  /** @type {Tray} the person's notifications */ tray;
  /** @type {Countdown} the wish to start when all are ready */ countdown;

  /** @param {ClientOptions} options */
  constructor(options) {
    super();
    this.#options = options;
    const { url, user, device, name = user, token, code, credential } = options;
    this.#credential = new Credential(() => credential?.(),
      (shown) => this.request("renew", { credential: shown }), (error) => this.#tell("refused", error));
    this.#connection = new Connection({
      url, user, device, name, token, code, credential: () => this.#credential.forHello(),
      resumption: () => this.session === null ? undefined
        : { session: this.session.id, seq: this.session.seq } });
    this.#connection.maySend = (request) => maySend(request, this);
    this.messages = new Presenter(this.#connection, this, user);
    [this.countdown, this.tray] = [new Countdown(this), new Tray(this)];
    this.addEventListener("dismissal", (event) => {
      void this.dismiss(/** @type {CustomEvent<string>} */ (event).detail);
    });
    this.addEventListener("click", (event) => {
      const { detail } = /** @type {CustomEvent<import("./actions.js").ClickAction>} */ (event);
      for (const left of perform(detail, this)) this.#tell("action", left);
    });
    this.#listen();
  }

  get isOnline() { return this.#connection.isOnline; }
  /** @returns {string} of the server's WebSocket */
  get url() { return this.#options.url; }
  get user() { return this.#options.user; }
  /** @returns {import("./clock.js").ClockEstimate | null} */ get clock() { return this.#connection.clock; }
  /** Whether the connection is too slow to be exactly together; `clockQuality` tells each change. */
  get hasPoorClock() { return this.#connection.hasPoorClock; }
  /** @returns {string | undefined} what a page that is loaded again resumes with */
  get token() { return this.#connection.token; }
  /** @returns {number | undefined} µs */
  get roundTrip() { return this.#connection.roundTrip; }
  /** @returns {any} the last welcome */ get welcome() { return this.#connection.welcome; }
  /** @returns {PlayerSide | null} */ get player() { return this.#side; }

  start() { this.#connection.start(); }

  /**
   * Lets this element follow the group.
   * @param {HTMLMediaElement} element
   */
  attach(element) {
    this.#side?.close();
    const choose = this.#options.resolve ?? ((media) => playable(media.url));
    const resolve = async (/** @type {Media} */ media) => {
      const url = await choose(media);
      return url === null ? null : openMedia(this, url);
    };
    this.#side = new PlayerSide(this.#connection, new ElementPlayer(element), {
      resolve, tell: (name, detail) => this.#tell(name, detail) });
    if (this.session !== null) this.#side.refollow(this.session);
  }

  /** @param {string} type @param {Record<string, unknown>} [fields] @returns {Promise<any>} its `ok` */
  request(type, fields) { return this.#connection.request(type, fields); }

  /** @param {string} group @param {string} [key] @returns {Promise<any>} */
  async joinGroup(group, key) {
    if (this.group?.id === group) return undefined;
    if (this.group !== null) await this.request("leaveGroup");
    const answer = await this.request("joinGroup", { group, key });
    this.#wanted = { group, key };
    return answer;
  }

  async leaveGroup() {
    this.#wanted = null;
    this.#endSession("left");
    await this.request("leaveGroup");
  }

  /**
   * Watches this with the group: as a new session, or as the next activity of the one that is there.
   * @param {Media} media @param {import("./activity.js").StartOptions} [options] of a new session
   */
  async watch(media, options) {
    if (this.session !== null) return this.request("setActivity", { activity: activityOf(media) });
    return this.request("activate", activationOf(media, options));
  }

  /** @param {import("./mirror.js").WaitingPolicy} waitingPolicy for those whose film stalls, from now on */
  setWaitingPolicy(waitingPolicy) { return this.request("setWaitingPolicy", { waitingPolicy }); }

  /** @param {string} session @returns {Promise<any>} */
  async join(session) {
    if (this.session?.id === session || this.#joining === session) return;
    this.#joining = session;
    try {
      await this.request("join", { session });
    } catch (error) {
      if (this.#joining === session) this.#joining = null;
      throw error;
    }
  }

  /**
   * The person is done with the session; its policy says whether the others go on.
   * @param {string} session
   */
  async dismiss(session) {
    if (this.session?.id !== session) return;
    this.#endSession("dismissed");
    await this.request("dismiss", { session });
  }

  /** Leaves the session; the others go on. */
  async leave() {
    if (this.session === null) return;
    const session = this.session.id;
    this.#endSession("left");
    await this.request("leave", { session });
  }

  play() { return steer(this, { kind: "play" }); }
  /** Everybody pauses at the frame that is seen here. */
  pause() { return steer(this, { kind: "pause", place: Math.round(this.#side?.expectedPlace ?? 0) }); }
  /** @param {number} place µs */
  seek(place) { return steer(this, { kind: "seek", place: Math.round(place) }); }
  /** @param {number} rate 0.25 to 4 */
  setRate(rate) { return steer(this, { kind: "setRate", rate }); }

  /** @param {string} text */
  chat(text) { return this.request("send", { payload: { chat: text } }); }

  /** Asks for the credential now, as when the person has signed in again. @returns {Promise<boolean>} whether it is taken */
  renew() { return this.#credential.renew(); }

  close() {
    this.#endSession("closed");
    this.#credential.close();
    this.messages.close();
    if (this.isOnline && this.group !== null) this.request("leaveGroup").catch(() => {});
    this.#side?.close();
    this.#connection.close();
  }

  #listen() {
    const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ hear) =>
      this.#connection.addEventListener(name, (event) => hear(/** @type {CustomEvent} */ (event).detail));
    on("state", (state) => {
      if (state.state !== "online") this.#setEligibility({ eligible: false, reason: "notConnected" });
      this.#tell("connection", state);
    });
    on("welcome", (welcome) => this.#enter(welcome));
    on("clock", () => this.#side?.hearClock());
    on("clockQuality", (quality) => this.#tell("clockQuality", quality));
    on("expired", () => this.#credential.expire());
    on("forgotten", ({ reason }) => {
      if (this.#comesAnew) return;
      this.#endSession(reason);
      this.#setGroup(null);
    });
    on("line", (line) => this.#hear(line));
  }

  /** @param {any} welcome */
  #enter(welcome) {
    this.#side?.comeBack();
    if (!welcome.resumed && this.#wanted !== null) {
      this.request("joinGroup", this.#wanted).catch((error) => {
        this.#wanted = null;
        this.#setGroup(null);
        this.#tell("refused", error);
      });
      if (this.session !== null) this.#joinAnew(this.session.id);
    }
    void this.messages.enter();
    if (this.session !== null) this.#side?.refollow(this.session);
  }

  /** Whether this is a spectator, of whom the server stores nothing: it keeps the session and comes anew. */
  get #comesAnew() { return this.session?.isSpectator === true && this.#wanted !== null; }

  /** @param {string} session */
  #joinAnew(session) {
    this.request("join", { session }).catch((error) => {
      if (this.session?.id === session) this.#endSession(error.reason ?? "connectionLost");
    });
  }

  /** @param {any} line */
  #hear(line) {
    switch (line.type) {
      case "eligibility": return this.#setEligibility(line);
      case "group": return this.#setGroup(new GroupMirror(line));
      case "groupEvent": return this.#hearGroupEvent(line);
      case "groupKey":
        this.groupKey = line.key;
        return this.#tell("groupKey", line.key);
      case "offer": return this.#hearOffer(line);
      case "offerWithdrawn":
        if (this.offer?.session === line.session) this.#setOffer(null);
        return;
      case "snapshot": return this.#enterSession(line);
      case "event": case "withheld": return this.#hearEvent(line);
      case "audience":
        if (this.session === null || this.session.id !== line.session) return;
        this.session.audience = line;
        return this.#tell("audience", line);
      case "sessionOver": case "sessionLeft":
        if (this.session?.id === line.session) this.#endSession(line.reason);
        return;
      case "message":
        return this.#tell("payload", { from: line.from, payload: line.payload });
      case "inAppMessage": return this.messages.deliver(line);
      case "messageRevoked": return this.messages.revoke(line);
      case "credentialExpires":
        this.#tell(line.type, line);
        return this.#credential.hearEnd(this.clock?.hostTime(line.at) ?? hostNow() + notice);
      case "itemMismatch": case "activityNotice": case "pairingAsked": case "notification":
      case "notifications": case "notificationsRevoked":
        return this.#tell(line.type, line);
    }
  }

  /** @param {any} line */
  #hearGroupEvent(line) {
    const group = this.group;
    if (group === null || group.id !== line.group || line.seq <= group.seq) return;
    if (line.seq !== group.seq + 1) return this.#connection.drop("events of the group are missing");
    group.evolve(line);
    const isOver = line.event === "closed"
      || (line.event === "memberLeft" && line.device === this.welcome?.device);
    if (isOver) this.#wanted = null;
    this.#setGroup(isOver ? null : group);
  }

  /** @param {any} offer */
  #hearOffer(offer) {
    if (this.session?.id === offer.session) return;
    this.#setOffer(offer);
    const isJoined = !offer.staged && this.#options.joinsOffers !== false && this.session === null;
    if (isJoined) this.join(offer.session).catch((error) => this.#tell("refused", error));
  }

  /** @param {any} snapshot */
  #enterSession(snapshot) {
    const before = this.session;
    if (before === null && this.#connection.isLeaving(snapshot.session)) return;
    this.#joining = null;
    const session = new SessionMirror(snapshot);
    this.session = session;
    if (this.offer?.session === snapshot.session) this.#setOffer(null);
    this.#tell("session", session);
    const heard = before !== null && before.id === snapshot.session ? before.seq : 0;
    for (const line of snapshot.chat ?? []) {
      if (line.seq > heard) this.#hearChat({ ...line, own: line.from === session.me, isEarlier: true });
    }
    this.#side?.refollow(session);
    this.messages.watch(session, before?.id !== snapshot.session);
    this.#connection.sendPending();
  }

  /** @param {any} line */
  #hearEvent(line) {
    const session = this.session;
    if (session === null || session.id !== line.session || line.seq <= session.seq) return;
    if (line.seq !== session.seq + 1) return this.#connection.drop("events of the session are missing");
    if (line.type === "withheld" || line.event === "messageSent") {
      session.seq = line.seq;
      if (line.event === "messageSent") this.#hearPayload(session, line);
      return;
    }
    const gone = line.event === "left" ? session.participants.get(line.participant) : undefined;
    session.evolve(line);
    this.#tell("change", { ...line, gone });
    if (line.event === "ended" || (line.event === "left" && line.participant === session.me)) {
      return this.#endSession(line.reason);
    }
    this.messages.watch(session, false);
    this.#side?.refollow(session);
    this.#connection.sendPending();
  }

  /** @param {SessionMirror} session @param {any} line */
  #hearPayload(session, { by, payload, at, seq }) {
    const name = session.participants.get(by)?.name ?? "";
    if (typeof payload?.chat === "string") this.#hearChat({ seq, at, name, payload, own: by === session.me });
    else this.#tell("payload", { from: by, payload });
  }

  /** @param {{seq: number, at: number, name: string, payload: any, own: boolean, isEarlier?: boolean}} line */
  #hearChat({ seq, at, name, payload, own, isEarlier = false }) {
    const text = payload.chat;
    if (typeof text !== "string") return;
    this.#tell("chat", { session: this.session?.id, seq, at, name, text, own, isEarlier });
  }

  /** @param {string} reason */
  #endSession(reason) {
    const session = this.session;
    if (session === null) return;
    [this.session, this.lastReason, this.#joining] = [null, reason, null];
    this.#side?.detach();
    const over = new MatineeError("sessionOver", "the session is over", { reason });
    this.#connection.failRequests(over, (one) => isForParticipants(one.type) && !one.isSent);
    this.messages.endSession(session.id);
    this.#tell("session", null);
  }

  /** @param {GroupMirror | null} group */
  #setGroup(group) {
    this.group = group;
    if (group === null) this.groupKey = null;
    this.#tell("group", group);
  }

  /** @param {Offer | null} offer */
  #setOffer(offer) {
    this.offer = offer;
    this.#tell("offer", offer);
  }

  /** @param {{eligible: boolean, reason?: string}} eligibility */
  #setEligibility({ eligible, reason = "" }) {
    this.eligibility = { eligible, reason };
    // A visitor is removed without an event of the group, of which it is no member.
    const isOut = reason === "notInGroup" && this.group !== null && this.session === null
      && !this.group.members.has(this.welcome?.device);
    if (isOut) this.#setGroup(null);
    this.#tell("eligibility", this.eligibility);
  }

  /** @param {string} name @param {unknown} detail */
  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
