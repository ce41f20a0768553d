// The session that this device takes part in, and the one that it is offered.

import { SessionMirror } from "./mirror.js";
import { MatineeError, isForParticipants } from "./requests.js";

/**
 * @typedef {import("./mirror.js").Activity} Activity
 * @typedef {{session: string, activity: Activity, staged: boolean,
 *   initiator: {name: string}}} Offer
 */

/**
 * What the client does with a session.
 * @typedef {object} ParticipationHooks
 * @property {import("./client-events.js").Tell} tell
 * @property {(session: SessionMirror, isNew: boolean) => void} follow brings the player in line, after each change
 * @property {(session: string) => void} release takes the player away, before the requests to the session fail
 */

/**
 * Joins and leaves a session, and mirrors it. It tells `offer`, `session`, `change`, `chat`, `payload`,
 * `audience`, and `refused` when an offered session cannot be joined.
 */
export class Participation {
  #connection;
  #joinsOffers;
  #hooks;
  /** @type {{session: string, outcome: Promise<any>} | null} the join that is pending until its snapshot */ #joining = null;
  /** @type {Offer | null} */ #offer = null;
  /** @type {SessionMirror | null} */ #session = null;
  /** @type {string | null} */ #lastReason = null;
  /** @type {string | null} */ #bannedFrom = null;

  /**
   * @param {import("./connection.js").Connection} connection
   * @param {boolean} joinsOffers whether an offered session is joined at once
   * @param {ParticipationHooks} hooks
   */
  constructor(connection, joinsOffers, hooks) {
    this.#connection = connection;
    this.#joinsOffers = joinsOffers;
    this.#hooks = hooks;
  }

