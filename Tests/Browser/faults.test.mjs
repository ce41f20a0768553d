// What the page says of refusals.

import assert from "node:assert/strict";
import test from "node:test";
import { MatineeError } from "../../Sources/WebClient/Site/requests.js";

Object.assign(globalThis, { HTMLElement: class {} });
Object.defineProperty(globalThis, "localStorage", { value: { getItem: () => "de" }, configurable: true });
const { faultText, reasonOf } = await import("../../Sources/WebClient/Site/faults.js");

test("what people meet is told in their language", () => {
  const error = new MatineeError("activityInProgress", "the group already has a session with another activity");
  assert.equal(faultText(error), "Das ging nicht: die anderen schauen etwas anderes");
});

test("a reason of what is forbidden says more than that it is", () => {
  const forbidden = (reason) => reasonOf(new MatineeError("forbidden", "the role does not allow this", { reason }));
  assert.equal(forbidden("banned"), "whyTheyAreBanned");
  assert.equal(forbidden("removed"), "whyTheyAreRemoved");
  assert.equal(forbidden("editQueue"), "whyForbidden");
});

test("anything else is told as it is", () => {
  assert.equal(faultText(new MatineeError("conflict", "someone else was first")), "Das ging nicht: someone else was first");
  assert.equal(faultText(new TypeError("no")), "Das ging nicht: no");
  assert.equal(faultText("gone"), "Das ging nicht: gone");
});
