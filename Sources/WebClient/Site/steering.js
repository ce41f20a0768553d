// Brings a player to its timeline, and keeps it there.

import {
  longestWait, seekAttempts, retreat, tolerableLateness, tolerableTurn,
} from "./follower-state.js";

/**
 * @typedef {import("./follower-state.js").FollowerState} FollowerState
 * @typedef {import("./timeline.js").LocalLine} LocalLine
 * @typedef {import("./drift.js").Correction} Correction
 */

const ms = 1_000;
const seconds = 1_000_000;

/** Compares the timeline with the commands already given to the player, and gives the difference. */
export class Steering {
  #state;

  /** @param {FollowerState} state */
  constructor(state) { this.#state = state; }

  /** @param {number} now */
  steer(now) {
    const { timeline, clock } = this.#state;
    if (this.#state.item === null || this.#state.isDetached || timeline === null || clock === null) return;
    switch (timeline.phase) {
      case "paused": return this.#rest(this.#showable(timeline.mediaTime), now);
      case "ended": return this.#stop(timeline.mediaTime, now);
      case "preparing":
        if (this.#stepsOutForRate(now)) return;
        this.#rest(this.#showable(timeline.mediaTime), now);
        return this.#reportReady();
      case "playing": {
        if (this.#stepsOutForRate(now) || this.#state.seek !== null || this.#state.hasEnded) return;
        const line = this.#state.localLine(timeline, clock);
        return this.#state.isRunning ? this.#runOn(line, now) : this.#start(line, now);
      }
    }
  }

  /**
   * Brings the player to the timeline as if its position were unknown.
   * @param {number} now
   */
  reapply(now) {
    if (this.#state.item === null || this.#state.isDetached || this.#state.timeline === null) return;
    this.#state.reappliesLater = this.#state.seek !== null;
    if (this.#state.seek !== null) return;
    // A player that is paused already does not echo this command, so no echo is expected.
    if (this.#state.isRunning) this.pause(now); else this.#state.order({ kind: "pause" });
    [this.#state.landing, this.#state.line, this.#state.attempts] = [null, null, 0];
    this.steer(now);
  }

  /** @param {number} now stops steering the player and resets its rate to the group's */
  leaveAlone(now) {
    const isTrimmed = this.#state.drift.factor !== 1;
    this.#state.drift.reset(now);
    this.#state.stage = { kind: "idle" };
    this.#state.start = null;
    this.#state.reappliesLater = false;
    if (isTrimmed && this.#state.line !== null) this.#state.setRate(this.#state.line.rate);
  }

  /** @param {number} now pauses a playing player; nothing if it is paused already */
  pause(now) {
    const isTrimmed = this.#state.drift.factor !== 1;
    this.#state.drift.reset(now);
    this.#state.start = null;
    if (!this.#state.isRunning) return;
    const believed = this.#state.believedPosition(now);
    if (believed !== null) this.#state.reading = { position: believed, at: now };
    this.#state.isRunning = false;
    this.#state.landing = null;
    this.#state.expect("paused", now);
    this.#state.order({ kind: "pause" });
    if (isTrimmed && this.#state.line !== null) this.#state.setRate(this.#state.line.rate);
  }

  /** @param {LocalLine} next whose start has come @param {number} now */
  take(next, now) {
    const believed = this.#state.believedPosition(now);
    if (believed !== null) this.#state.reading = { position: believed, at: now };
    this.#state.line = next;
    this.#state.stage = { kind: "running" };
    this.#state.drift.reset(now);
    this.#state.setRate(next.rate);
  }

  /** @param {Correction} correction @param {number} error µs @param {number} now */
  carryOut(correction, error, now) {
    const line = this.#state.line;
    if (line === null || correction.kind === "none") return;
    switch (correction.kind) {
      case "rate": {
        this.#state.setRate(line.rate * correction.factor);
        const what = correction.factor === 1 ? "groupRate" : `rate ${correction.factor.toFixed(4)}`;
        return this.#state.say({ kind: "correction", what, error });
      }
      case "seek":
        this.#state.say({ kind: "correction", what: "seek", error });
        this.#state.attempts = 0;
        this.pause(now);
        return this.#seekAhead(line, now);
      case "cannotKeepUp":
        this.leaveAlone(now);
        this.#state.ownSuspension = "coordinatedPlaybackNotPossible";
        this.#state.retreatEnds = now + retreat;
        this.#state.say({ kind: "correction", what: "gaveUp", error });
        return this.#state.say({ kind: "suspend", reason: this.#state.ownSuspension });
    }
  }

  /** Ends the suspension once the group plays at a rate that this player supports. */
  stepInForRate() {
    // A retreat ends by its own deadline, that of a failed item with the next load.
    if (this.#state.ownSuspension !== "coordinatedPlaybackNotPossible" || this.#state.retreatEnds !== null
      || this.#state.item === null || this.#lacksRate) return;
    this.#state.line = null;
    this.#state.endOwnSuspension();
  }

  /** @param {number} now suspends while the group plays at a rate that this player lacks */
  #stepsOutForRate(now) {
    if (!this.#lacksRate) return false;
    this.leaveAlone(now);
    this.#state.ownSuspension = "coordinatedPlaybackNotPossible";
    this.#state.say({ kind: "suspend", reason: this.#state.ownSuspension });
    return true;
  }

  get #lacksRate() {
    const { item, timeline } = this.#state;
    return item !== null && timeline !== null && (timeline.rate < item.rates[0] || timeline.rate > item.rates[1]);
  }

  /** @param {number} position @returns {number} the nearest position at which a frame can be shown */
  #showable(position) {
    const last = this.#state.duration === undefined ? Infinity : this.#state.duration - 40 * ms;
    return Math.max(Math.min(position, last), 0);
  }

  /** @param {number} target @param {number} now */
  #rest(target, now) {
    this.pause(now);
    this.#state.stage = { kind: "resting" };
    if (this.#state.seek === null && !this.#stands(target)) this.#goTo(target, now);
  }

  /** @param {number} end @param {number} now */
  #stop(end, now) {
    const believed = this.#state.believedPosition(now);
    this.pause(now);
    this.#state.stage = { kind: "resting" };
    const target = this.#showable(end);
    if (this.#state.seek !== null || this.#stands(target)) return;
    // From over a second away, another frame would remain visible.
    if (believed !== null && Math.abs(end - believed) <= seconds) return;
    this.#goTo(target, now);
  }

  /**
   * Whether a paused player shows the frame of a position. Only a seek guarantees this: two players
   * that were paused while they played may show neighbouring frames although their clocks agree.
   * @param {number} target
   */
  #stands(target) {
    const landing = this.#state.landing;
    return landing !== null && (landing.target === target || Math.abs(landing.position - target) <= ms);
  }

  #reportReady() {
    if (!this.#state.owesReady || this.#state.seek !== null || this.#state.timeline === null) return;
    this.#state.owesReady = false;
    this.#state.say({ kind: "ready", seq: this.#state.timeline.seq });
  }

  /** @param {LocalLine} line @param {number} now */
  #start(line, now) {
    if (this.#state.duration !== undefined && line.position(now) >= this.#state.duration - 500 * ms) {
      // The rest is too short to be worth a start: the group ends without this player.
      this.#state.stage = { kind: "resting" };
      return;
    }
    const landing = this.#state.landing;
    if (landing === null) return this.#seekAhead(line, now);
    const due = line.moment(landing.position) - this.#state.startCost.likely;
    const lateness = now - due;
    const isLastTry = this.#state.attempts >= seekAttempts;
    if (lateness < 0) {
      const groupWaits = Math.max(line.start - now, 0);
      const isSoon = due - now <= groupWaits + longestWait;
      if (!isSoon && !isLastTry) return this.#seekAhead(line, now);
      this.#state.stage = { kind: "waiting", until: due };
      return;
    }
    if (lateness > tolerableLateness && !isLastTry) return this.#seekAhead(line, now);
    // Over a quarter of a second a rate would take many seconds. A late timer is no reason to seek: the next
    // start would be as late.
    const error = -line.rate * lateness;
    if (-error > tolerableTurn && this.#state.stage.kind !== "waiting"
      && this.#state.drift.jump(this.#state.costOfMoving, now).kind === "seek") {
      this.#state.say({ kind: "correction", what: "seek", error });
      return this.#seekAhead(line, now);
    }
    this.#run(line, landing.position, lateness, now);
  }

  /** @param {LocalLine} line @param {number} now */
  #seekAhead(line, now) {
    // Landing ahead costs only a wait, but landing behind, by a frame's length or more, costs another
    // seek: each further attempt gets 100 ms more.
    const margin = (60 + 100 * this.#state.attempts) * ms;
    const lead = this.#state.costOfMoving + margin;
    this.#state.attempts += 1;
    this.#state.stage = { kind: "idle" };
    this.#goTo(this.#showable(line.position(now + lead)), now);
  }

  /** @param {LocalLine} line @param {number} position @param {number} lateness @param {number} now */
  #run(line, position, lateness, now) {
    this.#state.isRunning = true;
    this.#state.expect("unpaused", now);
    this.#state.rate = line.rate;
    this.#state.start = { assumedCost: this.#state.startCost.likely, lateness };
    this.#state.reading = { position, at: now + this.#state.startCost.likely };
    this.#state.landing = null;
    this.#state.line = line;
    this.#state.attempts = 0;
    this.#state.stage = { kind: "running" };
    this.#state.drift.reset(now);
    this.#state.order({ kind: "play", rate: this.#state.rate });
    if (lateness > 5 * ms) {
      this.#state.say({ kind: "correction", what: "startedLate", error: -line.rate * lateness });
    }
  }

  /** @param {LocalLine} next @param {number} now keeps a playing player on its line, or moves it */
  #runOn(next, now) {
    if (this.#state.stage.kind === "running" && this.#state.line?.isSame(next)) {
      this.#state.line = next;
      return;
    }
    if (this.#state.stage.kind === "turning" && this.#state.stage.into.isSame(next)) {
      this.#state.stage = { kind: "turning", into: next };
      return;
    }
    const meeting = Math.max(now, next.start);
    const believed = this.#state.believedPosition(meeting);
    if (believed === null) return;
    if (Math.abs(believed - next.position(meeting)) > tolerableTurn) {
      this.pause(now);
      return this.#seekAhead(next, now);
    }
    if (next.start <= now) return this.take(next, now);
    this.#state.stage = { kind: "turning", into: next };
    const isTrimmed = this.#state.drift.factor !== 1;
    this.#state.drift.reset(now);
    if (isTrimmed && this.#state.line !== null) this.#state.setRate(this.#state.line.rate);
  }

  /** @param {number} target @param {number} now */
  #goTo(target, now) {
    const position = Math.round(target);
    this.#state.seek = { target: position, asked: now };
    this.#state.landing = null;
    this.#state.reading = null;
    this.#state.order({ kind: "seek", position });
  }
}
