// What an app asks of the client itself: where the film is, a pause, and what becomes of a session's end.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Client } from "../../Sources/WebClient/Site/client.js";
import { ClockEstimate, ClockSample } from "../../Sources/WebClient/Site/clock.js";
import { MatineeError } from "../../Sources/WebClient/Site/requests.js";

const minute = 60_000_000;

/** A client in a browser, a minute after the page was opened. */
function made(context, { now = () => 60_000, setTimeout = () => {} } = {}) {
  context.mock.method(performance, "now", now);
  const heard = { addEventListener() {}, removeEventListener() {} };
  Object.assign(globalThis, {
    document: { ...heard, documentElement: {}, activeElement: null, hidden: true }, HTMLElement: class {},
    window: { ...heard, setTimeout, clearTimeout() {} }, addEventListener() {}, innerWidth: 390, innerHeight: 844,
    getComputedStyle: () => ({ colorScheme: "normal" }), matchMedia: () => ({ ...heard, matches: false }),
    MutationObserver: class { observe() {} disconnect() {} }, Worker: class { terminate() {} } });
  return new Client({ url: "wss://watch.example/ws", user: "ann", device: "ann" });
}

/** A client in a session whose film has run for a minute; its own player has not opened it. */
function newcomer(context, { clock = new ClockEstimate(new ClockSample(0, 0, 0, 0)), timeline } = {}) {
  const client = made(context);
  /** @type {any[]} */ const asked = [];
  const own = (name, value) => Object.defineProperty(client, name, { value });
  own("session", { item: "film.webm", timeline });
  own("clock", clock);
  own("request", async (type, fields) => { asked.push({ type, ...fields }); });
  return { client, asked };
}

const playing = { phase: "playing", mediaTime: 0, rate: 1, anchor: 0, seq: 1 };

test("before the own film is open, the position is where the group's is", (context) => {
  assert.equal(newcomer(context, { timeline: playing }).client.position, minute);
  assert.equal(newcomer(context, { timeline: { ...playing, phase: "paused", mediaTime: 7 } }).client.position, 7);
});

test("without a timeline or the group's time, no position is known", (context) => {
  assert.equal(newcomer(context).client.position, null);
  assert.equal(newcomer(context, { timeline: playing, clock: null }).client.position, null);
});

test("who sees no frame of the film pauses it where the group is", async (context) => {
  const { client, asked } = newcomer(context, { timeline: playing });
  await client.pause();
  assert.deepEqual(JSON.parse(JSON.stringify(asked)), [{ type: "pause", item: "film.webm" }]);
});

test("a dismissal that is refused is told", async (context) => {
  const { client } = newcomer(context);
  client.dismiss = async () => { throw new MatineeError("sessionEnded", "the session has ended"); };
  const refused = new Promise((tell) => { client.addEventListener("refused", ({ detail }) => tell(detail.code)); });
  client.dispatchEvent(new CustomEvent("dismissal", { detail: "s-1" }));
  assert.equal(await refused, "sessionEnded");
});

const settle = async () => { for (let turn = 0; turn < 10; turn += 1) await Promise.resolve(); };

test("who was away when the group was closed is told to be out of it, with no connection yet", async (context) => {
  /** @type {any} */ let socket = null;
  let [now, wake] = [60_000, () => {}];
  const client = made(context, { now: () => now, setTimeout: (act) => { wake = act; } });
  globalThis.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    lines = [];
    constructor() { socket = this; }
    send(text) { this.lines.push(JSON.parse(text)); }
    close() { this.readyState = 3; }
  };
  const say = async (line) => {
    socket.onmessage({ data: JSON.stringify(line) });
    await settle();
  };
  client.start();
  const joined = client.joinGroup("room");
  socket.onopen();
  await settle();
  await say({ type: "welcome", token: "t-1", device: "ann", limits: { resumeGrace: 30_000_000 } });
  await say({ type: "ok", id: socket.lines.find(({ type }) => type === "joinGroup").id });
  await joined;
  await say({ type: "group", group: "room", seq: 1, members: [] });
  /** @type {any[]} */ const told = [];
  client.addEventListener("group", ({ detail }) => told.push(detail));
  client.addEventListener("refused", ({ detail }) => told.push(detail.code));
  const lost = socket;
  lost.onclose({});
  now += 10_000;
  wake();
  await settle();
  assert.notEqual(socket, lost);
  socket.onopen();
  await settle();
  await say({ type: "error", code: "resumeRefused", reason: "groupClosed", message: "no such device" });
  assert.deepEqual(told, [null, "outOfGroup"]);
  client.close();
});

test("the types of the example at the head of matinee.js are checked", () => {
  const [library, app] = ["../../Sources/WebClient/Site/matinee.js", "typed-app.ts"]
    .map((path) => readFileSync(new URL(path, import.meta.url), "utf8"));
  const example = library.split(/^ \* ```(?:js)?\n/m)[1].replaceAll(/^ \* ?/gm, "");
  assert.match(example, /addEventListener\("session"/);
  assert.ok(app.replaceAll("../../Sources/WebClient/Site/", "./").includes(example));
});
