// The client's side of “start when all are ready”: it hears the session and carries out the orders.

import { hostNow } from "./clock.js";
import { ReadyStart, countdownLength } from "./ready-start.js";

/** @typedef {import("./client.js").Client} Client */

/** Steering of these kinds is not a person's. */
const quiet = new Set(["propose", "freeze"]);

/** How far from its end a countdown is still one, in µs: its own length, and what clocks and the network take. */
const reach = countdownLength + 1_000_000;

/** Dispatches `countdown` on the client, with what everybody sees (`{by, at}`) or null. */
export class Countdown {
  #client;
  /** @type {string | null} */ #me = null;
  /** @type {ReadyStart | null} */ #start = null;
  #timer = 0;

  /** @param {Client} client */
  constructor(client) {
    this.#client = client;
    const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ hear) =>
      client.addEventListener(name, (event) => hear(/** @type {CustomEvent} */ (event).detail));
    on("session", (session) => {
      if (session === null) this.#start = null;
      else if (this.#start === null || session.me !== this.#me) this.#start = new ReadyStart(session.me);
      this.#me = session?.me ?? null;
      this.#meet();
    });
    on("change", (event) => this.#hear(event));
    on("payload", ({ from, payload }) => {
      if (payload?.countdown === undefined) return;
      this.#start?.hear(from, payload.countdown);
      this.#show();
    });
  }

  get shown() { return this.#start?.shown ?? null; }

  /**
   * Whole seconds until the film starts; null if it does not start about now, since anybody may tell any instant, and
   * who counts down may not be let play at the end.
   * @returns {number | null}
   */
  get secondsLeft() {
    const [at, now] = [this.shown?.at, this.#now];
    const isPaused = this.#client.session?.timeline?.phase === "paused";
    if (at === undefined || now === null || !isPaused || Math.abs(at - now) > reach) return null;
    return Math.max(Math.ceil((at - now) / 1_000_000), 1);
  }

  /** The person wants it to start when all are ready, which they are themselves. */
  async ask() {
    const now = this.#now;
    if (this.#start === null || now === null) return;
    const isReady = this.#client.session?.own?.ready === true;
    this.#carryOut(this.#start.ask(now));
    if (!isReady) await this.#client.request("setReadyToStart", { ready: true });
  }

  takeBack() { this.#carryOut(this.#start?.takeBack() ?? []); }

  get #now() {
    const time = this.#client.clock?.instant(hostNow());
    return time === undefined ? null : Math.round(time);
  }

  /** @param {any} event of the session */
  #hear(event) {
    const isSteering = ["activitySet", "selected", "itemAdvanced"].includes(event.event)
      || (event.event === "timelineSet" && !quiet.has(event.action));
    if (isSteering) this.#start?.steer();
    this.#meet();
  }

  #meet() {
    const now = this.#now;
    if (now === null || this.#start === null) return this.#show();
    const people = [...this.#client.session?.participants.values() ?? []]
      .filter((one) => !one.keeper && one.lostUntil === undefined);
    this.#carryOut(this.#start.meet(new Map(people.map((one) => [one.participant, one.ready === true])), now));
  }

  /** @param {import("./ready-start.js").Order[]} orders */
  #carryOut(orders) {
    for (const order of orders) {
      const request = order.kind === "play" ? this.#client.play()
        : this.#client.request("send", { payload: { countdown: order.countdown } });
      request.catch((error) => this.#client.dispatchEvent(new CustomEvent("refused", { detail: error })));
    }
    this.#show();
  }

  #show() {
    window.clearTimeout(this.#timer);
    const [due, now] = [this.#start?.nextDeadline ?? null, this.#now];
    if (due !== null && now !== null) {
      this.#timer = window.setTimeout(() => this.#carryOut(this.#start?.tick(this.#now ?? due) ?? []), (due - now) / 1000);
    }
    this.#client.dispatchEvent(new CustomEvent("countdown", { detail: this.shown }));
  }
}
