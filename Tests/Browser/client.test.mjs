// What an app asks of the client itself: where the film is, a pause, and what becomes of a session's end.

import assert from "node:assert/strict";
import test from "node:test";
import { Client } from "../../Sources/WebClient/Site/client.js";
import { ClockEstimate, ClockSample } from "../../Sources/WebClient/Site/clock.js";
import { MatineeError } from "../../Sources/WebClient/Site/requests.js";

const minute = 60_000_000;

/** A client in a session whose film has run for a minute; its own player has not opened it. */
function newcomer(context, { clock = new ClockEstimate(new ClockSample(0, 0, 0, 0)), timeline } = {}) {
  context.mock.method(performance, "now", () => 60_000);
  const heard = { addEventListener() {}, removeEventListener() {} };
  Object.assign(globalThis, {
    document: { ...heard, documentElement: {}, activeElement: null, hidden: true }, HTMLElement: class {},
    window: { ...heard, setTimeout() {}, clearTimeout() {} }, addEventListener() {}, innerWidth: 390, innerHeight: 844,
    getComputedStyle: () => ({ colorScheme: "normal" }), matchMedia: () => ({ ...heard, matches: false }),
    MutationObserver: class { observe() {} }, Worker: class { terminate() {} } });
  const client = new Client({ url: "wss://watch.example/ws", user: "ann", device: "ann" });
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
