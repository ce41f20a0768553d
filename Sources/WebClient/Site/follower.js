// Keeps one player on one item's timeline, and tells a person's key presses from its own commands.

import { DriftController } from "./drift.js";
import { FollowerState, patience, seekTimeout } from "./follower-state.js";
import { Steering } from "./steering.js";
import { positionAt } from "./timeline.js";

/**
 * @typedef {import("./timeline.js").Timeline} Timeline
 * @typedef {import("./clock.js").ClockEstimate} ClockEstimate
 * @typedef {import("./follower-state.js").PlayerEvent} PlayerEvent
 * @typedef {import("./follower-state.js").Output} Output
 */

/**
 * @typedef {{kind: "timeline", timeline: Timeline | null, clock: ClockEstimate | null}
 *   | {kind: "clock", clock: ClockEstimate} | {kind: "playerOffset", offset: number}
 *   | {kind: "player", event: PlayerEvent} | {kind: "suspended", isSuspended: boolean}
 *   | {kind: "released"} | {kind: "reapply"} | {kind: "deadlineReached"}} Input
 */

const ms = 1_000;
const seconds = 1_000_000;

/**
 * A follower is a value: hand it inputs, carry out its outputs, and send `deadlineReached` once
 * `nextDeadline` has passed. Inputs may come in any order and repeat.
 *
 * A playing player is moved like a late joiner: pause, seek to the group's position after the
 * learned cost of a seek, wait there for the group, start. So the start is exact although the
 * player's seeks are not.
 */
export class Follower {
  #state;
  #steering;

  /** @param {number} playerOffset how long the player's sound comes after its position, µs */
  constructor(playerOffset = 0) {
    this.#state = new FollowerState(playerOffset);
    this.#steering = new Steering(this.#state);
  }

