// What each role may do about another one, by Protocol.md's table of rights.

import assert from "node:assert/strict";
import test from "node:test";
import { deedsAbout, deedsAside, deedsInGroup } from "../../Sources/WebClient/Site/deeds.js";

const person = (role, participant) => ({ role, participant, suspensions: [] });
const keys = (own, other) => deedsAbout(person(own, "p-own"), person(other, "p-other")).map((deed) => deed.key).join(" ");

for (const [own, other, found] of [
  ["host", "guest", "makeHost makeCoHost makeListener removeFromSession ban"],
  ["host", "host", "makeCoHost makeGuest makeListener removeFromSession ban"],
  ["coHost", "guest", "removeFromSession ban"],
  ["coHost", "listener", "removeFromSession ban"],
  ["coHost", "host", ""], ["coHost", "coHost", ""],
  ["guest", "guest", ""], ["listener", "guest", ""],
]) {
  test(`a ${own} about a ${other}: ${found || "nothing"}`, () => assert.equal(keys(own, other), found));
}

test("nobody removes themselves, and a host may give the role away", () => {
  const own = person("host", "p-own");
  assert.deepEqual(deedsAbout(own, own).map((deed) => deed.type), ["setRole", "setRole", "setRole"]);
});

test("for good is for the founder of a group with a key, and about others", () => {
  const about = (founder, hasKey, own, user) => deedsInGroup({ founder, hasKey }, own, user).length;
  assert.equal(about("ann", true, "ann", "ben"), 1);
  assert.equal(about("ann", true, "ann", "ann"), 0);
  assert.equal(about("ann", true, "ben", "cem"), 0);
  assert.equal(about("ann", false, "ann", "ben"), 0);
});

test("who may steer invites members who do not take part, but not another device of their own", () => {
  const own = { ...person("guest", "p-own"), user: "ann" };
  assert.deepEqual(deedsAside(own, true, "ben").map((deed) => deed.fields), [{ users: ["ben"] }]);
  assert.deepEqual(deedsAside(own, false, "ben"), []);
  assert.deepEqual(deedsAside(own, true, "ann"), []);
  assert.deepEqual(deedsAside(undefined, true, "ben"), []);
});
