// The film on a lock screen and at a keyboard's media keys.

import assert from "node:assert/strict";
import test from "node:test";
import { MediaKeys } from "../../Sources/WebClient/Site/media-keys.js";

const shown = { title: "Sintel", group: "friday", isRunning: true, maySteer: true, hasNext: true };

/** @param {import("node:test").TestContext} context */
function keyboard(context) {
  Object.assign(globalThis, { MediaMetadata: class { constructor(told) { Object.assign(this, told); } } });
  context.after(() => delete globalThis.MediaMetadata);
  /** @type {any[]} */ const done = [];
  const deed = (/** @type {string} */ name) => (/** @type {unknown[]} */ ...values) => { done.push([name, ...values]); };
  /** @type {Map<string, any>} */ const heard = new Map();
  const session = { metadata: null, playbackState: "none", setActionHandler(action, handler) {
    if (action === "seekto") throw new TypeError("an action that this browser does not know");
    if (handler === null) heard.delete(action);
    else heard.set(action, handler);
  } };
  const keys = new MediaKeys(
    { play: deed("play"), pause: deed("pause"), move: deed("move"), seek: deed("seek"), next: deed("next") }, session);
  return { keys, session, heard, done };
}

test("the film has its title and its group, and whether it runs", (context) => {
  const { keys, session } = keyboard(context);
  keys.show(shown);
  assert.deepEqual({ ...session.metadata }, { title: "Sintel", artist: "friday" });
  assert.equal(session.playbackState, "playing");
  keys.show({ ...shown, isRunning: false });
  assert.equal(session.playbackState, "paused");
  keys.show(null);
  assert.deepEqual([session.metadata, session.playbackState], [null, "none"]);
});

test("a browser without media keys is left alone", (context) => {
  Object.assign(globalThis, { navigator: {} });
  context.after(() => delete globalThis.navigator);
  new MediaKeys({ play() {}, pause() {}, move() {}, seek() {}, next() {} }).show(shown);
});

test("the keys steer for those who may, whatever else the browser does not know", (context) => {
  const { keys, heard, done } = keyboard(context);
  keys.show(shown);
  assert.deepEqual([...heard.keys()].sort(), ["nexttrack", "pause", "play", "seekbackward", "seekforward"]);
  heard.get("pause")({ action: "pause" });
  heard.get("seekforward")({ seekOffset: 30 });
  heard.get("seekbackward")({});
  heard.get("nexttrack")({});
  assert.deepEqual(done.map(([name]) => name), ["pause", "move", "move", "next"]);
  assert.deepEqual(done.slice(1, 3), [["move", 30], ["move", -10]]);
  keys.show({ ...shown, hasNext: false });
  assert.equal(heard.has("nexttrack"), false);
  keys.show({ ...shown, maySteer: false });
  assert.deepEqual([...heard.keys()], [], "the film's own element asks the group, which refuses");
});
