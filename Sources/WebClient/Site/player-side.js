// This page's player: the activity's item is opened in it, and a follower keeps it with the group.

import { hostNow } from "./clock.js";
import { backOff } from "./connection.js";
import { Follower } from "./follower.js";
import { isServed } from "./media.js";
import { OwnSuspensions } from "./own-suspensions.js";
import { isSameFile, itemOf } from "./queue.js";
import { MatineeError } from "./requests.js";
import { waitsForLateJoiners } from "./waiting-policy.js";

/**
 * @typedef {import("./mirror.js").SessionMirror} SessionMirror
 * @typedef {import("./queue.js").Media} Media
 * @typedef {import("./follower-state.js").PlayerEvent} PlayerEvent
 * @typedef {import("./follower-state.js").Intent} Intent
 * @typedef {import("./element-player.js").ElementPlayer} ElementPlayer
 * @typedef {import("./connection.js").Connection} Connection
 */

const seconds = 1_000_000;
/** Short enough for a person who watches the participants' positions. */
const reportInterval = 5 * seconds;

/**
 * What an app decides about the player.
 * @typedef {object} PlayerHooks
 * @property {(media: Media) => string | null | Promise<string | null>} resolve
 *   the URL that plays this media here; null if there is none
 * @property {import("./client-events.js").Tell} tell
 */

/** Ties an `ElementPlayer` to the session, by the rules of the native client. */
export class PlayerSide {
  #connection;
  #hooks;
  #player;
  #follower = new Follower();
  /** @type {SessionMirror | null} */ #session = null;
  /** @type {Media | null} the media that the player was last told to open */ #wanted = null;
  #isLoaded = false;
  #isStalled = false;
  /** @type {string | null} the participant for which the item was announced */ #announced = null;
  /** @type {string | null} the item that is followed before the server has answered that it is open here */ #anticipated = null;
  /** @type {unknown} the timeline last given to the follower */ #followed = null;
  #suspensions = new OwnSuspensions();
  /** @type {string | null} why the follower is suspended */ #reason = null;
  /** Whether a person moved the player while the connection was down. */
  #isAstray = false;
  /** @type {string | null} why the browser, or the system, keeps the player from running */ #held = null;
  /** @type {string | null} what a ready report answered last */ #answered = null;
  #reportDue = 0;
  /** How often the loading of the media broke off since it was open here. */ #breaks = 0;
  /** @type {number | null} when the media whose loading broke off is opened again */ #reopenAt = null;
  #timer = 0;

