// One connection to the server, which is made again whenever it breaks.

import { ClockEstimate, ClockQuality, ClockSample, ClockSchedule, RoundTrips, hostNow } from "./clock.js";
import { MatineeError, PendingRequests, isParting, isReadable, requestTimeout } from "./requests.js";

/**
 * @typedef {object} ConnectionOptions
 * @property {string} url of the server's WebSocket, `wss://…/ws`
 * @property {string} user @property {string} device @property {string} name
 * @property {string} [token] the token of an earlier welcome, to resume with
 * @property {string} [code] which another device of the person made for this one
 * @property {() => string | undefined | Promise<string | undefined>} [credential]
 *   what proves who the person is; asked once a connection is open, before its first hello
 * @property {() => {session: string, seq: number} | undefined} [resumption] what to resume
 */

const Telling = /** @type {new () => import("./client-events.js").Teller<import("./client-events.js").ConnectionEvents>} */ (EventTarget);

const seconds = 1_000_000;
/** The limit for connecting, and for the welcome. */
const patience = 10 * seconds;
/** The limit without any message: five missed pings at the longest interval. */
const silence = 10 * seconds;
/** The limit for the answer to a probe: a phone's radio wakes within 2 s, and TCP repeats a lost packet within 1 s. */
const probePatience = 3 * seconds;
/** A connection that stayed online for this long resets the back-off. */
const proof = 5 * seconds;
/** Refusals that the next attempt would only hear again. */
const final = new Set([
  "superseded", "unsupportedVersion", "tlsRequired", "pairingRefused", "held", "namesFull",
  "credentialRequired", "credentialRefused", "invalidField",
]);

/**
 * @param {number} attempts that failed so far
 * @returns {number} the pause before the next one, µs: 0.1 s, doubled up to 10 s, and its upper
 *   half random, so that the clients of a restarted server do not come all at once
 */
export function backOff(attempts) {
  return Math.min(100_000 * 2 ** Math.min(attempts, 7), 10 * seconds) * (0.5 + Math.random() / 2);
}

/** Why a renewal ends without a connection: the next hello shows what the app has by then. */
const shownNext = () => new MatineeError("superseded", "the next hello shows the credential");

