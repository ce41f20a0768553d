// Entries of the queue moved to every place, and what plays next.

import assert from "node:assert/strict";
import test from "node:test";
import { movesTo, nextIn } from "../../Sources/WebClient/Site/queue-moves.js";
import { Queue } from "../../Sources/WebClient/Site/queue.js";

const queue = (more = {}) => new Queue({
  entries: ["e1", "e2", "e3", "e4"].map((entry) => ({ entry, url: entry })), current: "e2", ...more });
const order = ({ entries }) => entries.map((one) => one.entry).join(" ");

for (let from = 0; from < 4; from += 1) {
  for (let to = 0; to < 4; to += 1) {
    test(`from place ${from + 1} to ${to + 1}`, () => {
      const moved = queue();
      const requests = movesTo(moved.entries, from, to);
      for (const { entry, position } of requests) moved.evolve({ event: "moved", entry, after: position.after });
      const expected = ["e1", "e2", "e3", "e4"];
      expected.splice(to, 0, ...expected.splice(from, 1));
      assert.equal(order(moved), expected.join(" "));
      assert.ok(requests.length <= (to === 0 ? 2 : 1), "no request too many");
    });
  }
}

test("beyond the ends is the end, and what is not there does not move", () => {
  assert.deepEqual(movesTo(queue().entries, 0, 9), [{ entry: "e1", position: { after: "e4" } }]);
  assert.deepEqual(movesTo(queue().entries, 3, 9), []);
  assert.deepEqual(movesTo(queue().entries, 7, 0), []);
  assert.deepEqual(movesTo([], 0, 0), []);
});

for (const [more, next, hasNext] of [
  [{}, "e3", true],
  [{ current: "e4" }, undefined, false],
  [{ current: "e4", repeat: "all" }, "e1", true],
  [{ repeat: "one" }, "e2", true],
  [{ autoAdvance: false }, undefined, true],
  [{ current: undefined }, undefined, false],
]) {
  test(`after ${JSON.stringify(more)} plays ${next}, and a person can go on: ${hasNext}`, () => {
    assert.equal(nextIn(queue(more)), next);
    assert.equal(queue(more).hasNext, hasNext);
  });
}
