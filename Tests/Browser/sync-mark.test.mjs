// How far this player is from the group: said only while that is known.

import assert from "node:assert/strict";
import test from "node:test";

Object.assign(globalThis, { HTMLElement: class {} });
const { SyncMark } = await import("../../Sources/WebClient/Site/sync-mark.js");

/** @param {import("node:test").TestContext} context a mark of a film that runs 12 ms behind */
function marked(context) {
  const element = { textContent: "", title: "", dataset: {}, append() {}, setAttribute() {}, replaceChildren() { this.textContent = ""; } };
  Object.assign(globalThis, { document: { createElement: () => element }, localStorage: { getItem: () => "en" } });
  context.after(() => { for (const name of ["document", "localStorage"]) delete globalThis[name]; });
  const video = new EventTarget();
  const client = Object.assign(new EventTarget(), { isOnline: true, hasPoorClock: false });
  const mark = new SyncMark(video);
  mark.follow(/** @type {any} */ (client));
  const drift = (/** @type {number} */ detail) => client.dispatchEvent(new CustomEvent("drift", { detail }));
  drift(-12_000);
  return { element, video, client, drift };
}

test("it says who is in sync, and how far the others are", (context) => {
  const { element, drift, client } = marked(context);
  assert.deepEqual([element.textContent, element.title], ["in sync", "-12 ms"]);
  drift(116_000);
  assert.equal(element.textContent, "116 ms ahead");
  client.hasPoorClock = true;
  client.dispatchEvent(new Event("clockQuality"));
  assert.equal(element.textContent, "you may be over a quarter of a second from the others");
});

for (const name of ["pause", "ended"]) {
  test(`a film that stands is not in sync: ${name}`, (context) => {
    const { element, video, drift } = marked(context);
    video.dispatchEvent(new Event(name));
    assert.equal(element.textContent, "");
    drift(0);
    assert.equal(element.textContent, "in sync");
  });
}

test("without a connection nobody knows", (context) => {
  const { element, client, drift } = marked(context);
  client.isOnline = false;
  client.dispatchEvent(new Event("connection"));
  assert.equal(element.textContent, "");
  drift(0);
  assert.equal(element.textContent, "", "the player goes on by what the group did last");
});
