// What the page tells of its player's stalls and takes from others' wishes, as the Swift client does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ClockEstimate, ClockSample } from "../../Sources/WebClient/Site/clock.js";
import { SessionMirror } from "../../Sources/WebClient/Site/mirror.js";
import { PlayerSide } from "../../Sources/WebClient/Site/player-side.js";

const [beginning, ...cases] = readFileSync(new URL("Cases/suspensions.txt", import.meta.url), "utf8")
  .split(/^# /m).slice(1).map((one) => one.trimEnd().split("\n"));

const person = (name) => ({ participant: name, user: name, device: name, name, role: "guest", joinedAt: 0, item: "film" });

/** A session of Ann and Ben, whose film is paused; this device is Ben's, or a spectator's. */
const snapshot = (session, people) => ({
  session, participant: "ben", seq: 5, activity: { type: "watch", media: { url: "film" } }, revision: 1,
  control: "everyone", audience: true, initiator: { user: "ann", device: "ann", name: "ann" },
  participants: people.map(person), timelines: [{ item: "film", phase: "paused", mediaTime: 0, rate: 1, seq: 5, duration: 600_000_000 }],
  queue: { entries: [], repeat: "off", autoAdvance: true, nextNumber: 1 } });

/** A player's side without a player, a server and time. */
class Seat {
  now = 0;
  lines = [];
  #due = null;
  #target = 0;
  #session = null;
  #suspensions = [];
  #element = { duration: 600, seeking: false, paused: true };

  constructor() {
    this.player = {
      element: this.#element, unload() {}, load: () => this.#write("player load"),
      carryOut: ({ kind, place }) => this.#carryOut(kind, place) };
    this.side = new PlayerSide({
      isOnline: true, clock: new ClockEstimate(new ClockSample(0, 0, 0, 0)), say() {},
      request: (type, fields) => this.#ask(type, fields) }, this.player, { resolve: (media) => media.url, tell() {} });
  }

  setTimeout = (act, pause) => { this.#due = { act, at: this.now + Math.ceil(pause * 1_000) }; };
  clearTimeout = () => { this.#due = null; };

  /** @param {string} line an input @returns {string[]} what comes of it */
  async feed(line) {
    const [time, kind, ...words] = line.split(" ");
    if (time !== "due") this.now = Number(time);
    this.#take(kind, words);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return this.lines.splice(0);
  }

  #take(kind, words) {
    switch (kind) {
      case "session": return this.#enter(snapshot(words[0], ["ann", "ben"]));
      case "audience": return this.#enter(snapshot(words[0], ["ann"]));
      case "event":
        this.#session.evolve({ ...JSON.parse(words.join(" ")), seq: this.#session.seq + 1, at: this.now });
        return this.side.refollow(this.#session);
      case "over": return this.side.detach();
      case "granted": return this.#suspensions.shift().succeed({ suspension: words[0] && Number(words[0]) });
      case "refused": return this.#suspensions.shift().fail(new Error("refused"));
      case "deadline": {
        const { act, at } = this.#due;
        this.now = at;
        return act();
      }
      case "player": return this.player.onEvent(this.#event(words));
    }
  }

  #enter(told) {
    this.#session = new SessionMirror(told);
    this.side.refollow(this.#session);
  }

  #event([kind, place]) {
    switch (kind) {
      case "loaded": return { kind, duration: 600_000_000, rates: [0.25, 4], noise: 1_500 };
      case "paused": case "unpaused": this.#element.paused = kind === "paused"; return { kind };
      case "position": return { kind, place: Number(place), at: this.now };
      case "seekFinished": this.#element.seeking = false; return { kind, place: this.#target };
      default: return { kind };
    }
  }

  #carryOut(kind, place) {
    if (kind === "seek") [this.#element.seeking, this.#target] = [true, place];
    this.#write("player", kind);
  }

  #ask(type, { item, answers, reason, suspension }) {
    this.#write(type, type === "transition" ? item : answers ?? reason ?? suspension);
    return new Promise((succeed, fail) => { if (type === "suspend") this.#suspensions.push({ succeed, fail }); });
  }

  #write(...words) { this.lines.push(`> ${words.filter((one) => one !== undefined).join(" ")}`); }
}

assert.ok(cases.length >= 14);
for (const [name, ...lines] of cases) {
  test(name, async (context) => {
    const seat = new Seat();
    globalThis.window = seat;
    context.mock.method(performance, "now", () => seat.now / 1_000);
    const told = [];
    const script = [...beginning.slice(1), ...lines];
    for (const line of script.filter((one) => !one.startsWith("> "))) told.push(line, ...await seat.feed(line));
    assert.deepEqual(told, script);
  });
}