  /** Whether the follower started the player and did not pause it since. */
  get isRunning() { return this.#state.isRunning; }

  /** The learned cost of a seek, and of a start, in µs. */
  get costs() {
    return { seek: this.#state.seekCost.likely, start: this.#state.startCost.likely };
  }

  /** @param {number} now @returns {number | null} where the player should be */
  expectedPosition(now) {
    const { timeline, clock } = this.#state;
    if (timeline === null || clock === null) return null;
    if (timeline.phase !== "playing") return positionAt(timeline, clock.instant(now));
    return this.#state.localLine(timeline, clock).position(now);
  }

  /** @param {Input} input @param {number} now a host time @returns {Output[]} */
  handle(input, now) {
    this.#state.outputs = [];
    switch (input.kind) {
      case "timeline":
        this.#state.clock = input.clock;
        this.#follow(input.timeline, now);
        break;
      case "clock":
        this.#state.clock = input.clock;
        if (!this.#state.isYielded) this.#steering.steer(now);
        break;
      case "playerOffset":
        this.#state.playerOffset = input.offset;
        if (!this.#state.isYielded) this.#steering.steer(now);
        break;
      case "player": this.#hear(input.event, now); break;
      case "suspended":
        if (input.isSuspended !== this.#state.isSuspended) this.#suspend(input.isSuspended, now);
        break;
      case "released":
        [this.#state.ownSuspension, this.#state.retreatEnds] = [null, null];
        if (this.#state.isSuspended) this.#suspend(false, now);
        break;
      case "reapply": if (!this.#state.isYielded) this.#steering.reapply(now); break;
      case "deadlineReached": this.#meetDeadlines(now); break;
    }
    return this.#state.outputs;
  }

  /** @returns {number | null} the host time when `deadlineReached` is due */
  get nextDeadline() {
    const stage = this.#state.stage;
    const deadlines = [
      this.#state.drift.nextDeadline, this.#state.retreatEnds,
      this.#state.seek === null ? null : this.#state.seek.asked + seekTimeout,
      stage.kind === "waiting" || stage.kind === "yielded" ? stage.until : null,
      stage.kind === "turning" ? stage.into.start : null,
    ].filter((deadline) => deadline !== null);
    return deadlines.length === 0 ? null : Math.min(.../** @type {number[]} */ (deadlines));
  }

  /** @param {Timeline | null} next @param {number} now */
  #follow(next, now) {
    if (next?.seq !== this.#state.timeline?.seq) {
      [this.#state.attempts, this.#state.hasEnded] = [0, false];
      if (next?.phase === "preparing") this.#state.owesReady = true;
      // While it plays, a ready report that is still due remains due.
      else if (next?.phase !== "playing") this.#state.owesReady = false;
    }
    // A doubt of the length, say, is no answer to a person's key; the same timeline again is a refusal.
    const isAnswer = next?.seq !== this.#state.timeline?.seq || next === this.#state.timeline;
    this.#state.timeline = next;
    if (next === null) return this.#steering.leaveAlone(now);
    if (this.#state.isYielded) {
      if (!isAnswer) return;
      this.#state.stage = { kind: "idle" };
    }
    this.#steering.stepInForRate();
    this.#catchUp(now);
  }

  /** @param {boolean} isSuspended @param {number} now */
  #suspend(isSuspended, now) {
    this.#state.isSuspended = isSuspended;
    if (isSuspended) return this.#steering.leaveAlone(now);
    if (this.#state.seek === null) this.#state.landing = null;
    this.#state.line = null;
    this.#catchUp(now);
  }

  /** @param {number} now */
  #meetDeadlines(now) {
    if (this.#state.seek !== null && this.#state.seek.asked + seekTimeout <= now) {
      // Bounds the list in case the player never reports the end of a seek.
      if (this.#state.abandonedSeeks.length >= 32) this.#state.abandonedSeeks.shift();
      this.#state.abandonedSeeks.push(this.#state.seek.target);
      this.#state.seek = null;
      if (this.#state.reappliesLater) this.#steering.reapply(now); else this.#steering.steer(now);
    }
    if (this.#state.retreatEnds !== null && this.#state.retreatEnds <= now) this.#comeBack(now);
    const due = this.#state.drift.nextDeadline;
    if (due !== null && due <= now) this.#steering.carryOut(this.#state.drift.deadlineReached(now), 0, now);
    const stage = this.#state.stage;
    if (stage.kind === "waiting" && stage.until <= now) this.#steering.steer(now);
    else if (stage.kind === "turning" && stage.into.start <= now) this.#steering.take(stage.into, now);
    else if (stage.kind === "yielded" && stage.until <= now) {
      this.#state.stage = { kind: "idle" };
      this.#state.line = null;
      this.#steering.steer(now);
    }
  }

  /** @param {PlayerEvent} event @param {number} now */
  #hear(event, now) {
    switch (event.kind) {
      case "loaded": return this.#load(event, now);
      case "position": return this.#read({ position: event.position, at: event.at }, now);
      case "paused": return this.#hearPaused(now);
      case "unpaused": return this.#hearUnpaused(now);
      case "seeked": return this.#hearSeek(event.target, now);
      case "seekFinished": return this.#finishSeek(event.position, now);
      case "rateChanged": return this.#hearRate(event.factor, now);
      case "stalled": return this.#stall(event.position ?? this.#state.believedPosition(now), now);
      case "recovered": return this.#recover(now);
      case "ended":
        // Some players pause themselves only a moment later, and play on if a seek leads away before that.
        this.#steering.pause(now);
        [this.#state.hasEnded, this.#state.isStalled] = [true, false];
        if (this.#state.duration !== undefined) this.#state.reading = { position: this.#state.duration, at: now };
        this.#steering.leaveAlone(now);
        // A player that waits for its last bytes ends without saying that it has recovered.
        if (["playingInterstitial", "stallRecovery"].includes(this.#state.ownSuspension ?? "")) {
          this.#state.endOwnSuspension();
        }
        if (this.#state.timeline !== null) this.#state.say({ kind: "ended", seq: this.#state.timeline.seq });
        return;
      case "failed":
        [this.#state.item, this.#state.retreatEnds] = [null, null];
        this.#steering.leaveAlone(now);
        if (this.#state.ownSuspension !== null) return;
        this.#state.ownSuspension = "coordinatedPlaybackNotPossible";
        return this.#state.say({ kind: "suspend", reason: this.#state.ownSuspension });
    }
  }

  /** @param {{duration: number | undefined, rates: [number, number], noise: number}} item @param {number} now */
  #load({ duration, rates, noise }, now) {
    this.#state.item = { duration, rates };
    this.#state.drift = new DriftController(noise, rates[0] < rates[1]);
    const state = this.#state;
    [state.isRunning, state.isStalled, state.hasEnded, state.rate] = [false, false, false, 1];
    [state.seek, state.landing, state.reading, state.line] = [null, null, null, null];
    state.retreatEnds = null;
    this.#state.echoes.length = 0;
    this.#state.abandonedSeeks.length = 0;
    [this.#state.stage, this.#state.reappliesLater] = [{ kind: "idle" }, false];
    this.#state.endOwnSuspension();
    this.#catchUp(now);
  }

  /** @param {{position: number, at: number}} next @param {number} now */
  #read(next, now) {
    if (this.#state.seek !== null) return;
    this.#noteMotion(next);
    if (this.#state.isRunning || this.#state.landing === null) this.#state.reading = next;
    if (this.#passesInterstitial(next.position, now)) return;
    const line = this.#state.line;
    if (this.#state.stage.kind !== "running" || !this.#state.isRunning || this.#state.isDetached || line === null
      || next.at < line.start) return;
    // Near the end there is no time for a correction, and the player stops there anyway.
    if (this.#state.duration !== undefined && next.position >= this.#state.duration - 500 * ms) return;
    const error = next.position - line.position(next.at);
    const cost = this.#state.costOfMoving;
    const correction = this.#state.drift.correct(error, line.rate, cost, next.at);
    const typical = this.#state.drift.error;
    this.#steering.carryOut(correction, typical ?? error, now);
    if (typical === null) return;
    this.#learnStart(typical, line.rate);
    if (this.#state.statusAt !== null && now - this.#state.statusAt < seconds) return;
    this.#state.statusAt = now;
    this.#state.say({ kind: "status", error: typical });
  }

  /** @param {number} error that remains after a start @param {number} rate */
  #learnStart(error, rate) {
    if (this.#state.start === null) return;
    const { assumedCost, lateness } = this.#state.start;
    this.#state.start = null;
    // An error above half a second has another cause than the start.
    if (Math.abs(error) > 500 * ms) return;
    this.#state.startCost.learn(assumedCost - error / rate - lateness);
  }

  /**
   * Clears the pending echoes once two readings after a command prove that it took effect: later
   * events are then a person's.
   * @param {{position: number, at: number}} later
   */
  #noteMotion(later) {
    const [earlier, commandedAt] = [this.#state.reading, this.#state.commandedAt];
    if (this.#state.echoes.length === 0 || earlier === null || commandedAt === null
      || earlier.at <= commandedAt || later.at - earlier.at < 50 * ms) return;
    const hasMoved = Math.abs(later.position - earlier.position) > 10 * ms;
    if (hasMoved === this.#state.isRunning) this.#state.echoes.length = 0;
  }

  /** @param {number} position @param {number} now @returns {boolean} whether an advertisement runs */
  #passesInterstitial(position, now) {
    if (this.#state.timeline === null) return false;
    const isInside = (this.#state.timeline.interstitials ?? [])
      .some((range) => position >= range.start && position < range.end);
    if (this.#state.ownSuspension === "playingInterstitial") {
      if (isInside) return true;
      this.#state.line = null;
      this.#state.endOwnSuspension();
      this.#catchUp(now);
      return true;
    }
    const { stage, isRunning, isDetached } = this.#state;
    if (!isInside || stage.kind !== "running" || !isRunning || isDetached) return false;
    this.#steering.leaveAlone(now);
    this.#state.ownSuspension = "playingInterstitial";
    this.#state.say({ kind: "suspend", reason: this.#state.ownSuspension });
    return true;
  }

  // A person's key presses, told from echoes of the follower's commands.

  /** @param {number} now */
  #hearPaused(now) {
    if (this.#isEcho("paused") || !this.#state.isRunning) return;
    const believed = this.#state.believedPosition(now);
    this.#state.isRunning = false;
    this.#state.landing = null;
    // Players pause themselves at the end, so this is not a person's request.
    if (believed !== null && this.#state.duration !== undefined && believed >= this.#state.duration - 250 * ms) {
      return this.#steering.leaveAlone(now);
    }
    if (this.#state.isDetached || this.#state.timeline === null || believed === null) return;
    this.#state.reading = { position: believed, at: now };
    this.#yield(now);
    this.#state.say({ kind: "intent", intent: { kind: "pause", position: this.#heard(believed) } });
  }

  /** @param {number} now */
  #hearUnpaused(now) {
    if (this.#isEcho("unpaused") || this.#state.isRunning) return;
    this.#state.isRunning = true;
    this.#state.landing = null;
    if (this.#state.isDetached || this.#state.timeline === null) return;
    // No member starts alone: the player stays paused until the group starts together.
    this.#steering.pause(now);
    if (this.#state.timeline.phase === "playing") return this.#steering.steer(now);
    this.#yield(now);
    this.#state.say({ kind: "intent", intent: { kind: "play" } });
  }

  /** @param {number} target @param {number} now */
  #hearSeek(target, now) {
    if (this.#state.seek !== null && Math.abs(this.#state.seek.target - target) <= 500 * ms) return;
    this.#state.landing = null;
    this.#state.reading = null;
    this.#state.seek = { target, asked: now };
    if (this.#state.isDetached || this.#state.timeline === null) return;
    this.#yield(now);
    const position = this.#state.isRunning ? this.#heard(target) : target;
    this.#state.say({ kind: "intent", intent: { kind: "seek", position } });
  }

  /** @param {number} factor @param {number} now */
  #hearRate(factor, now) {
    if (factor === this.#state.rate || factor <= 0) return;
    const believed = this.#state.believedPosition(now);
    if (believed !== null) this.#state.reading = { position: believed, at: now };
    // A trim is divided out of a stepped rate; multiples of 0.25 were chosen as they are.
    const isRound = Math.abs(factor * 4 - Math.round(factor * 4)) < 0.00001;
    const plain = isRound ? factor : factor / this.#state.drift.factor;
    const wanted = Math.min(Math.max(Math.round(plain * 100) / 100, 0.25), 4);
    this.#state.rate = factor;
    this.#state.drift.reset(now);
    if (this.#state.isDetached || this.#state.timeline === null) return;
    if (wanted === this.#state.timeline.rate) return this.#state.setRate(wanted);
    this.#state.start = null;
    this.#state.stage = { kind: "yielded", until: now + patience };
    this.#state.say({ kind: "intent", intent: { kind: "setRate", rate: wanted } });
  }

  /** @param {number} landed @param {number} now */
  #finishSeek(landed, now) {
    if (this.#endsAbandonedSeek(landed)) return;
    if (this.#state.seek === null) this.#hearSeek(landed, now);
    const seek = this.#state.seek ?? { target: landed, asked: now };
    this.#state.seek = null;
    this.#state.reading = { position: landed, at: now };
    this.#state.landing = this.#state.isRunning ? null : { target: seek.target, position: landed };
    if (this.#state.isYielded) return;
    this.#state.seekCost.learn(now - seek.asked);
    if (this.#state.reappliesLater) this.#steering.reapply(now); else this.#catchUp(now);
  }

  /** @param {number} landed */
  #endsAbandonedSeek(landed) {
    const isThere = (/** @type {number} */ target) => Math.abs(target - landed) <= 500 * ms;
    if (this.#state.seek !== null && isThere(this.#state.seek.target)) return false;
    const index = this.#state.abandonedSeeks.findIndex(isThere);
    if (index >= 0) this.#state.abandonedSeeks.splice(index, 1);
    return index >= 0;
  }

  /** @param {"paused" | "unpaused"} echo */
  #isEcho(echo) {
    const index = this.#state.echoes.indexOf(echo);
    if (index < 0) return false;
    this.#state.echoes.splice(0, index + 1);
    return true;
  }

  /** @param {number} now */
  #yield(now) {
    this.#steering.leaveAlone(now);
    this.#state.stage = { kind: "yielded", until: now + patience };
  }

  /** @param {number} position @returns {number} what a person sees and hears at that position */
  #heard(position) { return Math.max(position - this.#state.playerOffset * this.#state.rate, 0); }

  /** @param {number | null} position @param {number} now */
  #stall(position, now) {
    if (this.#state.isStalled) return;
    if (position !== null) this.#state.reading = { position, at: now };
    const phase = this.#state.timeline?.phase;
    const isExpectedToRun = phase === "playing" || (phase === "preparing" && !this.#state.owesReady);
    const needsSuspension = isExpectedToRun && !this.#state.isDetached;
    this.#state.isStalled = true;
    this.#steering.leaveAlone(now);
    if (!needsSuspension) return;
    this.#state.ownSuspension = "stallRecovery";
    this.#state.say({ kind: "suspend", reason: this.#state.ownSuspension });
  }

  /** @param {number} now */
  #recover(now) {
    if (!this.#state.isStalled) return;
    this.#state.isStalled = false;
    if (this.#state.reading !== null) this.#state.reading.at = now;
    this.#state.line = null;
    if (this.#state.ownSuspension === "stallRecovery") this.#state.endOwnSuspension();
    this.#catchUp(now);
  }

  /** @param {number} now tries again after the retreat of a player that could not keep up */
  #comeBack(now) {
    this.#state.retreatEnds = null;
    this.#state.line = null;
    this.#state.attempts = 0;
    this.#state.endOwnSuspension();
    this.#catchUp(now);
  }

  /**
   * Steers, and sends the ready report that a barrier may have missed; it ends the suspension that
   * the server imposed then.
   * @param {number} now
   */
  #catchUp(now) {
    const before = this.#state.outputs.length;
    this.#steering.steer(now);
    if (!this.#state.owesReady || this.#state.seek !== null || this.#state.isStalled || this.#state.ownSuspension !== null
      || this.#state.item === null || this.#state.timeline === null) return;
    if (this.#state.timeline.phase === "paused" || this.#state.timeline.phase === "ended") return;
    this.#state.owesReady = false;
    this.#state.outputs.splice(before, 0, { kind: "ready", seq: this.#state.timeline.seq });
  }
}
