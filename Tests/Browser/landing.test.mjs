// What a browser is told that lacks something, by the script that even an old one reads.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { runInNewContext } from "node:vm";

const script = readFileSync(new URL("../../Sources/WebClient/Site/landing.js", import.meta.url), "utf8");
const refused = { configurable: true, get() { throw new Error("SecurityError"); } };
const absent = { configurable: true, value: null };

/**
 * What a browser shows, and its window.
 * @param {PropertyDescriptorMap} storage what is different about it @param {string} [lacking] what it does not know
 */
function land(storage, lacking) {
  const window = Object.defineProperties({
    customElements: {}, HTMLDialogElement: {}, WebSocket: {}, MessageChannel: {}, localStorage: {}, sessionStorage: {},
  }, storage);
  if (lacking !== undefined) delete window[lacking];
  /** @type {string[]} */ const shown = [];
  const document = {
    documentElement: { popover: null, setAttribute() {} },
    createElement: () => ({ noModule: false }),
    getElementById: (id) => ({ removeAttribute: () => shown.push(id) }) };
  runInNewContext(script, { window, document });
  return { shown, window };
}

test("a browser that has all is told nothing", () => assert.deepEqual(land({}).shown, []));

for (const [what, storage] of [
  ["refuses", { localStorage: refused, sessionStorage: refused }],
  ["refuses for the visit", { sessionStorage: refused }],
  ["does not have", { localStorage: absent }],
]) {
  test(`a browser is told of the storage that it ${what}, and the page's head is drawn without`, () => {
    const { shown, window } = land(storage);
    assert.deepEqual(shown, ["blocked"]);
    for (const name of ["localStorage", "sessionStorage"]) assert.equal(window[name].getItem("matinee.theme"), null);
  });
}

test("a browser that is too old is told that first", () => {
  assert.deepEqual(land({ localStorage: refused }, "WebSocket").shown, ["landing"]);
});
