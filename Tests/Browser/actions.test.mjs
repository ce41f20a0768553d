// What a click on a message does at the server.

import assert from "node:assert/strict";
import test from "node:test";
import { ownPlace, perform, signsIn } from "../../Sources/WebClient/Site/actions.js";
import { Presenter } from "../../Sources/WebClient/Site/messages.js";
import { MatineeError } from "../../Sources/WebClient/Site/requests.js";

const settle = async () => { for (let turn = 0; turn < 20; turn += 1) await Promise.resolve(); };

test("what a click logs and sets is told in order, and an attribute that is not answered is told again", async () => {
  const told = [];
  let isAway = false;
  const connection = Object.assign(new EventTarget(), {
    isOnline: true, clock: null,
    requestNotice: async (type, { name, attributes }) => {
      if (type === "appState") return;
      told.push([type, name ?? attributes]);
      if (!isAway) return;
      isAway = false;
      throw new MatineeError("timedOut", "no answer came in time");
    } });
  const messages = new Presenter(connection, new EventTarget(), "ann");
  // Nobody sees a message before the presenter has looked at a page.
  Object.assign(globalThis, { document: { hidden: true } });
  await messages.enter();
  const set = { type: "setAttribute", key: "taste", value: "noir" };
  assert.deepEqual(perform({ type: "sequence", actions: [{ type: "logEvent", name: "one" }, set, { type: "logEvent", name: "two" }] },
    { messages }), []);
  await settle();
  const attributes = ["setAttributes", { taste: "noir" }];
  assert.deepEqual(told.splice(0), [["logEvent", "one"], attributes, ["logEvent", "two"]]);
  isAway = true;
  perform(set, { messages });
  await settle();
  assert.deepEqual(told, [attributes, attributes]);
});

test("a deep link leads to a path of this page's own server, and to no other one", () => {
  const page = "https://watch.example/friday";
  assert.equal(ownPlace("/monday?from=ann#key", page)?.href, "https://watch.example/monday?from=ann#key");
  for (const url of ["//evil.example/x", "/\\evil.example/x", "/\t/evil.example", "//", "matinee://friday", "monday"]) {
    assert.equal(ownPlace(url, page), null, url);
  }
});

test("a deep link with a token leads nowhere", () => {
  const token = `e30.${Buffer.from('{"sub":"mallory"}').toString("base64url")}.c2ln`;
  assert.equal(ownPlace(`/friday#token=${token}`, "https://watch.example/friday"), null);
  assert.ok(signsIn(`https://watch.example/friday#token=${token}`, "https://watch.example/friday"));
  assert.ok(!signsIn(`https://other.example/friday#token=${token}`, "https://watch.example/friday"));
});
