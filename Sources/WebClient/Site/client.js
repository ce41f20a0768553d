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
import { Membership } from "./membership.js";
import { Presenter } from "./messages.js";
import { Participation } from "./participation.js";
import { PlayerSide } from "./player-side.js";
import { MatineeError } from "./requests.js";
import { positionAt } from "./timeline.js";
import { Tray } from "./tray.js";

/** @typedef {import("./queue.js").Media} Media */

/**
 * @typedef {object} ClientOptions
 * @property {string} url of the server's WebSocket
 * @property {string} user the person; the same on all their devices
 * @property {string} device this device; every tab is one of its own
 * @property {string} [name] that the others see; the `user` if absent
 * @property {string | undefined} [token] of an earlier welcome: the device resumes
 * @property {string} [code] with which another device of the person lets this one in
 * @property {() => string | undefined | Promise<string | undefined>} [credential] what proves who the
 *   person is: asked at each connection, which waits for it, and again before the last one ends
 * @property {(media: Media) => string | null | Promise<string | null>} [resolve]
 *   the URL that plays this media here; by default its own, if it is one
 * @property {boolean} [joinsOffers] whether an offered session is joined at once; true by default
 */

const Telling = /** @type {new () => import("./client-events.js").Teller<import("./client-events.js").ClientEvents>} */ (EventTarget);

/** How long before a credential ends the server says so, µs, if its clock is not known yet. */
const notice = 60_000_000;

/**
 * Watches together with others. Each of its events is a CustomEvent; `ClientEvents` in client-events.js says of
 * what, and with which `detail`.
 */
export class Client extends Telling {
  #options;
  #connection;
  #credential;
  #membership;
  #participation;
  /** @type {PlayerSide | null} */ #side = null;
  /** @type {Presenter} */ messages;
  /** @type {Tray} the person's notifications */ tray;
  /** @type {Countdown} the wish to start when all are ready */ countdown;

