// The follower, told from outside: what it hears, and what it then says.

import assert from "node:assert/strict";
import test from "node:test";
import { ClockEstimate, ClockSample } from "../../Sources/WebClient/Site/clock.js";
import { Follower } from "../../Sources/WebClient/Site/follower.js";
import { ms, seconds } from "./world.mjs";

/** A follower whose host time is the group's time, in front of a film of ten minutes. */
class Seat {
  now = 10 * seconds;
  follower = new Follower();
  clock = new ClockEstimate(new ClockSample(0, 0, 0, 0));

  /** What it says to an input, in short words. */
  tell(input) {
    return this.follower.handle(input, this.now).map((output) => {
      const { kind, command, intent } = output;
      if (command) return [command.kind, command.place ?? command.rate].filter((one) => one !== undefined).join(" ");
      if (intent) return ["wish", intent.kind, intent.place ?? intent.rate].filter((one) => one !== undefined).join(" ");
      return [kind, output.seq ?? output.reason].filter((one) => one !== undefined).join(" ");
    });
  }

  hear(kind, fields = {}) { return this.tell({ kind: "player", event: { kind, ...fields } }); }
  load() { return this.hear("loaded", { duration: 600 * seconds, rates: [0.25, 4], noise: 1_500 }); }
  set(phase, seq, fields = {}) {
    const timeline = { phase, seq, mediaTime: 0, rate: 1, duration: 600 * seconds, ...fields };
    return this.tell({ kind: "timeline", timeline, clock: this.clock });
  }
  wake() {
    this.now = Math.ceil(this.follower.nextDeadline);
    return this.tell({ kind: "deadlineReached" });
  }

  /** Plays from 5 s on. */
  static playing() {
    const seat = new Seat();
    seat.load();
    seat.set("preparing", 1, { mediaTime: 5 * seconds });
    seat.hear("seekFinished", { place: 5 * seconds });
    seat.set("playing", 2, { mediaTime: 5 * seconds, anchor: seat.now + 200 * ms });
    assert.deepEqual(seat.wake(), ["play 1"]);
    seat.hear("unpaused");
    return seat;
  }
}

test("at a barrier it goes to the frame, and is ready once it is there", () => {
  const seat = new Seat();
  seat.load();
  assert.deepEqual(seat.set("preparing", 7, { mediaTime: 5 * seconds }), ["seek 5000000"]);
  assert.deepEqual(seat.hear("seekFinished", { place: 5 * seconds }), ["ready 7"]);
  assert.deepEqual(seat.set("preparing", 7, { mediaTime: 5 * seconds }), [], "once");
});

test("it starts at the instant, earlier by the cost of a start", () => {
  const seat = new Seat();
  seat.load();
  seat.set("preparing", 1);
  seat.hear("seekFinished", { place: 0 });
  const anchor = seat.now + 200 * ms;
  assert.deepEqual(seat.set("playing", 2, { anchor }), []);
  assert.deepEqual(seat.wake(), ["play 1"]);
  assert.equal(seat.now, anchor - 40 * ms);
});

test("a pause is at once, and lands on the group's frame", () => {
  const seat = Seat.playing();
  assert.deepEqual(seat.set("paused", 3, { mediaTime: 6 * seconds }), ["pause", "seek 6000000"]);
  assert.deepEqual(seat.hear("paused"), [], "the echo of its own command is nobody's wish");
  assert.deepEqual(seat.hear("seekFinished", { place: 6 * seconds }), []);
});

test("a late echo of its own pause is nobody's wish", () => {
  const seat = Seat.playing();
  seat.set("paused", 3, { mediaTime: 6 * seconds });
  seat.hear("seekFinished", { place: 6 * seconds });
  seat.set("playing", 4, { mediaTime: 6 * seconds, anchor: seat.now + 200 * ms });
  assert.deepEqual(seat.wake(), ["play 1"]);
  assert.deepEqual([seat.hear("paused"), seat.hear("unpaused")], [[], []]);
  assert.deepEqual(seat.hear("paused").map((word) => word.split(" ")[1]), ["pause"], "the next is a person's");
});

test("a person's keys are wishes, and the player waits for the group", () => {
  const seat = Seat.playing();
  seat.now += 2 * seconds;
  seat.hear("position", { place: 7 * seconds, at: seat.now });
  seat.now += 100 * ms;
  seat.hear("position", { place: 7.1 * seconds, at: seat.now });
  assert.deepEqual(seat.hear("paused"), ["wish pause 7100000"]);
  assert.deepEqual(seat.set("paused", 3, { mediaTime: 7.1 * seconds }), ["seek 7100000"]);
  seat.hear("seekFinished", { place: 7.1 * seconds });
  assert.deepEqual(seat.hear("unpaused"), ["pause", "wish play"], "no member starts alone");
  assert.deepEqual(seat.hear("seeked", { target: 90 * seconds }), ["wish seek 90000000"]);
});

test("a wish without an answer is undone after three seconds", () => {
  const seat = Seat.playing();
  seat.now += 500 * ms;
  assert.deepEqual(seat.hear("seeked", { target: 90 * seconds }), ["wish seek 90000000"]);
  seat.hear("seekFinished", { place: 90 * seconds });
  seat.now += 3 * seconds;
  const undone = seat.tell({ kind: "deadlineReached" });
  assert.deepEqual([undone[0], undone[1].split(" ")[0]], ["pause", "seek"]);
});

test("a stall is said, and so is its end", () => {
  const seat = Seat.playing();
  seat.now += seconds;
  assert.deepEqual(seat.hear("stalled"), ["suspend stallRecovery"]);
  assert.equal(seat.hear("recovered")[0], "endSuspension");
});

test("a latecomer seeks ahead and waits there for the group", () => {
  const seat = new Seat();
  seat.load();
  const [seek] = seat.set("playing", 4, { mediaTime: 0, anchor: seat.now - 60 * seconds });
  const target = Number(seek.split(" ")[1]);
  // A seek's cost of 60 ms, a start's of 40, and a margin of 60.
  assert.equal(target, 60 * seconds + 160 * ms);
  seat.now += 50 * ms;
  assert.deepEqual(seat.hear("seekFinished", { place: target }), []);
  assert.deepEqual(seat.wake(), ["play 1"]);
});

test("an error of 30 ms is trimmed by a rate, and the rate goes back to the group's", () => {
  const seat = Seat.playing();
  const begun = seat.now + 40 * ms;
  const said = [];
  for (let tick = 0; tick < 12; tick += 1) {
    seat.now += 100 * ms;
    const place = 5 * seconds + (seat.now - begun) + 30 * ms;
    said.push(...seat.hear("position", { place, at: seat.now }).filter((one) => one.startsWith("setRate")));
  }
  assert.deepEqual(said, ["setRate 0.97"]);
  assert.deepEqual(seat.wake().filter((one) => one.startsWith("setRate")), ["setRate 1"]);
});

test("while it is suspended, nothing moves the player", () => {
  const seat = Seat.playing();
  seat.tell({ kind: "suspended", isSuspended: true });
  assert.deepEqual(seat.set("paused", 3, { mediaTime: 9 * seconds }), []);
  assert.deepEqual(seat.hear("paused"), []);
  assert.deepEqual(seat.tell({ kind: "suspended", isSuspended: false }), ["seek 9000000"]);
});
