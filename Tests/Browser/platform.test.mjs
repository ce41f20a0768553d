// What the presenter of messages hears of the browser, until its client is closed.

import assert from "node:assert/strict";
import test from "node:test";
import { Presenter } from "../../Sources/WebClient/Site/messages.js";

/** Something that is listened to. */
class Heard {
  /** @type {AbortSignal[]} what ends the listening, for each listener of any */ static signals = [];

  constructor(fields) { Object.assign(this, fields); }

  addEventListener(_name, _hear, { signal }) { Heard.signals.push(signal); }

  static get listeners() { return Heard.signals.filter((signal) => !signal.aborted).length; }
}

test("a presenter that is closed listens to nothing any more", () => {
  let observers = 0;
  Object.assign(globalThis, {
    document: new Heard({ documentElement: {}, activeElement: null, hidden: false }),
    HTMLElement: class {}, innerWidth: 390, innerHeight: 844,
    getComputedStyle: () => ({ colorScheme: "normal" }), matchMedia: () => new Heard({ matches: false }),
    addEventListener: new Heard().addEventListener,
    MutationObserver: class {
      observe() { observers += 1; }
      disconnect() { observers -= 1; }
    } });
  const presenter = new Presenter({ addEventListener() {} }, new EventTarget(), "ann");
  assert.ok(Heard.listeners > 8);
  assert.equal(observers, 1);
  presenter.close();
  assert.deepEqual([Heard.listeners, observers], [0, 0]);
});
