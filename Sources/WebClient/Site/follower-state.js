// What a follower knows of its player, and the words between them.

import { DriftController } from "./drift.js";
import { LearnedCost } from "./learning.js";
import { LocalLine } from "./timeline.js";

/**
 * @typedef {import("./timeline.js").Timeline} Timeline
 * @typedef {import("./clock.js").ClockEstimate} ClockEstimate
 * @typedef {import("./drift.js").Correction} Correction
 */

/**
 * What a player says. Players do not report who paused them: the follower compares every change
 * with its own commands to find out whether a person caused it. A stall that is told late says where
 * the player stands; without a position, the player is believed to have run until then. A film that has failed may be
 * one whose loading broke off.
 * @typedef {{kind: "loaded", duration: number | undefined, rates: [number, number], noise: number}
 *   | {kind: "position", position: number, at: number}
 *   | {kind: "paused"} | {kind: "unpaused"} | {kind: "seeked", target: number}
 *   | {kind: "seekFinished", position: number} | {kind: "rateChanged", factor: number}
 *   | {kind: "stalled", position?: number} | {kind: "recovered"} | {kind: "ended"}
 *   | {kind: "failed", isBroken?: boolean}} PlayerEvent
 */

/**
 * What a player is told.
 * @typedef {{kind: "play", rate: number} | {kind: "pause"} | {kind: "seek", position: number}
 *   | {kind: "setRate", rate: number}} PlayerCommand
 */

/**
 * What a person wants of the group, by the player's own controls.
 * @typedef {{kind: "play"} | {kind: "pause", position: number} | {kind: "seek", position: number}
 *   | {kind: "setRate", rate: number}} Intent
 */

/**
 * @typedef {{kind: "player", command: PlayerCommand} | {kind: "ready", seq: number}
 *   | {kind: "ended", seq: number} | {kind: "intent", intent: Intent}
 *   | {kind: "suspend", reason: string} | {kind: "endSuspension"}
 *   | {kind: "correction", what: string, error: number} | {kind: "status", error: number}} Output
 */

/**
 * @typedef {{kind: "idle"} | {kind: "resting"} | {kind: "waiting", until: number}
 *   | {kind: "running"} | {kind: "turning", into: LocalLine} | {kind: "yielded", until: number}} Stage
 */

const ms = 1_000;
const seconds = 1_000_000;

/** How long the follower waits for the group's answer to a person's key press. */
export const patience = 3 * seconds;
/** A seek that takes longer counts as lost. */
export const seekTimeout = 10 * seconds;
/** How long a player that cannot keep up is suspended. */
export const retreat = 30 * seconds;
/** A start up to this late is corrected by rate; a later one needs a seek. */
export const tolerableLateness = 40 * ms;
/** A player further than this from its line, as it starts or turns, seeks instead of being trimmed. */
export const tolerableTurn = 250 * ms;
/** The longest wait at a landing position; for a longer one, another seek is better. */
export const longestWait = 500 * ms;
/** After so many seeks that land too late or too far ahead, the player starts and is trimmed, or waits. */
export const seekAttempts = 3;

/** The state of a follower: what it was told, what it told the player, and what the player said. */
export class FollowerState {
  /** @type {Timeline | null} */ timeline = null;
  /** @type {ClockEstimate | null} */ clock = null;
  isSuspended = false;

  /** @type {{duration: number | undefined, rates: [number, number]} | null} */ item = null;
  /** @type {Stage} */ stage = { kind: "idle" };
  isRunning = false;
  isStalled = false;
  /** Whether the item ended under this timeline, so that the player is not started again. */
  hasEnded = false;
  /** @type {string | null} the suspension that this follower requested and has to end */
  ownSuspension = null;
  /** @type {number | null} */ retreatEnds = null;
  rate = 1;
  /** @type {("paused" | "unpaused")[]} commands that the player has not echoed yet */ echoes = [];
  /** @type {number | null} */ commandedAt = null;
  /** @type {{target: number, asked: number} | null} */ seek = null;
  /** @type {number[]} targets of seeks that timed out, which may still end */ abandonedSeeks = [];
  /** Whether the player is positioned from scratch when the seek ends. */
  reappliesLater = false;
  /** @type {{target: number, position: number} | null} where a paused player stands */ landing = null;
  /** @type {{position: number, at: number} | null} */ reading = null;
  /** @type {LocalLine | null} */ line = null;
  /** @type {{assumedCost: number, lateness: number} | null} a start whose cost is to be seen */
  start = null;
  attempts = 0;
  /** @type {number | null} */ statusAt = null;
  /** Whether a barrier waits for this follower's ready report. */
  owesReady = false;

  drift = new DriftController(0, false);
  /** The learned cost of a seek; an exact one takes 50 ms in a browser (measured). */
  seekCost = new LearnedCost(60 * ms);
  /** The learned cost of a start; Chromium takes 42 ms after a seek (measured). */
  startCost = new LearnedCost(40 * ms);
  /** @type {Output[]} what this turn has said so far */ outputs = [];

  /** @param {number} playerOffset how long the player's sound comes after its position, µs */
  constructor(playerOffset = 0) { this.playerOffset = playerOffset; }

  /** Whether the follower leaves the player alone. */
  get isDetached() { return this.isSuspended || this.isStalled || this.ownSuspension !== null; }

  get isYielded() { return this.stage.kind === "yielded"; }

  /** The item's duration as the group knows it, or else as the player reports it. */
  get duration() { return this.timeline?.duration ?? this.item?.duration; }

  /** The learned time from a seek's command to a start behind it. */
  get costOfMoving() { return this.seekCost.cautious + Math.max(this.startCost.likely, 0); }

  /** @param {Timeline} timeline which plays @param {ClockEstimate} clock */
  localLine(timeline, clock) {
    return new LocalLine(timeline, clock, this.duration, this.playerOffset);
  }

  /**
   * Where the player is, by its last reading and the commanded rate.
   * @param {number} now @returns {number | null}
   */
  believedPosition(now) {
    if (this.reading === null) return this.landing?.position ?? null;
    if (!this.isRunning || this.isStalled || now <= this.reading.at) return this.reading.position;
    return this.reading.position + (now - this.reading.at) * this.rate;
  }

  /** @param {Output} output */
  say(output) { this.outputs.push(output); }

  /** @param {PlayerCommand} command */
  order(command) { this.say({ kind: "player", command }); }

  /** @param {number} wanted sets it, or the nearest rate that the player has: a trim may lead beyond them */
  setRate(wanted) {
    const [slowest, fastest] = this.item?.rates ?? [wanted, wanted];
    const factor = Math.min(Math.max(wanted, slowest), fastest);
    if (factor === this.rate) return;
    this.rate = factor;
    this.order({ kind: "setRate", rate: factor });
  }

  /** @param {"paused" | "unpaused"} echo @param {number} now */
  expect(echo, now) {
    // Bounds the list for a player that never echoes; only the last few can still arrive.
    if (this.echoes.length >= 8) this.echoes.shift();
    this.echoes.push(echo);
    this.commandedAt = now;
  }

  /** Ends the suspension that this follower requested. */
  endOwnSuspension() {
    if (this.ownSuspension === null) return;
    this.ownSuspension = null;
    this.say({ kind: "endSuspension" });
  }
}
