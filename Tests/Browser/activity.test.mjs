// What a session is started with, and whether its people wait for each other.

import assert from "node:assert/strict";
import test from "node:test";
import { activationOf, activityOf } from "../../Sources/WebClient/Site/activity.js";
import { choiceOf, keepChoice, keptOptions } from "../../Sources/WebClient/Site/waiting-policy.js";

const said = (value) => JSON.parse(JSON.stringify(value));

test("a film is watched together, by its title or by the name of its file", () => {
  assert.deepEqual(activityOf({ url: "https://film.example/By%20the%20sea.webm" }), {
    type: "watch", metadata: { title: "By the sea.webm", kind: "watchTogether" },
    media: { url: "https://film.example/By%20the%20sea.webm" } });
  assert.equal(activityOf({ url: "a/b.webm", title: "B" }).metadata.title, "B");
  assert.equal(activityOf({ url: "100% Wolf.mkv" }).metadata.title, "100% Wolf.mkv", "a percent sign stands for itself");
});

test("a session waits for nobody unless it is started so", () => {
  const media = { url: "b.webm" };
  assert.deepEqual(said(activationOf(media)), { activity: said(activityOf(media)), audience: true });
  assert.equal(activationOf(media, { waitingPolicy: "together" }).waitingPolicy, "together");
  const own = { reasons: ["stallRecovery"], maximumWait: 5_000_000 };
  assert.deepEqual(activationOf(media, { waitingPolicy: own }).waitingPolicy, own);
});

for (const [policy, choice] of [
  ["keepGoing", "keepGoing"], ["together", "together"], [undefined, "keepGoing"],
  [{ reasons: ["stallRecovery"] }, "other"], [{}, "other"],
]) {
  test(`the policy ${JSON.stringify(policy)} is shown as ${choice}`, () => assert.equal(choiceOf(policy), choice));
}

test("the person's last choice is for the next session that they start", () => {
  const kept = new Map();
  globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
  assert.deepEqual(said(keptOptions()), {});
  keepChoice("together");
  assert.deepEqual(keptOptions(), { waitingPolicy: "together" });
  keepChoice("keepGoing");
  assert.deepEqual(keptOptions(), { waitingPolicy: "keepGoing" });
  kept.set("matinee.waiting", "nonsense");
  assert.deepEqual(said(keptOptions()), {});
  delete globalThis.localStorage;
});