  get offer() { return this.#offer; }
  get session() { return this.#session; }
  /** Why the last session was over; null before that. */
  get lastReason() { return this.#lastReason; }
  /** The session that lets this device in no more, as far as it knows. */
  get bannedFrom() { return this.#bannedFrom; }

  /** @param {string} session @returns {boolean} whether this device is on its way into it, or out of it */
  isUnderWay(session) { return this.#joining?.session === session || this.#connection.isLeaving(session); }

  /** @param {string} session @returns {Promise<any>} */
  async join(session) {
    if (this.#session?.id === session) return undefined;
    if (this.#joining?.session === session) return this.#joining.outcome;
    const joining = { session, outcome: this.#connection.request("join", { session }) };
    this.#joining = joining;
    try {
      return await joining.outcome;
    } catch (error) {
      if (this.#joining === joining) this.#joining = null;
      this.#noteBan(session, /** @type {any} */ (error).code === "banned");
      throw error;
    }
  }

  /** Joins the session again, because the server no longer knows the device. */
  rejoin() {
    const session = this.#session?.id;
    if (session === undefined) return;
    this.#connection.requestReturn("join", { session }).catch((error) => {
      // The server has forgotten the device once more; after the next welcome it joins again.
      if (error.code === "forgotten") return;
      if (this.#session?.id === session) this.#finish(error.details?.reason ?? "connectionLost");
    });
  }

  /** @param {string} session whose policy says whether the others go on */
  async dismiss(session) {
    if (session !== this.#entered) return;
    await this.#part("dismiss", session, "dismissed");
  }

  /** Leaves the session; the others go on. */
  async leave() {
    const session = this.#entered;
    if (session === undefined) return;
    await this.#part("leave", session, "left");
  }

  /**
   * Asks first: what an app does next once it hears of the end reaches the server after the farewell.
   * @param {"dismiss" | "leave"} farewell @param {string} session @param {string} reason
   */
  #part(farewell, session, reason) {
    const outcome = this.#connection.requestParting(
      farewell, { session }, () => this.#hooks.tell("offer", this.#offer));
    this.end(reason);
    return outcome;
  }

  /** The session that this device is in, or else the one that it is joining: the server adds it there. */
  get #entered() { return this.#session?.id ?? this.#joining?.session; }

  /**
   * Ends the session on this device, and gives up a join that is under way.
   * @param {string} reason
   */
  end(reason) {
    this.#joining = null;
    this.#finish(reason);
  }

  /** @param {string} reason */
  #finish(reason) {
    const session = this.#session;
    if (session === null) return;
    [this.#session, this.#lastReason] = [null, reason];
    this.#hooks.release(session.id);
    const over = new MatineeError("sessionOver", "the session is over", { reason });
    this.#connection.failRequests(over, (one) => isForParticipants(one.type) && !one.isSent);
    this.#hooks.tell("session", null);
  }

  /** @param {any} line from the server */
  hear(line) {
    switch (line.type) {
      case "offer": return this.#hearOffer(line);
      case "offerWithdrawn":
        if (this.#offer?.session === line.session) this.#setOffer(null);
        return;
      case "snapshot": return this.#enter(line);
      case "event": case "withheld": return this.#hearEvent(line);
      case "audience":
        if (this.#session === null || this.#session.id !== line.session) return;
        this.#session.audience = line;
        return this.#hooks.tell("audience", line);
      case "sessionOver": case "sessionLeft":
        this.#noteBan(line.session, line.banned);
        if (this.#session?.id === line.session) this.#finish(line.reason);
        return;
    }
  }

  /** @param {string} session @param {boolean | undefined} isBanned whether it lets this device in no more */
  #noteBan(session, isBanned) {
    if (isBanned === true) this.#bannedFrom = session;
  }

  /** @param {any} offer */
  #hearOffer(offer) {
    if (this.#session?.id === offer.session) return;
    this.#setOffer(offer);
    const isJoined = !offer.staged && this.#joinsOffers && this.#session === null;
    if (isJoined) this.join(offer.session).catch((error) => this.#hooks.tell("refused", error));
  }

  /** @param {any} snapshot */
  #enter(snapshot) {
    const before = this.#session;
    this.#joining = null;
    if (before === null && this.#connection.isLeaving(snapshot.session)) return;
    const session = new SessionMirror(snapshot);
    this.#session = session;
    if (this.#offer?.session === snapshot.session) this.#setOffer(null);
    // The app may leave it at each word that it is told.
    if (this.#session === session) this.#hooks.tell("session", session);
    const heard = before !== null && before.id === snapshot.session ? before.seq : 0;
    for (const line of snapshot.chat ?? []) {
      const isNews = this.#session === session && line.seq > heard;
      if (isNews) this.#hearChat(session, { ...line, own: line.from === session.me, isEarlier: true });
    }
    this.#goOn(session, before?.id !== snapshot.session);
  }

  /** @param {any} line */
  #hearEvent(line) {
    const session = this.#session;
    if (session === null || session.id !== line.session || line.seq <= session.seq) return;
    if (line.seq !== session.seq + 1) return this.#connection.drop("events of the session are missing");
    if (line.type === "withheld" || line.event === "messageSent") {
      session.seq = line.seq;
      if (line.event === "messageSent") this.#hearPayload(session, line);
      return;
    }
    const gone = line.event === "left" ? session.participants.get(line.participant) : undefined;
    const entryGone = line.event === "entryRemoved" ? session.queue.entries.find((one) => one.entry === line.entry) : undefined;
    session.evolve(line);
    this.#hooks.tell("change", { ...line, gone, entryGone });
    if (this.#session !== session) return;
    if (line.event === "left" && line.participant === session.me) this.#noteBan(session.id, line.banned);
    if (line.event === "ended" || (line.event === "left" && line.participant === session.me)) {
      return this.#finish(line.reason);
    }
    this.#goOn(session, false);
  }

  /**
   * Follows the session, unless the app has left it by now.
   * @param {SessionMirror} session @param {boolean} isNew
   */
  #goOn(session, isNew) {
    if (this.#session !== session) return;
    this.#hooks.follow(session, isNew);
    this.#connection.sendPending();
  }

  /** @param {SessionMirror} session @param {any} line */
  #hearPayload(session, { by, to, payload, at, seq }) {
    const [name, own, isPrivate] = [session.participants.get(by)?.name ?? "", by === session.me, Array.isArray(to)];
    if (typeof payload?.chat === "string") this.#hearChat(session, { seq, at, name, payload, own, isPrivate });
    else this.#hooks.tell("payload", { from: by, payload });
  }

  /** @param {SessionMirror} session @param {{seq: number, at: number, name: string, payload: any, own: boolean, isEarlier?: boolean, isPrivate?: boolean}} line */
  #hearChat(session, { seq, at, name, payload, own, isEarlier = false, isPrivate = false }) {
    const text = payload.chat;
    if (typeof text !== "string") return;
    this.#hooks.tell("chat", { session: session.id, seq, at, name, text, own, isEarlier, isPrivate });
  }

  /** @param {Offer | null} offer */
  #setOffer(offer) {
    this.#offer = offer;
    this.#hooks.tell("offer", offer);
  }
}