/** @param {string} url of a WebSocket @returns {boolean} whether nobody on the way can read what is said to it */
function isPrivate(url) {
  const { protocol, hostname } = new URL(url, globalThis.location?.href);
  return ["wss:", "https:"].includes(protocol) || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Speaks the native protocol, one JSON object a text frame: hello, requests and their answers, the
 * group's time, and reconnecting with resume.
 *
 * Its events are `ConnectionEvents` in client-events.js.
 */
export class Connection extends Telling {
  #options;
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {"idle" | "connecting" | "wanting" | "greeting" | "online" | "waiting" | "closed"} while `wanting` there is
   *   no connection: the last one ended before the app gave a credential, and the next one, whose pause is over,
   *   waits for that */
  #stage = "idle";
  /** Whether the app has yet to give a credential. */ #isAsking = false;
  /** @type {string | undefined} what the app gave last */ #credential;
  /** Whether its connection was gone by then: the next one shows it without asking. */ #isAnswered = false;
  /** Whether a new device's joining goes along with its hello, which saves a round trip. */ #joinsEarly = false;
  #deadline = Infinity;
  /** When a ping was sent whose answer shows that the connection still works; online, it is due at the deadline. */ #probed = 0;
  #onlineSince = 0;
  #lastHeard = 0;
  #attempts = 0;
  /** @type {number | null} */ #lostSince = null;
  /** @type {string | undefined} */ #token;
  #pending = new PendingRequests();
  #schedule = new ClockSchedule(0);
  #roundTrips = new RoundTrips();
  #quality = new ClockQuality();
  #timer = 0;
  /** Keeps the heartbeat while the page is hidden and its own timers hardly run. */
  #ticker = new Worker(new URL("./ticker.js", import.meta.url), { type: "module" });
  /** @type {ClockEstimate | null} the group's time; null until the first pong */ clock = null;
  /** @type {any} the last welcome */ welcome = null;
  /** @type {(request: import("./requests.js").Pending) => boolean} */ maySend = () => true;

  /** @param {ConnectionOptions} options */
  constructor(options) {
    super();
    this.#options = options;
    this.#token = options.token;
    this.device = options.device;
    document.addEventListener("visibilitychange", this.#wake);
    window.addEventListener("online", this.#wake);
    this.#ticker.onmessage = () => { if (document.hidden) this.#tick(); };
  }

  get isOnline() { return this.#stage === "online"; }
  get token() { return this.#token; }
  /** Whether the connection is too slow to be exactly together. */
  get hasPoorClock() { return this.#quality.isPoor; }
  /** @returns {number | undefined} the 95th percentile of the round trips, µs */
  get roundTrip() { return this.#roundTrips.slow; }

  start() { if (this.#stage === "idle") this.#attempt(); }

  /** @param {string} type @param {Record<string, unknown>} [fields] @returns {Promise<any>} */
  request(type, fields = {}) {
    return isParting(type) ? this.requestParting(type, fields) : this.#request(type, fields, false);
  }

  /**
   * Says what is over on this device already; nobody waits for a server that is away.
   * @param {string} type @param {Record<string, unknown>} fields
   * @param {() => void} [settle] is called once the server has answered, or the client gives up
   * @returns {Promise<any>}
   */
  requestParting(type, fields, settle = () => {}) {
    const outcome = this.#request(type, fields, false);
    const over = new AbortController();
    outcome.then(settle, settle).finally(() => over.abort());
    return Promise.race([outcome, this.isOnline
      ? new Promise((end) => this.addEventListener("state", () => end({}), { once: true, signal: over.signal }))
      : Promise.resolve({})]);
  }

  /**
   * Asks to come back to where the server no longer knows the device; it is asked again until the server can store it.
   * @param {string} type @param {Record<string, unknown>} fields @returns {Promise<any>}
   */
  requestReturn(type, fields) { return this.#request(type, fields, true); }

  /**
   * Asks what the client has to tell of itself and of its person, until the server can store it.
   * @param {string} type @param {Record<string, unknown>} fields @returns {Promise<any>}
   */
  requestNotice(type, fields) { return this.#request(type, fields, false, true); }

  /**
   * @param {string} type @param {Record<string, unknown>} fields @param {boolean} isReturn @param {boolean} [isNotice]
   * @returns {Promise<any>}
   */
  #request(type, fields, isReturn, isNotice = false) {
    if (this.#stage === "closed") return Promise.reject(new MatineeError("closed", "it is closed"));
    const field = Object.keys(fields).find((name) => !isReadable(fields[name]));
    if (field !== undefined) {
      // The server could not tell which request it does not read.
      return Promise.reject(new MatineeError("invalidField",
        `${field} has a number that is not finite or beyond 64 bits, half a surrogate pair, or is nested too deeply`,
        { field }));
    }
    if (type === "renew" && !this.isOnline && this.#stage !== "greeting") return Promise.reject(shownNext());
    const outcome = this.#pending.add(type, fields, hostNow() + requestTimeout, isReturn, isNotice);
    this.sendPending();
    return outcome;
  }

  /**
   * Sends what may be lost: a `report` or a `message`.
   * @param {Record<string, unknown>} line
   */
  say(line) { if (this.isOnline) this.#send(line); }

  /** Sends the requests that may be sent now, in the order they were made. */
  sendPending() {
    if (!this.isOnline && !this.#joinsEarly) return;
    // Before the welcome, and until a joining has claimed the name, the server takes nothing else.
    const isProved = this.isOnline && this.welcome?.unproved !== true;
    let mayJoin = true;
    const ready = this.#pending.takeSendable((one) => {
      // Whoever goes elsewhere leaves first.
      if (one.type === "leaveGroup") mayJoin = false;
      return (isProved || (one.type === "joinGroup" && mayJoin)) && this.maySend(one);
    });
    for (const one of ready) this.#send({ type: one.type, id: one.id, ...one.fields });
    this.#arm();
  }

  /** @param {string} session @returns {boolean} whether the server has not said yet that this device has left it */
  isLeaving(session) { return this.#pending.isLeaving(session); }

  /** @param {MatineeError} error @param {(one: import("./requests.js").Pending) => boolean} [isMeant] */
  failRequests(error, isMeant) { this.#pending.failAll(error, isMeant); }

  /**
   * Breaks a connection whose events have a gap; the next one gets a snapshot.
   * @param {string} why
   */
  drop(why) {
    this.#hangUp();
    this.#lose(why);
  }

  /** @param {MatineeError} [error] why it ends for good */
  close(error = new MatineeError("closed", "it is closed")) {
    if (this.#stage === "closed") return;
    this.#stage = "closed";
    document.removeEventListener("visibilitychange", this.#wake);
    window.removeEventListener("online", this.#wake);
    window.clearTimeout(this.#timer);
    this.#ticker.terminate();
    this.#hangUp();
    this.#pending.failAll(error);
    this.#tell("state", { state: "offline", error });
  }

  /** Tries at once, or finds out whether the connection still works; a healthy one stays. */
  reconnect() {
    const now = hostNow();
    this.#attempts = 0;
    if (this.#stage === "waiting") this.#deadline = now;
    if (this.isOnline) {
      // A second probe does not extend the first one: notices of a changed network come in bursts.
      if (this.#deadline === Infinity) this.#probed = now;
      this.#schedule.restart(now);
    }
    if (this.#socket !== null) this.#deadline = Math.min(this.#deadline, now + probePatience);
    this.#tick();
  }

  /** The page slept, or the network is another one. */
  #wake = () => { if (!document.hidden) this.reconnect(); };

  #attempt() {
    const now = hostNow();
    const isAnswered = this.#isAnswered;
    this.#isAnswered = false;
    [this.#stage, this.#deadline] = ["connecting", now + patience];
    if (this.#lostSince === null && this.#attempts === 0) this.#tell("state", { state: "connecting" });
    const socket = new WebSocket(this.#options.url);
    this.#socket = socket;
    socket.onopen = () => {
      if (!isAnswered) void this.#ask(socket);
      else if (socket === this.#socket) this.#greet();
    };
    socket.onmessage = ({ data }) => { if (socket === this.#socket) this.#hear(String(data)); };
    socket.onclose = ({ reason }) => {
      if (socket === this.#socket) this.#lose(reason || "the connection broke");
    };
    this.#arm();
  }

  /**
   * Asks the app, which may need longer than a connection lasts without a hello: its person may have to sign in.
   * @param {WebSocket} socket
   */
  async #ask(socket) {
    this.#isAsking = true;
    try {
      this.#credential = await this.#options.credential?.();
    } catch (error) {
      this.#isAsking = false;
      return this.drop(`the app gave no credential: ${error instanceof Error ? error.message : error}`);
    }
    this.#isAsking = false;
    if (socket === this.#socket) return this.#greet();
    this.#isAnswered = true;
    if (this.#stage === "wanting") this.#attempt();
  }

  #greet() {
    const { url, user, device, name, code: given } = this.#options;
    const code = this.welcome === null ? given : undefined;
    if (code !== undefined && !isPrivate(url)) {
      return this.close(new MatineeError("tlsRequired", "a code is not shown over a connection without encryption"));
    }
    const now = hostNow();
    [this.#stage, this.#deadline, this.#lastHeard] = ["greeting", now + patience, now];
    const resume = this.#token && { token: this.#token, ...this.#options.resumption?.() };
    this.#send({
      type: "hello", versions: [1], user, device, name, features: ["sessions", "audience", "heartbeat"],
      credential: this.#credential, resume: resume || undefined, code });
    this.#joinsEarly = !resume;
    this.sendPending();
    this.#arm();
  }

  /** @param {string} text */
  #hear(text) {
    const now = hostNow();
    this.#lastHeard = now;
    const line = JSON.parse(text);
    switch (line.type) {
      case "welcome": return this.#enter(line, now);
      case "pong": return this.#hearPong(line, now);
      case "ok": case "status": case "explanation": case "objectState":
        if (line.type === "ok" && this.welcome?.unproved) this.welcome.unproved = false;
        this.#pending.answer(line);
        return this.sendPending();
      case "error": return this.#hearError(line, now);
      case "closing": return this.#hearClosing(line);
      default: this.#tell("line", line);
    }
  }

  /** @param {any} welcome @param {number} now */
  #enter(welcome, now) {
    [this.#stage, this.#joinsEarly, this.#onlineSince, this.#lostSince] = ["online", false, now, null];
    this.#deadline = Infinity;
    this.#token = welcome.token;
    this.welcome = welcome;
    this.#schedule.restart(now);
    this.#tell("state", { state: "online" });
    this.#tell("welcome", welcome);
    this.#tick();
    this.sendPending();
  }

  /** @param {any} pong @param {number} now */
  #hearPong(pong, now) {
    // An answer to an earlier ping may be older than the change of the network.
    if (this.isOnline && pong.sent >= this.#probed) this.#deadline = Infinity;
    try {
      const sample = new ClockSample(pong.sent, pong.heard, pong.answered, now);
      this.#roundTrips.note(sample.roundTrip);
      if (this.clock === null) this.clock = new ClockEstimate(sample);
      else if (this.clock.add(sample) === "restarted") this.#schedule.restart(now);
      this.#tell("clock", this.clock);
      if (this.#quality.judge(this.clock, this.#schedule, now)) {
        this.#tell("clockQuality", { isPoor: this.#quality.isPoor });
      }
    } catch (error) {
      // No network can produce these four timestamps: the sample is ignored.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** @param {any} line @param {number} now */
  #hearError(line, now) {
    if (line.code === "helloRequired" && this.#stage === "greeting") {
      // The server still checks the credential: every early joining follows the welcome.
      this.#joinsEarly = false;
      return this.#pending.markUnsent();
    }
    if (line.id !== undefined) {
      this.#pending.refuse(line, now);
      return this.#arm();
    }
    if (this.#stage !== "greeting") return this.#tell("line", line);
    if (line.code === "resumeRefused" && this.#token !== undefined) {
      this.#token = undefined;
      const isWithinGrace = this.#lostSince !== null
        && now - this.#lostSince < (this.welcome?.limits.resumeGrace ?? 0);
      // What was never sent can still be asked of the device's new life.
      this.#pending.failAll(
        new MatineeError("forgotten", "the server no longer knows this device"), (one) => one.wasSent);
      const reason = isWithinGrace ? "serverRestarted" : "connectionLost";
      this.#tell("forgotten", { reason: line.reason === "groupClosed" ? line.reason : reason });
      if (this.#socket !== null) this.#greet();
    } else if (final.has(line.code)) this.close(MatineeError.of(line));
    else this.drop(line.message);
  }

  /** @param {any} line */
  #hearClosing(line) {
    if (final.has(line.code)) return this.close(MatineeError.of(line));
    this.#hangUp();
    this.#lose(line.message, line.retryAfter);
    if (line.code === "credentialExpired") this.#tell("expired", null);
  }

  /** @param {string} why @param {number} [again] how long the server asks to wait, µs */
  #lose(why, again) {
    if (this.#stage === "closed") return;
    const now = hostNow();
    if (this.#stage === "online") {
      this.#lostSince = now;
      if (now - this.#onlineSince >= proof) this.#attempts = 0;
    }
    [this.#socket, this.#joinsEarly] = [null, false];
    // A failure during a pause, when the app has no credential, does not shorten what the server asked for.
    const earliest = this.#stage === "waiting" ? this.#deadline : now;
    const due = now + Math.min(again ?? backOff(this.#attempts), 60 * seconds);
    [this.#stage, this.#deadline] = ["waiting", Math.max(earliest, due)];
    this.#attempts += 1;
    this.#pending.markUnsent();
    this.#pending.failAll(shownNext(), (one) => one.type === "renew");
    this.#tell("state", { state: this.#lostSince === null ? "connecting" : "reconnecting", why });
    this.#arm();
  }

  /** Connects again, unless the app has yet to answer: its answer does it then. */
  #endPause() {
    if (this.#isAsking) [this.#stage, this.#deadline] = ["wanting", Infinity];
    else this.#attempt();
  }

  #hangUp() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #tick() {
    const now = hostNow();
    if (this.isOnline && this.#schedule.nextPing <= now) {
      this.#schedule.pinged(now);
      this.#send({ type: "ping", sent: hostNow(), roundTrip: this.#roundTrips.slow });
    }
    if (this.isOnline && this.#lastHeard + silence <= now) this.#deadline = now;
    if (this.#deadline <= now) {
      if (this.isOnline) this.drop("the connection does not answer any more");
      else if (this.#stage === "waiting") this.#endPause();
      else if (this.#stage === "connecting") this.drop("no connection in time");
      else if (this.#stage === "greeting") this.drop("no welcome in time");
    }
    this.#pending.tick(now);
    this.sendPending();
    this.#arm();
  }

  #arm() {
    window.clearTimeout(this.#timer);
    if (this.#stage === "closed" || this.#stage === "idle") return;
    const next = this.isOnline ? Math.min(this.#schedule.nextPing, this.#lastHeard + silence) : Infinity;
    const due = Math.min(next, this.#deadline, this.#pending.nextDeadline ?? Infinity);
    // A browser's timer takes an infinite pause for none.
    if (due === Infinity) return;
    this.#timer = window.setTimeout(() => this.#tick(), Math.max((due - hostNow()) / 1000, 0));
  }

  /** @param {Record<string, unknown>} line */
  #send(line) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(line));
  }

  /** @param {string} name @param {unknown} detail */
  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
