// “Start when all are ready”, by the cases that the Swift client keeps to, too.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ReadyStart } from "../../Sources/WebClient/Site/ready-start.js";

const cases = JSON.parse(readFileSync(new URL("Cases/ready-start.json", import.meta.url), "utf8"));

function carryOut(start, step) {
  if (step.meet) return start.meet(new Map(Object.entries(step.meet)), step.at);
  if (step.ask) return start.ask(step.at);
  if (step.tick) return start.tick(step.at);
  if (step.takeBack) return start.takeBack();
  if (step.steer) start.steer();
  else start.hear(step.from, step.hear);
  return [];
}

for (const one of cases) {
  test(one.case, () => {
    const start = new ReadyStart("ann");
    for (const [index, step] of one.steps.entries()) {
      const orders = carryOut(start, step).map((order) => (order.kind === "play" ? "play" : { tell: order.countdown }));
      assert.deepEqual(orders, step.orders, `step ${index + 1}`);
      if ("shown" in step) assert.deepEqual(start.shown, step.shown, `step ${index + 1}`);
      const due = start.shown?.by === "ann" ? start.shown.at ?? null : null;
      assert.equal(start.nextDeadline, due, `step ${index + 1}`);
    }
  });
}
