// Views that another screen has replaced, or that outlive a client.

import assert from "node:assert/strict";
import test from "node:test";

/** As much of an element as these views use before they are drawn. */
class Element extends EventTarget {
  classList = { add() {}, remove() {} };
  append() {}
  setAttribute() {}
}

const serviceWorker = new EventTarget();
Object.defineProperty(globalThis, "navigator", { value: { serviceWorker } });
Object.assign(globalThis, {
  HTMLElement: Element, customElements: { define() {} }, PushManager: class {}, Notification: { permission: "default" },
  window: globalThis, isSecureContext: true, localStorage: { getItem: () => "en" },
  document: Object.assign(new EventTarget(), {
    createElement: () => new Element(), createElementNS: () => new Element(), documentElement: { lang: "en" } }) });
const { ChatView } = await import("../../Sources/WebClient/Site/chat-view.js");
const { TrayView } = await import("../../Sources/WebClient/Site/tray-view.js");

test("a chat that is gone from the page says no more what is unread", () => {
  const chat = new ChatView();
  chat.draw = () => {};
  let told = 0;
  chat.addEventListener("unread", () => { told += 1; });
  const show = () => document.dispatchEvent(new Event("visibilitychange"));
  chat.connectedCallback();
  show();
  assert.equal(told, 1);
  chat.disconnectedCallback();
  show();
  assert.equal(told, 1);
});

test("a subscription that is renewed is heard of once, however many clients there were", (context) => {
  const tray = new TrayView();
  tray.draw = () => {};
  const listen = context.mock.method(serviceWorker, "addEventListener");
  for (let count = 0; count < 3; count += 1) {
    const client = Object.assign(new EventTarget(), { tray: { isAvailable: true } });
    tray.client = client;
    client.dispatchEvent(new Event("tray"));
  }
  assert.equal(listen.mock.callCount(), 1);
});
