// An HTML media element as a player: its events in the follower's words, and commands carried out.

import { hostNow } from "./clock.js";
import { StallWatch } from "./stall-watch.js";

/**
 * @typedef {import("./follower-state.js").PlayerEvent} PlayerEvent
 * @typedef {import("./follower-state.js").PlayerCommand} PlayerCommand
 */

const seconds = 1_000_000;
/** The code of an element whose film no longer came over the network (MEDIA_ERR_NETWORK). */
const brokenOff = 2;
/** How often the position is read while it plays, in milliseconds. */
const readingInterval = 100;
/**
 * Up to this offset from 1, drift control trims the speed, and nobody hears another pitch. Chromium
 * corrects the pitch with a buffer that costs 18 ms each time it is used (measured), as much as a
 * trim corrects. Beyond, a person chose the speed.
 */
const largestTrim = 0.055;
/** The noise of `currentTime` in µs: 0.6 ms from the 5th to the 95th percentile, rounded up. */
const elementNoise = 1_500;
/** How much of the film from a position on is enough to start there, in seconds. */
const enough = 1;
/** @type {[number, number]} the slowest and the fastest rate of the protocol; browsers have more */
const elementRates = [0.25, 4];

/**
 * The player of a follower.
 *
 * `onEvent` gets what the element does; `onBlocked` is called when the browser does not let it
 * start without a person's tap, and `onInterrupted` when the system paused it out of sight.
 */
export class ElementPlayer {
  #element;
  #listening = new AbortController();
  #reader = 0;
  #stalls = new StallWatch();
  /** Seeks of ours that the element has not announced yet. */
  #ownSeeks = 0;
  /** Whether a seek of the paused element is over but for the data to start with. */
  #awaitsData = false;
  /** Whether it was told what to open; an element of the app's may have sources of its own. */
  #isOpen = false;
  #isLoaded = false;
  #isPlayAwaited = false;
  /** The rate that the element was told. */
  #toldRate = 1;
  /** @type {(event: PlayerEvent) => void} */ onEvent = () => {};
  /** @type {() => void} */ onBlocked = () => {};
  /** @type {(isPausedBySystem: boolean) => void} */ onInterrupted = () => {};

