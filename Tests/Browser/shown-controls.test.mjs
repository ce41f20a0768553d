// When the controls over a film are seen.

import assert from "node:assert/strict";
import test from "node:test";
import { ShownControls } from "../../Sources/WebClient/Site/shown-controls.js";

/** A stage that hears events, and has classes. */
class Stage extends EventTarget {
  /** @type {Set<string>} */ #names = new Set();
  classList = { add: (/** @type {string} */ name) => this.#names.add(name),
    remove: (/** @type {string} */ name) => this.#names.delete(name), contains: (/** @type {string} */ name) => this.#names.has(name) };

  /** @param {string} type @param {string} [pointerType] */
  hear(type, pointerType) { this.dispatchEvent(Object.assign(new Event(type), { pointerType })); }
}

/** @param {import("node:test").TestContext} context @param {() => boolean} mayGo */
function shown(context, mayGo = () => true) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const stage = new Stage();
  return { stage, controls: new ShownControls(/** @type {any} */ (stage), mayGo), tick: (/** @type {number} */ ms) => context.mock.timers.tick(ms) };
}

test("they go three seconds after the last movement", (context) => {
  const { stage, controls, tick } = shown(context);
  for (const name of ["pointermove", "focusin", "keydown"]) {
    stage.hear(name, "mouse");
    tick(2_999);
    assert.equal(controls.areSeen, true, name);
  }
  tick(1);
  assert.equal(controls.areSeen, false);
});

test("they stay while somebody needs them, until the next movement is over", (context) => {
  let isUsed = true;
  const { stage, controls, tick } = shown(context, () => !isUsed);
  controls.show();
  tick(60_000);
  assert.equal(controls.areSeen, true);
  isUsed = false;
  stage.hear("focusout");
  tick(3_000);
  assert.equal(controls.areSeen, false);
});

test("a touch that finds none shows them with its click, and does nothing else", (context) => {
  const { stage, controls, tick } = shown(context);
  for (const name of ["pointerdown", "pointermove", "focusin"]) {
    stage.hear(name, "touch");
    assert.equal(controls.areSeen, false, name);
    assert.equal(controls.isFirstTouch, true, name);
  }
  stage.hear("click");
  assert.deepEqual([controls.areSeen, controls.isFirstTouch], [true, false]);
  stage.hear("pointerdown", "touch");
  assert.equal(controls.isFirstTouch, false, "the next one finds them");
  tick(3_000);
  stage.hear("pointerdown", "touch");
  stage.hear("pointercancel", "touch");
  assert.equal(controls.isFirstTouch, false, "one that scrolls is none");
  stage.hear("pointerdown", "mouse");
  assert.equal(controls.areSeen, true);
});
