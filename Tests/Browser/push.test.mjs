// The browser's subscription for pushes, and what the worker shows for a hidden page.

import assert from "node:assert/strict";
import test from "node:test";
import { background, resumePush, startPush } from "../../Sources/WebClient/Site/push.js";

const bytes = (value) => new Uint8Array(65).fill(value);
const text = (value) => Buffer.from(bytes(value)).toString("base64url");

/** A browser with a worker, and the server that it subscribes for. */
class Browser {
  /** @type {any} */ subscription = null;
  /** @type {any[]} what the worker was told */ told = [];
  /** @type {any[]} what the server knows, the latest last */ registered = [];
  subscriptions = 0;
  /** @type {string[]} the worker's script, and where the key was asked for */ asked = [];
  tray = {
    url: "wss://watch.example/ws", followGroup: async () => {},
    register: async (webPush) => { this.registered.push(webPush); return true; } };

  constructor({ key = text(1), permission = "granted", hasWorker = true } = {}) {
    const registration = { pushManager: this, active: { postMessage: (message) => this.told.push(message) } };
    const globals = {
      isSecureContext: true, PushManager: class {},
      Notification: { permission, requestPermission: async () => permission },
      navigator: { serviceWorker: {
        ready: Promise.resolve(registration), register: async (script) => { this.asked.push(script); return registration; },
        getRegistration: async () => (hasWorker ? registration : undefined) } },
      location: new URL("https://watch.example/friday"),
      fetch: async (place) => {
        this.asked.push(place);
        return { ok: key !== null, text: async () => `${key}\n` };
      } };
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  }

  getSubscription() { return Promise.resolve(this.subscription); }

  async subscribe({ applicationServerKey }) {
    assert.equal(this.subscription, null, "a browser refuses another key while there is a subscription");
    return this.subscribed(Buffer.from(applicationServerKey, "base64url"));
  }

  subscribed(key) {
    const endpoint = `https://push.example/${this.subscriptions += 1}`;
    this.subscription = {
      options: { applicationServerKey: key && Uint8Array.from(key).buffer }, toJSON: () => ({ endpoint }),
      unsubscribe: async () => { this.subscription = null; return true; } };
    return this.subscription;
  }
}

const first = { endpoint: "https://push.example/1" };
const second = { endpoint: "https://push.example/2" };

for (const [what, key, isOn, registered] of [
  ["for the server's key is registered again", bytes(1), true, [first]],
  ["whose key the browser does not tell is registered again", null, true, [first]],
  ["for an earlier key gives way to a new one", bytes(2), true, [second]]]) {
  test(`a subscription ${what}`, async () => {
    const browser = new Browser();
    browser.subscribed(key);
    assert.equal(await resumePush(browser.tray, "en"), isOn);
    assert.deepEqual(browser.registered, registered);
  });
}

test("without a subscription, a key or the permission nothing is registered", async () => {
  for (const [options, isSubscribed] of [[{}, false], [{ key: null }, true], [{ permission: "default" }, true]]) {
    const browser = new Browser(options);
    if (isSubscribed) browser.subscribed(bytes(1));
    assert.equal(await resumePush(browser.tray, "en"), false);
    assert.deepEqual(browser.registered, []);
  }
});

test("who turns pushes on is subscribed for the server's key, whatever was there before", async () => {
  for (const [before, registered] of [[null, first], [bytes(1), first], [bytes(2), second]]) {
    const browser = new Browser();
    if (before !== null) browser.subscribed(before);
    assert.equal(await startPush(browser.tray, "en"), "on");
    assert.deepEqual(browser.registered, [registered]);
  }
});

for (const [url, place, script] of [
  ["wss://watch.example/ws", "https://watch.example/", ""],
  ["wss://film.example:8443/ws", "https://film.example:8443/", "&server=wss%3A%2F%2Ffilm.example%3A8443%2Fws"],
  ["wss://watch.example/film/ws", "https://watch.example/film/", "&server=wss%3A%2F%2Fwatch.example%2Ffilm%2Fws"]]) {
  test(`pushes are those of the server at ${url}, whose page this may not be`, async () => {
    const browser = new Browser();
    browser.tray.url = url;
    assert.equal(await startPush(browser.tray, "en"), "on");
    assert.deepEqual(browser.asked, [`${place}.well-known/matinee-push-key`, `/service-worker.js?language=en${script}`]);
  });
}

test("the worker is told what a hidden page does not show, if the person allows it and there is one", async () => {
  const one = { notification: "n1", at: 2, collapseID: "c", payload: { aps: { alert: "Hello" } } };
  for (const [options, isShown] of [[{}, true], [{ permission: "denied" }, false], [{ hasWorker: false }, false]]) {
    const browser = new Browser(options);
    assert.equal(await background.show(one), isShown);
    const payload = { aps: { alert: "Hello" }, matinee: { notification: "n1", at: 2, collapseID: "c" } };
    assert.deepEqual(browser.told, isShown ? [{ type: "show", payload }] : []);
  }
});

test("the worker is told what is over", async () => {
  const browser = new Browser();
  await background.withdraw(["n1", "n2"]);
  assert.deepEqual(browser.told, [{ type: "withdraw", notifications: ["n1", "n2"] }]);
});
