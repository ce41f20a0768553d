// What is in a message that is moved, as out of a dialog of the page that closes.

import assert from "node:assert/strict";
import test from "node:test";

/** As much of an element as a message's content uses. */
class Element extends EventTarget {
  /** @type {any[]} */ children = [];
  attributes = new Map();
  dataset = {};
  style = { setProperty() {} };
  paused = true;

  get childElementCount() { return this.children.length; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  setAttribute(name, value) { this.attributes.set(name, value); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  toggleAttribute(name, isSet) { if (isSet) this.attributes.set(name, ""); else this.attributes.delete(name); }
  querySelectorAll() { return []; }
  async play() { this.paused = false; }
  pause() { this.paused = true; }
}

Object.assign(globalThis, {
  HTMLElement: Element, localStorage: { getItem: () => "en" }, customElements: { define() {} },
  document: { createElement: () => new Element(), createElementNS: () => new Element(), documentElement: { lang: "en" } } });
const { MessagePage } = await import("../../Sources/WebClient/Site/message-page.js");
const { MessageVideo } = await import("../../Sources/WebClient/Site/message-video.js");

const message = { body: { source: "<p>Hello" }, buttons: [], themes: {}, extras: { video_url: "trailer.webm" } };
const view = { message, host: { tell: () => assert.fail("it failed") }, shown: { context: { message } }, surface: new Element() };

/** Moves an element, as `append` does with one that is on the page. */
function move(element) {
  element.disconnectedCallback();
  element.connectedCallback();
}

test("a page of HTML is in its frame again where its message is moved to", (context) => {
  const page = new MessagePage(view);
  page.connectedCallback();
  /** @type {string[]} */ const sources = [];
  const load = () => {
    assert.equal(page.children.length, 1);
    const [frame] = page.children;
    frame.contentWindow = { postMessage: ({ source }, _origin, [port]) => {
      sources.push(source);
      port.close();
    } };
    frame.dispatchEvent(new Event("load"));
  };
  // No page is shown here, which the message would take for a failure in the end.
  context.mock.timers.enable({ apis: ["setTimeout"] });
  load();
  move(page);
  load();
  assert.deepEqual(sources, ["<p>Hello", "<p>Hello"]);
  page.disconnectedCallback();
});

test("a page of HTML whose frame does not come where its message is moved to has failed", async (context) => {
  /** @type {any[]} */ const told = [];
  const page = new MessagePage({ ...view, host: { tell: (event) => told.push(event) } });
  context.mock.timers.enable({ apis: ["setTimeout"] });
  /** @param {boolean} isServed */
  const load = (isServed) => {
    const [frame] = page.children;
    frame.contentWindow = { postMessage: (_message, _origin, [port]) => {
      if (isServed) port.postMessage(["shown"]);
      port.close();
    } };
    frame.dispatchEvent(new Event("load"));
  };
  page.connectedCallback();
  load(true);
  await page.ready;
  move(page);
  load(false);
  await new Promise(setImmediate);
  context.mock.timers.tick(4_999);
  assert.deepEqual(told, []);
  context.mock.timers.tick(1);
  assert.deepEqual(told, [{ kind: "failed", failure: "content" }]);
  page.disconnectedCallback();
});

test("a video plays on where its message is moved to, unless the person has paused it", () => {
  const content = new MessageVideo(view);
  content.connectedCallback();
  const video = content.children.find((one) => one.attributes.get("src") !== undefined || one.src !== undefined);
  assert.equal(video.paused, false);
  move(content);
  assert.equal(video.paused, false);
  video.pause();
  move(content);
  assert.equal(video.paused, true);
});
