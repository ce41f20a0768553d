// What the service worker shows of pushes, and for a page that nobody sees.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { runInNewContext } from "node:vm";
import { placeOf, saidBy } from "../../Sources/WebClient/Site/tray.js";

const script = readFileSync(new URL("../../Sources/WebClient/Site/service-worker.js", import.meta.url), "utf8");

/** A browser that runs the worker, and what is on its screen. */
class World {
  /** @type {any[]} the oldest first */ screen = [];
  /** How often something was shown. */ times = 0;
  #listeners = new Map();

  /** @type {string[]} where the worker's requests went */ asked = [];
  /** @type {string[]} what taps opened, or brought to the front */ opened = [];

  constructor(search = "?language=en", pages = []) {
    const { asked, opened } = this;
    const self = {
      clients: {
        matchAll: async () => pages.map((url) => ({ url, focus: () => opened.push(`front: ${url}`) })),
        openWindow: async (place) => opened.push(place) },
      location: { search, origin: "https://watch.example" },
      registration: {
        pushManager: { subscribe: async () => {} },
        showNotification: async (title, options) => this.#show(title, options),
        getNotifications: async () => [...this.screen] },
      addEventListener: (name, hear) => this.#listeners.set(name, hear) };
    class Socket {
      constructor(url) {
        asked.push(url);
        queueMicrotask(() => this.onopen());
      }
      send() { queueMicrotask(() => this.onmessage({ data: '{"type":"ok","id":1}' })); }
      close() { this.onclose(); }
    }
    const fetch = async (place) => {
      asked.push(String(place));
      return { text: async () => "key" };
    };
    runInNewContext(script, { self, URL, URLSearchParams, WebSocket: Socket, fetch, setTimeout, clearTimeout });
  }

  #show(title, { body, tag, silent, actions = [], data }) {
    this.times += 1;
    // A browser knows a notification by its tag: an earlier one closes what has taken its place.
    const close = () => { this.screen = this.screen.filter((other) => other.tag !== tag); };
    close();
    this.screen.push({ title, body, tag, silent, actions, data, close });
  }

