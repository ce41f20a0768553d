// A film that stands still for want of data, and one that only says so.

import assert from "node:assert/strict";
import test from "node:test";
import { StallWatch } from "../../Sources/WebClient/Site/stall-watch.js";
import { ms } from "./world.mjs";

/** Looks every 100 ms, from the first to the last tenth of a second, at a film whose position is `positionAt`. */
function look(watch, [first, last], positionAt, { rate = 1, hasData = false } = {}) {
  const seen = [];
  for (let tenth = first; tenth <= last; tenth += 1) {
    const at = tenth * 100 * ms;
    seen.push(watch.look({ position: positionAt(at), at, rate, hasData }));
  }
  return seen;
}

const running = (/** @type {number} */ at) => at;
const standing = () => 1_000 * ms;

/** One whose film says, a moment after its speed changed, that it waits. */
function doubting() {
  const watch = new StallWatch();
  watch.doubt(990 * ms);
  assert.equal(watch.wait(1_000 * ms, 1_000 * ms), false);
  return watch;
}

test("a film that waits is taken at its word, and goes on when it says so", () => {
  const watch = new StallWatch();
  assert.deepEqual(look(watch, [8, 9], running, { hasData: true }), ["runs", "runs"]);
  assert.equal(watch.wait(1_000 * ms, 1_000 * ms), true);
  assert.deepEqual(look(watch, [11, 13], standing), ["waits", "waits", "waits"]);
  watch.recover(true);
  assert.deepEqual(look(watch, [14, 15], (at) => at - 300 * ms, { hasData: true }), ["runs", "runs"]);
});

test("a stall is over when the film moves, although it never says so", () => {
  const watch = new StallWatch();
  watch.wait(1_000 * ms, 1_000 * ms);
  assert.deepEqual(look(watch, [11, 11], standing), ["waits"]);
  assert.deepEqual(look(watch, [12, 13], (at) => at - 100 * ms), ["recovers", "runs"]);
});

test("a film that says after a change of its speed that it waits, and runs on, has not stalled", () => {
  for (const rate of [0.25, 1, 4]) {
    const watch = doubting();
    assert.deepEqual(look(watch, [11, 13], (at) => 1_000 * ms + (at - 1_000 * ms) * rate, { rate }),
      ["runs", "runs", "runs"]);
  }
});

test("a doubted film is doubted until it says that it has its data", () => {
  const watch = doubting();
  look(watch, [11, 20], running);
  assert.ok(watch.isDoubted);
  assert.equal(watch.wait(2_000 * ms, 2_000 * ms), false, "as at its next start");
  watch.recover(false);
  assert.ok(watch.isDoubted);
  watch.recover(true);
  assert.ok(!watch.isDoubted);
  assert.equal(watch.wait(2_000 * ms, 2_000 * ms), true);
});

test("one that stands still after it stalls once, and recovers once", () => {
  const watch = doubting();
  assert.deepEqual(look(watch, [11, 14], standing), ["waits", "waits", "stalls", "waits"]);
  assert.deepEqual(look(watch, [15, 16], (at) => at - 400 * ms), ["recovers", "runs"]);
});

test("a position that is renewed late is no stall", () => {
  const watch = doubting();
  const late = (at) => (at < 1_250 * ms ? 1_000 * ms : at);
  assert.deepEqual(look(watch, [11, 14], late), ["waits", "waits", "runs", "runs"]);
});

test("motion is judged neither at once nor over a leap to another position", () => {
  const watch = doubting();
  assert.equal(watch.look({ position: 1_000 * ms, at: 1_010 * ms, rate: 1, hasData: false }), "waits");
  watch.forget();
  assert.deepEqual(look(watch, [11, 14], () => 50_000 * ms), ["waits", "waits", "waits", "stalls"]);
});

test("half a second after a change of the speed, a film is taken at its word", () => {
  const watch = new StallWatch();
  watch.doubt(1_000 * ms);
  assert.equal(watch.wait(1_500 * ms, 1_500 * ms), true);
});