  /** @param {Connection} connection @param {ElementPlayer} player @param {PlayerHooks} hooks */
  constructor(connection, player, hooks) {
    this.#connection = connection;
    this.#player = player;
    this.#hooks = hooks;
    player.onEvent = (event) => this.#hear(event);
    player.onBlocked = () => this.#hold("userActionRequired");
    player.onInterrupted = (isPaused) => {
      if (isPaused && this.#session !== null) this.#hold("audioSessionInterrupted");
      else if (!isPaused) this.#wake();
    };
    player.isExpectedToPause = () => !this.#follower.isRunning;
  }

  get isLoaded() { return this.#isLoaded; }
  get costs() { return this.#follower.costs; }
  /** Whether this player takes part in what the group does. */
  get isFollowing() { return !this.#isDetachedByChoice && this.#isLoaded; }
  /** Whether the browser wants a person's tap before it plays. */
  get needsGesture() { return this.#held !== null; }

  /** @returns {number | null} where the player should be now, µs */
  get expectedPosition() { return this.#follower.expectedPosition(hostNow()); }

  /** Lets the player start: to be called in the handler of a person's tap. */
  async unlock() {
    await this.#player.unlock();
    this.#release();
  }

  /** @param {number} offset how long this player's sound comes late, µs: over Bluetooth, say */
  setOffset(offset) { this.#drive({ kind: "playerOffset", offset }); }

  /** Opens the media again, as when the person has chosen a file of their own. */
  reopen() {
    const media = this.#wanted;
    this.#wanted = null;
    if (media !== null) this.#adopt(media);
  }

  /** Opens the media again whose loading broke off, and waits the longer the more often it did. */
  #retry() {
    const breaks = this.#breaks;
    this.reopen();
    this.#breaks = breaks;
  }

  /** Whether commands move only this player. */
  get isLocal() {
    return this.#session !== null && this.#isLoaded
      && (this.#isDetachedByChoice || !this.#connection.isOnline);
  }

  /** @param {import("./intents.js").Wish} intent carried out on this device's player alone */
  obey(intent) {
    if (!this.#connection.isOnline) this.#wander();
    switch (intent.kind) {
      case "play": return this.#player.carryOut({ kind: "play", rate: 1 });
      case "pause": return this.#player.carryOut({ kind: "pause" });
      case "seek": return this.#player.carryOut({ kind: "seek", position: intent.position });
      case "setRate": return this.#player.carryOut({ kind: "setRate", rate: intent.rate });
    }
  }

  /**
   * Brings player and follower in line with the session.
   * @param {SessionMirror} session
   */
  refollow(session) {
    const isNew = this.#session?.me !== session.me;
    this.#session = session;
    if (isNew) for (const one of this.#suspensions.inherit(this.#standing)) this.#endOnServer(one);
    this.#adopt(session.activity.media ?? null);
    this.#announce();
    if (this.#anticipated !== null && session.isOpen(this.#anticipated)) this.#anticipated = null;
    this.#drive({ kind: "suspended", isSuspended: this.#isDetachedByChoice });
    const timeline = this.#timeline;
    if (timeline !== this.#followed && this.#connection.clock !== null) {
      this.#followed = timeline;
      this.#drive({ kind: "timeline", timeline, clock: this.#connection.clock });
    }
    this.#answerImposed();
  }

  /** Takes a better estimate of the group's time. */
  hearClock() {
    const clock = this.#connection.clock;
    if (clock === null) return;
    if (this.#session !== null && this.#followed === null) this.refollow(this.#session);
    else this.#drive({ kind: "clock", clock });
  }

  /** Follows again after a reconnection, with which the films' server may be there again, too. */
  comeBack() {
    this.#isAstray = false;
    if (this.#reopenAt !== null) this.#retry();
  }

  /** Lets go of the player, because the session is over for this device. */
  detach() {
    this.#letGo();
    [this.#session, this.#announced, this.#held, this.#reason] = [null, null, null, null];
    [this.#isAstray, this.#suspensions, this.#anticipated] = [false, new OwnSuspensions(), null];
    this.#drive({ kind: "released" });
    if (this.#isLoaded) this.#player.carryOut({ kind: "pause" });
    if (this.#wanted !== null && (!this.#isLoaded || isServed(this.#wanted.url))) this.#forget();
  }

  close() {
    // An address that is still looked up opens nothing.
    [this.#wanted, this.#reopenAt] = [null, null];
    this.#suspensions.abandon();
    window.clearTimeout(this.#timer);
    this.#player.close();
  }

  /** @param {Media | null} next */
  #adopt(next) {
    const old = this.#wanted;
    if (old === next || (old !== null && next !== null && isSameFile(old, next))) return;
    this.#letGo();
    [this.#wanted, this.#isLoaded, this.#announced, this.#anticipated] = [next, false, null, null];
    [this.#breaks, this.#reopenAt] = [0, null];
    if (next === null) {
      this.#player.unload();
      this.#ask("transition", {});
    } else void this.#open(next);
  }

  /** @param {Media} media */
  async #open(media) {
    this.#player.unload();
    try {
      const url = await this.#hooks.resolve(media);
      if (media !== this.#wanted) return;
      if (url !== null) return this.#player.load(url);
      // A page that is loaded again had it open: nobody waits for who has yet to choose a copy.
      if (this.#session?.isOpen(itemOf(media)) === true) this.#ask("transition", {});
      this.#hooks.tell("mediaWanted", media);
    } catch (error) {
      if (media !== this.#wanted) return;
      if (this.#breaks === 0) this.#hooks.tell("refused", /** @type {Error} */ (error));
      const isBroken = error instanceof MatineeError && ["timedOut", "forgotten"].includes(error.code);
      this.#hear({ kind: "failed", isBroken });
    }
  }

  /**
   * Lets the next session open the media anew: media that is not open here failed, or waits for the person's
   * copy; and the address of the server's media is good for one session only.
   */
  #forget() {
    [this.#wanted, this.#isLoaded, this.#reopenAt] = [null, false, null];
    this.#player.unload();
  }

  /** Tells the server once that the item is open here. */
  #announce() {
    const [session, media] = [this.#session, this.#wanted];
    if (!this.#isLoaded || session === null || media === null || this.#announced === session.me) return;
    this.#announced = session.me;
    if (session.isSpectator) return;
    const item = itemOf(media);
    // Who comes late joins a film that runs: the answer would only cost them a round trip of it.
    const isRunning = session.timelines.get(item)?.phase === "playing";
    this.#anticipated = isRunning && !waitsForLateJoiners(session.waitingPolicy) ? item : null;
    this.#connection.request("transition", { item, duration: this.#duration })
      .catch((error) => this.#giveUp(item, error.code === "timedOut"));
  }

  /**
   * @param {string} item that the server did not take
   * @param {boolean} isUnanswered whether it did not answer: then the item is announced again
   */
  #giveUp(item, isUnanswered) {
    if (this.#wanted === null || itemOf(this.#wanted) !== item) return;
    if (isUnanswered) this.#announced = null;
    this.#anticipated = null;
    if (this.#session !== null) this.refollow(this.#session);
  }

  /** @returns {import("./timeline.js").Timeline | null} once the server knows the item is current, or if it is followed before */
  get #timeline() {
    const [session, item] = [this.#session, this.#wanted && itemOf(this.#wanted)];
    if (!this.#isLoaded || session === null || item === null) return null;
    return session.isOpen(item) || this.#anticipated === item ? session.timelines.get(item) ?? null : null;
  }

  get #duration() {
    const length = this.#player.element.duration;
    return Number.isFinite(length) ? Math.round(length * seconds) : undefined;
  }

  #letGo() {
    [this.#followed, this.#answered] = [null, null];
    this.#drive({ kind: "timeline", timeline: null, clock: this.#connection.clock });
  }

  /** @param {PlayerEvent} event */
  #hear(event) {
    if (!this.#isLoaded && event.kind !== "loaded" && event.kind !== "failed") return;
    if (event.kind === "loaded") [this.#isLoaded, this.#breaks, this.#reopenAt] = [true, 0, null];
    if (event.kind === "failed") this.#fail(event.isBroken === true);
    if (["loaded", "stalled", "recovered", "ended"].includes(event.kind)) this.#isStalled = event.kind === "stalled";
    if (event.kind === "position") this.#report(event.position, event.at);
    this.#drive({ kind: "player", event });
    if (event.kind === "position") return this.#answerImposed();
    this.#reportDue = 0;
    if (event.kind === "seekFinished") this.#report(event.position, hostNow());
    if (this.#session !== null) this.refollow(this.#session);
  }

  /** @param {boolean} isBroken whether the media cannot be played only because its loading broke off */
  #fail(isBroken) {
    this.#isLoaded = false;
    this.#hooks.tell("mediaFailed", this.#wanted);
    // Of a server that is away a browser says the same as of a format that it does not know.
    if (!isBroken && this.#breaks === 0) return;
    this.#breaks += 1;
    this.#reopenAt = hostNow() + backOff(this.#breaks + 2);
  }

  /** @param {number} mediaTime @param {number} at a host time */
  #report(mediaTime, at) {
    const [clock, item] = [this.#connection.clock, this.#wanted && itemOf(this.#wanted)];
    if (at < this.#reportDue || clock === null || item === null || this.#session?.isOpen(item) !== true) return;
    this.#reportDue = at + reportInterval;
    const playing = !this.#player.element.paused;
    this.#connection.say({ type: "report", item, mediaTime, at: Math.round(clock.instant(at)), playing });
  }

  /** @param {import("./follower.js").Input} input */
  #drive(input) {
    for (const output of this.#follower.handle(input, hostNow())) this.#carryOut(output);
    window.clearTimeout(this.#timer);
    const due = Math.min(this.#follower.nextDeadline ?? Infinity, this.#reopenAt ?? Infinity);
    if (due === Infinity) return;
    const pause = Math.max((due - hostNow()) / 1000, 0);
    this.#timer = window.setTimeout(() => this.#meetDeadlines(), pause);
  }

  #meetDeadlines() {
    if (this.#reopenAt !== null && this.#reopenAt <= hostNow()) return this.#retry();
    this.#drive({ kind: "deadlineReached" });
  }

  /** @param {import("./follower-state.js").Output} output */
  #carryOut(output) {
    const item = this.#wanted && itemOf(this.#wanted);
    switch (output.kind) {
      case "player": return this.#player.carryOut(output.command);
      case "ready": return this.#reportReady(output.seq);
      case "ended": return this.#ask("reportEnd", { item, answers: output.seq });
      case "intent": return this.#carryIntent(output.intent);
      case "suspend":
        this.#reason = output.reason;
        return void this.#begin(output.reason);
      case "endSuspension": {
        const reason = this.#reason;
        this.#reason = null;
        return this.#end(reason);
      }
      case "correction": return this.#hooks.tell("correction", output);
      case "status": return this.#hooks.tell("drift", output.error);
    }
  }

  /** @param {Intent} intent that a person had by the player's own controls */
  #carryIntent(intent) {
    if (!this.#connection.isOnline) return this.#wander();
    if (this.#session?.isSpectator === true) return this.#steer();
    const item = this.#wanted && itemOf(this.#wanted);
    const fields = intent.kind === "setRate" ? { item, rate: intent.rate }
      : intent.kind === "play" ? { item } : { item, mediaTime: Math.round(intent.position) };
    this.#connection.request(intent.kind, fields).catch((error) => {
      this.#hooks.tell("refused", error);
      this.#steer();
    });
  }

  /** Returns the player to the group's timeline. */
  #steer() {
    const clock = this.#connection.clock;
    if (clock === null || this.#followed === null) return;
    this.#drive({ kind: "timeline", timeline: this.#timeline, clock });
  }

  /** Reports ready if this answers a barrier, or ends a suspension that the server imposed. */
  #reportReady(/** @type {number} */ seq) {
    const [session, timeline] = [this.#session, this.#timeline];
    if (session === null || timeline === null || this.#wanted === null) return;
    const imposed = session.own?.suspensions.find((one) => one.imposed)?.suspension;
    if (timeline.phase !== "preparing" && imposed === undefined) return;
    const item = itemOf(this.#wanted);
    const answer = `${item} ${seq} ${imposed}`;
    if (this.#answered === answer) return;
    this.#answered = answer;
    this.#ask("ready", { item, answers: seq, duration: this.#duration }, () => this.#reportAgain(answer, seq));
  }

  /** Reports ready again, unless another report or another event of the timeline came since. */
  #reportAgain(/** @type {string} */ answer, /** @type {number} */ seq) {
    if (this.#answered !== answer) return;
    this.#answered = null;
    if (this.#isSettled && this.#timeline?.seq === seq) this.#reportReady(seq);
  }

  /** Whether the player could start at once. */
  get #isSettled() { return this.#isLoaded && !this.#isStalled && !this.#player.element.seeking; }

  /** Ends an imposed suspension once this player can follow; at a barrier the follower does. */
  #answerImposed() {
    const timeline = this.#timeline;
    if (timeline === null || timeline.phase === "preparing" || !this.#isSettled
      || this.#session?.own?.suspensions.some((one) => one.imposed) !== true) return;
    if (timeline.phase === "playing" && this.#player.element.paused) return;
    this.#reportReady(timeline.seq);
  }

  // Suspensions

  get #standing() { return this.#session?.own?.suspensions ?? []; }

  get #isDetachedByChoice() {
    return this.#isAstray || this.#held !== null
      || this.#session?.own?.suspensions.some((one) => !one.imposed && !this.#suspensions.covers(one)) === true;
  }

  /** @param {string} reason */
  async #begin(reason) {
    if (this.#session?.isSpectator !== false) return;
    const suspensions = this.#suspensions;
    suspensions.begin(reason);
    try {
      const { suspension } = await this.#connection.request("suspend", { reason });
      // A large audience has no suspensions, and so no number.
      if (suspension === undefined) return suspensions.drop(reason);
      const over = suspensions.name(reason, suspension, this.#standing);
      if (suspensions === this.#suspensions) this.#endOnServer(over);
    } catch {
      // Refused, or the session is over: then there is nothing to end.
      suspensions.drop(reason);
    }
  }

  /** @param {string | null} reason */
  #end(reason) {
    if (reason !== null) this.#endOnServer(this.#suspensions.end(reason, this.#standing));
  }

  /** @param {number | null} suspension */
  #endOnServer(suspension) {
    if (suspension === null) return;
    const me = this.#session?.me;
    this.#ask("endSuspension", { suspension }, () => {
      const isOpen = this.#standing.some((one) => one.suspension === suspension);
      if (isOpen && this.#session?.me === me) this.#endOnServer(suspension);
    });
  }

  /** @param {string} reason why the player cannot run although the group does */
  #hold(reason) {
    if (this.#held !== null) return;
    this.#held = reason;
    this.#drive({ kind: "suspended", isSuspended: true });
    this.#drive({ kind: "player", event: { kind: "paused" } });
    if (this.#reason === null) void this.#begin(reason);
    this.#hooks.tell("needsGesture", reason);
  }

  #release() {
    if (this.#held === null) return;
    const reason = this.#held;
    this.#held = null;
    this.#end(reason);
    this.#hooks.tell("gestureGiven", null);
    this.#drive({ kind: "suspended", isSuspended: this.#isDetachedByChoice });
    this.#drive({ kind: "reapply" });
  }

  /** After the page was out of sight: what the system paused goes on, if the browser lets it. */
  #wake() {
    if (this.#held !== null) this.#release();
    else this.#drive({ kind: "deadlineReached" });
  }

  /** While the connection is down, a person's actions move only this player. */
  #wander() {
    this.#isAstray = true;
    this.#drive({ kind: "suspended", isSuspended: true });
  }

  /** @param {string} type @param {Record<string, unknown>} fields @param {() => void} [askAgain] if no answer comes in time */
  #ask(type, fields, askAgain) {
    if (this.#session === null || this.#session.isSpectator) return;
    // A refusal only means that two lines crossed: what it answers was sent before.
    this.#connection.request(type, fields).catch((error) => { if (error.code === "timedOut") askAgain?.(); });
  }
}
