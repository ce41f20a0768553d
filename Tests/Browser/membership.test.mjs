// How a device comes back into its group once the server no longer knows it.

import assert from "node:assert/strict";
import test from "node:test";
import { Membership } from "../../Sources/WebClient/Site/membership.js";
import { MatineeError } from "../../Sources/WebClient/Site/requests.js";

/** A device in its group, whose returns have this outcome; and what the app is told of them. */
async function returning(code) {
  /** @type {string[]} */ const told = [];
  const membership = new Membership({
    request: async () => ({}),
    requestReturn: () => Promise.reject(new MatineeError(code, "no")) }, (name) => { told.push(name); });
  await membership.join("friday");
  membership.rejoin();
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  return { membership, told };
}

for (const code of ["timedOut", "forgotten", "closed", "superseded"]) {
  test(`the group stays wanted when its return has no answer: ${code}`, async () => {
    const { membership, told } = await returning(code);
    assert.ok(membership.isWanted);
    assert.deepEqual(told, []);
  });
}

test("the group is given up when the server refuses the return", async () => {
  const { membership, told } = await returning("groupFull");
  assert.ok(!membership.isWanted);
  assert.deepEqual(told, ["group", "refused"]);
});