  /** Tells the worker, and waits until it is done. */
  async #tell(name, event) {
    let work;
    this.#listeners.get(name)({ ...event, waitUntil: (promise) => { work = promise; } });
    await work;
  }

  push(payload) { return this.#tell("push", { data: payload === undefined ? null : { json: () => payload } }); }
  press(notification, action) { return this.#tell("notificationclick", { notification, action }); }
  loseSubscription() { return this.#tell("pushsubscriptionchange", {}); }
  message(data) { return this.#tell("message", { data }); }

  get lines() { return this.screen.map(({ title, body }) => `${title}: ${body}`); }
}

const told = (notification, title, more = {}) => ({
  aps: { alert: { title, body: "Two minutes" }, sound: "default", "thread-id": "friday" }, matinee: { notification, at: 1 }, ...more });
const revoking = (...revoke) => ({ aps: { "content-available": 1 }, revoke });

for (const [what, search, asked] of [
  ["this page's own server", "?language=en", ["wss://watch.example/ws", "https://watch.example/.well-known/matinee-push-key"]],
  ["the server that the page names", `?language=en&server=${encodeURIComponent("wss://film.example/watch/ws")}`,
    ["wss://film.example/watch/ws", "https://film.example/watch/.well-known/matinee-push-key"]]]) {
  test(`answers and subscriptions are for ${what}`, async () => {
    const world = new World(search);
    const invitation = told("i1", "Sintel", { from: "Ann", token: "t" });
    invitation.aps.category = "GROUP_WATCH_INVITE";
    await world.push(invitation);
    await world.press(world.screen[0], "accepted");
    assert.deepEqual(world.lines, []);
    await world.loseSubscription();
    assert.deepEqual(world.asked, asked);
  });
}

test("every push ends with something that is shown", async () => {
  for (const payload of [told("n1", "Trailer"), revoking("n1"), revoking(), { aps: { "content-available": 1 } }, {}, undefined]) {
    const world = new World();
    await world.push(payload);
    assert.equal(world.screen.length, 1, JSON.stringify(payload));
  }
});

test("what is withdrawn gives way to a quiet line in its place, which answers nothing", async () => {
  const world = new World();
  const invitation = told("i1", "Sintel", { from: "Ann", token: "t" });
  invitation.aps.category = "GROUP_WATCH_INVITE";
  await world.push(invitation);
  await world.push(told("n2", "Trailer"));
  assert.deepEqual(world.lines, ["Sintel: Ann invites you to watch together", "Trailer: Two minutes"]);
  await world.push(revoking("i1", "n3"));
  assert.deepEqual(world.lines, ["Trailer: Two minutes", "Sintel: No longer current."]);
  const [, over] = world.screen;
  assert.deepEqual([over.tag, over.silent, over.actions, over.data.token, over.data.place],
    ["i1", true, [], undefined, "/friday"]);
});

test("what is withdrawn and not on screen leads to one quiet line, however often", async () => {
  const world = new World("?language=de");
  for (const id of ["n1", "n2"]) await world.push(revoking(id));
  assert.deepEqual(world.lines, ["Matinee: Eine frühere Mitteilung ist nicht mehr aktuell."]);
  assert.equal(world.screen[0].silent, true);
});

test("what a page lets the worker show looks as if it was pushed, and goes without a line", async () => {
  const world = new World();
  const payload = told("n1", "Trailer");
  await world.push(payload);
  const [pushed] = world.screen;
  await world.message({ type: "show", payload });
  assert.deepEqual(world.screen.map((one) => JSON.stringify(one)), [JSON.stringify(pushed)]);
  await world.message({ type: "withdraw", notifications: ["n1"] });
  assert.deepEqual([world.lines, world.times], [[], 2]);
});

test("a subtitle stands above the text", async () => {
  const world = new World();
  await world.push(told("n1", "Trailer", { aps: { alert: { title: "Trailer", subtitle: "Sintel", body: "Two minutes" } } }));
  await world.push(told("n2", "Trailer", { aps: { alert: { title: "Trailer", subtitle: "Sintel" } } }));
  assert.deepEqual(world.lines, ["Trailer: Sintel\nTwo minutes", "Trailer: Sintel"]);
  const alert = { title: "Trailer", subtitle: "Sintel" };
  assert.deepEqual(saidBy({ payload: { aps: { alert } } }), { ...alert, body: "" }, "the page says the same");
});

for (const [url, place] of [["/shop?from=mail#secret", "https://watch.example/shop?from=mail"], ["https://watch.example/shop", "https://watch.example/shop"],
  ["https://watch.example//evil.example/x", "https://watch.example//evil.example/x"], ["//evil.example/x", "/friday"],
  ["https://evil.example/", "/friday"], ["javascript:alert(1)", "/friday"], ["https://", "/friday"], [7, "/friday"],
  ["blob:https://watch.example/1", "/friday"], [undefined, "/friday"]]) {
  test(`a tap on a notification whose url is ${url} leads to ${place}`, async () => {
    const world = new World();
    await world.push(told("n1", "Trailer", { url }));
    await world.press(world.screen[0], "");
    assert.deepEqual([world.opened, world.lines], [[place], []]);
    const leads = placeOf({ payload: { url } }, "https://watch.example");
    assert.equal(leads ?? "/friday", place, "the page leads to the same");
  });
}

for (const { group, link } of JSON.parse(readFileSync(new URL("Cases/page-links.json", import.meta.url), "utf8"))) {
  test(`a tap leads to the page of ${group}`, async () => {
    const world = new World();
    await world.push({ aps: { alert: { title: "Trailer" }, "thread-id": group } });
    await world.press(world.screen[0], "");
    assert.deepEqual(world.opened.map((place) => `https://film.example${place}`), [link.split("#")[0]]);
  });
}

test("a tap brings the page that is open to the front", async () => {
  const world = new World("?language=en", ["https://watch.example/other", "https://watch.example/shop#top"]);
  await world.push(told("n1", "Trailer", { url: "/shop" }));
  await world.press(world.screen[0], "");
  await world.push({ aps: { alert: "Hello" } });
  await world.press(world.screen[0], "");
  assert.deepEqual(world.opened, ["front: https://watch.example/shop#top", "front: https://watch.example/other"]);
});

test("what replaces another is not withdrawn along with it", async () => {
  const world = new World();
  const seat = (id) => told(id, "Seat", { matinee: { notification: id, at: 1, collapseID: "seat" } });
  await world.message({ type: "show", payload: seat("n1") });
  const withdrawn = world.message({ type: "withdraw", notifications: ["n1"] });
  await world.message({ type: "show", payload: seat("n2") });
  await withdrawn;
  assert.deepEqual(world.screen.map(({ data }) => data.notification), ["n2"]);
});