  /** @param {ClientOptions} options */
  constructor(options) {
    super();
    this.#options = options;
    const { url, user, device, name = user, token, code, credential } = options;
    this.#credential = new Credential(() => credential?.(),
      (shown) => this.request("renew", { credential: shown }), (error) => this.#tell("refused", /** @type {Error} */ (error)));
    this.#connection = new Connection({
      url, user, device, name, token, code, credential: () => this.#credential.forHello(),
      resumption: () => this.session === null ? undefined
        : { session: this.session.id, seq: this.session.seq } });
    this.#connection.maySend = (request) => maySend(request, this);
    /** @type {import("./client-events.js").Tell} */ const tell = (name, detail) => this.#tell(name, detail);
    this.#membership = new Membership(this.#connection, tell);
    this.#participation = new Participation(this.#connection, options.joinsOffers !== false, {
      tell,
      follow: (session, isNew) => {
        this.#side?.refollow(session);
        this.messages.watch(session, isNew);
      },
      release: (session) => {
        this.#side?.detach();
        this.messages.endSession(session);
      } });
    this.messages = new Presenter(this.#connection, this, user);
    [this.countdown, this.tray] = [new Countdown(this), new Tray(this)];
    this.addEventListener("dismissal", (event) => {
      const { detail } = /** @type {CustomEvent<string>} */ (event);
      this.dismiss(detail).catch((error) => this.#tell("refused", error));
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
  /** @returns {import("./mirror.js").GroupMirror | null} */ get group() { return this.#membership.group; }
  /** @returns {string | null} the group's key, for the link that invites others */
  get groupKey() { return this.#membership.key; }
  /** @returns {import("./membership.js").Eligibility} */ get eligibility() { return this.#membership.eligibility; }
  /** @returns {import("./participation.js").Offer | null} */ get offer() { return this.#participation.offer; }
  /** @returns {import("./mirror.js").SessionMirror | null} */ get session() { return this.#participation.session; }
  /** @returns {string | null} why the last session was over */ get lastReason() { return this.#participation.lastReason; }
  /** @returns {string | null} the session that lets this device in no more, as far as it knows */
  get bannedFrom() { return this.#participation.bannedFrom; }
  /** @param {string} session @returns {boolean} whether this device is on its way into it, or out of it */
  isUnderWay(session) { return this.#participation.isUnderWay(session); }

  /** @returns {number | null} where the group's film is, µs, also before the own player has it open */
  get position() {
    const [expected, timeline] = [this.#side?.expectedPosition ?? null, this.session?.timeline];
    if (expected !== null || timeline === undefined || this.clock === null) return expected;
    return positionAt(timeline, this.clock.instant(hostNow()));
  }

  start() { this.#connection.start(); }

  /**
   * Tries to connect at once instead of after the pause between two attempts. While it is online, it probes the
   * connection instead, and replaces one that does not answer within 3 s. It does so by itself when the page is shown
   * again and when the browser says that it is online.
   */
  reconnect() { this.#connection.reconnect(); }

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

  /**
   * @param {string} group @param {string} [key]
   * @param {{isPatient?: boolean}} [options] `isPatient`: no time limit, for a server that is away or cannot store it, and for a `code`
   *   that the person has yet to confirm on another device
   * @returns {Promise<any>}
   */
  joinGroup(group, key, options) { return this.#membership.join(group, key, options); }

  async leaveGroup() {
    const outcome = this.#membership.leave();
    this.#participation.end("left");
    await outcome;
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
  join(session) { return this.#participation.join(session); }

  /**
   * The person is done with the session; its policy says whether the others go on.
   * @param {string} session
   */
  dismiss(session) { return this.#participation.dismiss(session); }

  /** Leaves the session; the others go on. */
  leave() { return this.#participation.leave(); }

  play() { return steer(this, { kind: "play" }); }
  /** Everybody pauses at the frame that is seen here, if any is. */
  pause() {
    const position = this.#side?.expectedPosition ?? null;
    return steer(this, position === null ? { kind: "pause" } : { kind: "pause", position: Math.round(position) });
  }
  /** @param {number} position µs */
  seek(position) { return steer(this, { kind: "seek", position: Math.round(position) }); }
  /** @param {number} rate 0.25 to 4 */
  setRate(rate) { return steer(this, { kind: "setRate", rate }); }

  /** @param {string} text */
  chat(text) { return this.request("send", { payload: { chat: text } }); }

  /** Asks for the credential now, as when the person has signed in again. @returns {Promise<boolean>} whether it is taken */
  renew() { return this.#credential.renew(); }

  close() {
    this.#participation.end("closed");
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
      if (state.state !== "online") this.#membership.disconnect();
      this.#tell("connection", state);
    });
    on("welcome", (welcome) => this.#enter(welcome));
    on("clock", () => this.#side?.hearClock());
    on("clockQuality", (quality) => this.#tell("clockQuality", quality));
    on("expired", () => this.#credential.expire());
    on("forgotten", ({ reason }) => {
      const isOver = reason === "groupClosed";
      if (this.#comesAnew && !isOver) return;
      const isOut = isOver && this.#membership.isWanted;
      this.#participation.end(reason);
      // Nobody returns to a group that was closed, which would open it again.
      if (isOver) this.#membership.forget();
      else this.#membership.lose();
      if (isOut) this.#tell("refused", new MatineeError("outOfGroup", "the group was closed"));
    });
    on("line", (line) => this.#hear(line));
  }

  /** @param {any} welcome */
  #enter(welcome) {
    this.#side?.comeBack();
    if (!welcome.resumed && this.#membership.isWanted) {
      this.#membership.rejoin();
      this.#participation.rejoin();
    }
    this.messages.enter();
    this.tray.enter(welcome);
    if (this.session !== null) this.#side?.refollow(this.session);
  }

  /** Whether this is a spectator, of whom the server stores nothing: it keeps the session and comes anew. */
  get #comesAnew() { return this.session?.isSpectator === true && this.#membership.isWanted; }

  /** @param {any} line */
  #hear(line) {
    switch (line.type) {
      case "eligibility": case "group": case "groupEvent": case "groupKey":
        return this.#membership.hear(line, this.session !== null);
      case "offer": case "offerWithdrawn": case "snapshot": case "event": case "withheld": case "audience":
      case "sessionOver": case "sessionLeft":
        return this.#participation.hear(line);
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

  /**
   * @template {keyof import("./client-events.js").ClientEvents} Name
   * @param {Name} name @param {import("./client-events.js").ClientEvents[Name]} detail
   */
  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