  /** @param {HTMLMediaElement} element */
  constructor(element) {
    this.#element = element;
    element.preload = "auto";
    // The group starts the film; what starts by itself would be taken for a person's wish.
    element.autoplay = false;
    element.preservesPitch = false;
    const { signal } = this.#listening;
    for (const [name, hear] of this.#hearings()) element.addEventListener(name, hear, { signal });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.onInterrupted(false);
    }, { signal });
    this.#reader = window.setInterval(() => this.#read(), readingInterval);
  }

  get element() { return this.#element; }

  /** The element's position, in µs. */
  get position() { return Math.round(this.#element.currentTime * seconds); }

  /** @param {string} url opens it, paused at its start */
  load(url) {
    this.#forget();
    this.#isOpen = true;
    this.#element.src = url;
    this.#element.load();
  }

  unload() {
    this.#forget();
    this.#isOpen = false;
    this.#element.removeAttribute("src");
    this.#element.load();
  }

  /** @param {PlayerCommand} command */
  carryOut(command) {
    const element = this.#element;
    switch (command.kind) {
      case "play":
        this.#setRate(command.rate);
        return this.#play();
      case "pause": return element.pause();
      case "seek":
        this.#ownSeeks += 1;
        element.currentTime = command.position / seconds;
        return;
      case "setRate": return this.#setRate(command.rate);
    }
  }

  /** Lets the element start later: to be called in the handler of a person's tap. */
  async unlock() {
    this.#isPlayAwaited = true;
    try {
      await this.#element.play();
    } finally {
      this.#element.pause();
      this.#isPlayAwaited = false;
    }
  }

  close() {
    this.#listening.abort();
    window.clearInterval(this.#reader);
    this.unload();
  }

  #forget() {
    [this.#isLoaded, this.#awaitsData, this.#ownSeeks, this.#toldRate] = [false, false, 0, 1];
    this.#stalls = new StallWatch();
    this.#element.pause();
  }

  /** @param {number} rate */
  #setRate(rate) {
    this.#toldRate = rate;
    this.#element.preservesPitch = Math.abs(rate - 1) > largestTrim;
    this.#element.playbackRate = rate;
  }

  #play() {
    this.#element.play().catch((/** @type {DOMException} */ error) => {
      // A pause right after a play, or another source, aborts it; that is no fault.
      if (error.name === "NotAllowedError") this.onBlocked();
    });
  }

  #read() {
    const element = this.#element;
    if (!this.#isLoaded || element.paused || element.seeking) return this.#stalls.forget();
    const [position, at] = [this.position, hostNow()];
    const seen = this.#stalls.look({ position, at, rate: element.playbackRate, hasData: this.#hasData });
    if (seen === "stalls") return this.onEvent({ kind: "stalled", position });
    if (seen === "recovers") this.onEvent({ kind: "recovered" });
    if (seen !== "waits") this.onEvent({ kind: "position", position, at });
  }

  /** @returns {[string, () => void][]} */
  #hearings() {
    const element = this.#element;
    const tell = (/** @type {PlayerEvent} */ event) => { if (this.#isLoaded) this.onEvent(event); };
    return [
      ["loadedmetadata", () => {
        if (!this.#isOpen) return;
        this.#isLoaded = true;
        const length = element.duration;
        const duration = Number.isFinite(length) ? Math.round(length * seconds) : undefined;
        tell({ kind: "loaded", duration, rates: elementRates, noise: elementNoise });
      }],
      ["play", () => { if (!this.#isPlayAwaited) tell({ kind: "unpaused" }); }],
      ["pause", () => this.#hearPause(tell)],
      ["seeking", () => {
        this.#awaitsData = false;
        if (this.#ownSeeks > 0) this.#ownSeeks -= 1;
        else tell({ kind: "seeked", target: this.position });
      }],
      ["seeked", () => this.#hearSeeked(tell)],
      ["ratechange", () => {
        const rate = element.playbackRate;
        this.#stalls.doubt(hostNow());
        element.preservesPitch = Math.abs(rate - 1) > largestTrim;
        if (Math.abs(rate - this.#toldRate) > 0.00001) tell({ kind: "rateChanged", factor: rate });
        this.#toldRate = rate;
      }],
      // A seek makes the element wait, too; that is no stall.
      ["waiting", () => {
        const position = this.position;
        if (!element.seeking && this.#stalls.wait(position, hostNow())) tell({ kind: "stalled", position });
      }],
      ["playing", () => this.#hearRecovery(tell)],
      ["canplay", () => {
        this.#hearRecovery(tell);
        if (this.#awaitsData) this.#finishSeek(tell);
      }],
      ["ended", () => {
        this.#stalls = new StallWatch();
        tell({ kind: "ended" });
        // An element pauses itself first, so the follower's own command has no event that answers it.
        tell({ kind: "paused" });
      }],
      ["error", () => {
        if (this.#isOpen) this.onEvent({ kind: "failed", isBroken: element.error?.code === brokenOff });
      }],
    ];
  }

  /** @param {(event: PlayerEvent) => void} tell */
  #hearPause(tell) {
    if (this.#isPlayAwaited || this.#element.ended) return;
    // Out of sight nobody presses a key: the system took the sound, or saves power.
    if (document.hidden && !this.isExpectedToPause()) this.onInterrupted(true);
    tell({ kind: "paused" });
  }

  /** @param {(event: PlayerEvent) => void} tell */
  #hearRecovery(tell) {
    this.#stalls.recover(this.#hasData);
    tell({ kind: "recovered" });
  }

  /** Whether the follower told the element to pause. */
  isExpectedToPause = () => false;

  /** @param {(event: PlayerEvent) => void} tell */
  #hearSeeked(tell) {
    // The group may rely on it that a player which is there can start.
    const canStart = this.#hasData || (this.#stalls.isDoubted && this.#isFetched);
    if (canStart || !this.#element.paused) this.#finishSeek(tell);
    else this.#awaitsData = true;
  }

  /** @param {(event: PlayerEvent) => void} tell of the end of a seek, unless the next one is under way */
  #finishSeek(tell) {
    if (this.#element.seeking) return;
    this.#awaitsData = false;
    tell({ kind: "seekFinished", position: this.position });
  }

  /** Whether the element says that it could play on. */
  get #hasData() { return this.#element.readyState >= 3; }

  /** Whether the film is here from the element's position on. */
  get #isFetched() {
    const { buffered, currentTime, duration } = this.#element;
    const end = Math.min(currentTime + enough, duration);
    return Array.from({ length: buffered.length }, (_, index) => index)
      .some((index) => buffered.start(index) <= currentTime && buffered.end(index) >= end);
  }
}
