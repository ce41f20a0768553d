// This page's player and its session: what is opened, what is told of stalls, and what is taken from others'
// wishes; the transcripts are the Swift client's, too.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ClockEstimate, ClockSample } from "../../Sources/WebClient/Site/clock.js";
import { SessionMirror } from "../../Sources/WebClient/Site/mirror.js";
import { MatineeError, PendingRequests, requestTimeout } from "../../Sources/WebClient/Site/requests.js";
import { PlayerSide } from "../../Sources/WebClient/Site/player-side.js";

const [beginning, ...cases] = readFileSync(new URL("Cases/suspensions.txt", import.meta.url), "utf8")
  .split(/^# /m).slice(1).map((one) => one.trimEnd().split("\n"));

const person = (name) => ({ participant: name, user: name, device: name, name, role: "guest", joinedAt: 0, item: "film" });

/** A session of Ann and Ben, whose film is paused; this device is Ben's, or a spectator's. */
const snapshot = (session, people, change = {}) => ({
  session, participant: "ben", seq: 5, activity: { type: "watch", media: { url: "film" } }, revision: 1,
  control: "everyone", audience: true, initiator: { user: "ann", device: "ann", name: "ann" },
  participants: people.map(person), timelines: [{ item: "film", phase: "paused", mediaTime: 0, rate: 1, seq: 5, duration: 600_000_000 }],
  queue: { entries: [], repeat: "off", autoAdvance: true, nextNumber: 1 }, ...change });

/** Lets every promise that is due be kept. */
const settle = async () => { for (let turn = 0; turn < 10; turn += 1) await Promise.resolve(); };

/** A player's side without a player, a server and time. */
class Seat {
  now = 0;
  lines = [];
  /** @type {string[]} the names of what the app is told */ told = [];
  resolve = (media) => media.url;
  request = (type, fields) => this.#ask(type, fields);
  #due = null;
  #target = 0;
  #session = null;
  #suspensions = [];
  /** Fails the last request of each type. */ #failures = new Map();
  #element = { duration: 600, seeking: false, paused: true };

  constructor() {
    this.player = {
      element: this.#element, unload() {}, close() {}, load: () => this.#write("player load"),
      carryOut: ({ kind, position }) => this.#carryOut(kind, position) };
    this.side = new PlayerSide({
      isOnline: true, clock: new ClockEstimate(new ClockSample(0, 0, 0, 0)), say() {},
      request: (type, fields) => this.request(type, fields) }, this.player, {
        resolve: (media) => this.resolve(media), tell: (name) => { this.told.push(name); } });
  }

  setTimeout = (act, pause) => { this.#due = { act, at: this.now + Math.ceil(pause * 1_000) }; };
  clearTimeout = () => { this.#due = null; };

  /** @param {string} line an input @returns {string[]} what comes of it */
  async feed(line) {
    const [time, kind, ...words] = line.split(" ");
    if (time !== "due") this.now = Number(time);
    this.#take(kind, words);
    await settle();
    return this.lines.splice(0);
  }

  /** @param {any} told of a session that this device enters, or comes back to @returns {Promise<string[]>} what comes of it */
  async enter(told) {
    this.#enter(told);
    await settle();
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
      case "late": return this.#failures.get(words[0])(Object.assign(new Error("late"), { code: "timedOut" }));
      case "unwanted": return this.#failures.get(words[0])(new Error("refused"));
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

  #event([kind, detail]) {
    switch (kind) {
      case "loaded": return { kind, duration: 600_000_000, rates: [0.25, 4], noise: 1_500 };
      case "paused": case "unpaused": this.#element.paused = kind === "paused"; return { kind };
      case "position": return { kind, position: Number(detail), at: this.now };
      case "failed": return { kind, isBroken: detail === "broken" };
      case "seekFinished": this.#element.seeking = false; return { kind, position: this.#target };
      default: return { kind };
    }
  }

  #carryOut(kind, position) {
    if (kind === "seek") [this.#element.seeking, this.#target] = [true, position];
    this.#write("player", kind);
  }

  #ask(type, { item, answers, reason, suspension }) {
    this.#write(type, type === "transition" ? item : answers ?? reason ?? suspension);
    return new Promise((succeed, fail) => {
      this.#failures.set(type, fail);
      if (type === "suspend") this.#suspensions.push({ succeed, fail });
    });
  }

  #write(...words) { this.lines.push(`> ${words.filter((one) => one !== undefined).join(" ")}`); }
}

/** A seat in the time of a test. */
function take(context) {
  const seat = new Seat();
  globalThis.window = seat;
  context.mock.method(performance, "now", () => seat.now / 1_000);
  return seat;
}

assert.ok(cases.length >= 14);
for (const [name, ...lines] of cases) {
  test(name, async (context) => {
    const seat = take(context);
    const told = [];
    const script = [...beginning.slice(1), ...lines];
    for (const line of script.filter((one) => !one.startsWith("> "))) told.push(line, ...await seat.feed(line));
    assert.deepEqual(told, script);
  });
}

/** A session of Ann and Ben in which these suspensions of Ben's stand. */
const suspended = (...suspensions) => snapshot("s-1", [], { participants: [person("ann"), { ...person("ben"), suspensions }] });

for (const reason of ["stallRecovery", "playingInterstitial", "audioSessionInterrupted", "userActionRequired",
  "coordinatedPlaybackNotPossible"]) {
  test(`a player ends what an earlier one had begun, and follows at once: ${reason}`, async (context) => {
    const seat = take(context);
    assert.deepEqual(await seat.enter(suspended({ suspension: 3, reason, since: 0 })), ["> endSuspension 3", "> player load"]);
    assert.deepEqual(await seat.feed("1000000 player loaded"), ["> transition film", "> player seek"]);
  });
}

test("a player ends nothing that an app began, or that the server imposed", async (context) => {
  const seat = take(context);
  const lines = await seat.enter(suspended({ suspension: 1, reason: "dinner", since: 0 },
    { suspension: 2, reason: "stallRecovery", since: 0, imposed: true }));
  assert.deepEqual(lines, ["> player load"]);
  // It answers what the server imposed, and does not follow.
  assert.deepEqual(await seat.feed("1000000 player loaded"), ["> transition film", "> ready 5"]);
});

test("an item is announced again if no answer came in time, not if it was refused", async (context) => {
  const seat = take(context);
  await seat.enter(suspended());
  assert.deepEqual(await seat.feed("1000000 player loaded"), ["> transition film", "> player seek"]);
  assert.deepEqual(await seat.feed("41000000 late transition"), ["> transition film"]);
  assert.deepEqual(await seat.feed("42000000 unwanted transition"), []);
  seat.side.close();
  assert.deepEqual(await seat.feed("82000000 late transition"), []);
});

test("a suspension is ended again if no answer came in time, while it stands", async (context) => {
  const seat = take(context);
  await seat.enter(suspended({ suspension: 3, reason: "stallRecovery", since: 0 }));
  assert.deepEqual(await seat.feed("40000000 late endSuspension"), ["> endSuspension 3"]);
  await seat.feed('41000000 event {"event":"suspensionEnded","participant":"ben","suspension":3}');
  assert.deepEqual(await seat.feed("80000000 late endSuspension"), []);
});

test("a ready report is made again if no answer came in time", async (context) => {
  const seat = take(context);
  await seat.enter(suspended({ suspension: 2, reason: "stallRecovery", since: 0, imposed: true }));
  assert.deepEqual(await seat.feed("1000000 player loaded"), ["> transition film", "> player seek"]);
  assert.deepEqual(await seat.feed("1100000 player seekFinished 0"), ["> ready 5"]);
  assert.deepEqual(await seat.feed("41000000 late ready"), ["> ready 5"]);
});

test("what a server cannot store for longer than a request lasts is said until it can", async (context) => {
  const seat = take(context);
  const pending = new PendingRequests();
  seat.request = (type, fields) => pending.add(type, fields, seat.now + requestTimeout);
  await seat.enter(suspended({ suspension: 1, reason: "stallRecovery", since: 0 },
    { suspension: 2, reason: "stallRecovery", since: 0, imposed: true }));
  for (const line of ["1000000 player loaded", "1100000 player seekFinished 0"]) await seat.feed(line);
  const said = () => pending.takeSendable(() => true);
  for (let count = 0; count < 100; count += 1) {
    for (const { id } of said()) {
      pending.refuse({ id, code: "journalUnavailable", message: "not now", retryAfter: 1_000_000 }, seat.now);
    }
    seat.now += 1_000_000;
    pending.tick(seat.now);
    await settle();
  }
  assert.deepEqual(said().map(({ type }) => type).sort(), ["endSuspension", "ready", "transition"]);
});

test("what began while a player is in its session is not ended by the next state of it", async (context) => {
  const seat = take(context);
  await seat.enter(suspended());
  assert.deepEqual(await seat.enter(suspended({ suspension: 1, reason: "userActionRequired", since: 0 })), []);
});

test("what a player that is gone had asked for is ended once it has a number", async (context) => {
  const seat = take(context);
  for (const line of [...beginning.slice(1), "20000000 player stalled"]) if (!line.startsWith("> ")) await seat.feed(line);
  seat.side.close();
  assert.deepEqual(await seat.feed("20100000 granted 1"), ["> endSuspension 1"]);
});

test("the next session opens what could not be played", async (context) => {
  const seat = take(context);
  await seat.feed("0 session s-1");
  await seat.feed("1000000 player failed");
  await seat.feed("2000000 over");
  assert.deepEqual(await seat.feed("3000000 session s-2"), ["> player load"]);
});

test("a film whose loading broke off is opened again until it is there, whatever the browser says meanwhile", async (context) => {
  const seat = take(context);
  context.mock.method(Math, "random", () => 0);
  for (const line of ["0 session s-1", "1000000 player loaded", "1100000 player seekFinished 0"]) await seat.feed(line);
  assert.deepEqual(await seat.feed("9000000 player failed broken"), ["> suspend coordinatedPlaybackNotPossible"]);
  for (const [due, why] of [[9_400_000, "failed"], [10_200_000, "failed broken"]]) {
    assert.deepEqual(await seat.feed("due deadline"), ["> player load"]);
    assert.equal(seat.now, due);
    assert.deepEqual(await seat.feed(`${due} player ${why}`), []);
  }
  await seat.feed("11000000 granted 1");
  assert.deepEqual(await seat.feed("due deadline"), ["> player load"]);
  assert.deepEqual(await seat.feed("12000000 player loaded"), ["> endSuspension 1", "> transition film", "> player seek"]);
  await seat.feed("20000000 player failed");
  assert.deepEqual(seat.told.filter((name) => name === "mediaFailed").length, 4);
  seat.side.comeBack();
  assert.deepEqual(await seat.feed("30000000 player position 0"), [], "what the browser cannot play is not opened again");
});

test("a film whose loading broke off is opened again at the next welcome", async (context) => {
  const seat = take(context);
  await seat.feed("0 session s-1");
  for (const line of ["1000000 player loaded", "9000000 player failed broken"]) await seat.feed(line);
  seat.side.comeBack();
  assert.deepEqual(await seat.feed("9100000 player position 0"), ["> player load"]);
});

test("media whose address was lost with the connection is opened again, and told once", async (context) => {
  const seat = take(context);
  seat.resolve = async () => { throw new MatineeError("forgotten", "the server no longer knows this device"); };
  await seat.feed("0 session s-1");
  await seat.feed("due deadline");
  assert.deepEqual(seat.told, ["refused", "mediaFailed", "mediaFailed"]);
  seat.resolve = (media) => media.url;
  assert.deepEqual(await seat.feed("due deadline"), ["> player load"]);
});

test("the next session wants a copy that was not chosen yet", async (context) => {
  const seat = take(context);
  seat.resolve = () => null;
  await seat.feed("0 session s-1");
  await seat.feed("1000000 over");
  await seat.feed("2000000 session s-1");
  assert.deepEqual(seat.told, ["mediaWanted", "mediaWanted"]);
});

test("who is loaded again without the copy that was open has no film open, and nobody waits", async (context) => {
  const seat = take(context);
  seat.resolve = () => null;
  assert.deepEqual(await seat.enter(suspended()), ["> transition"]);
  const told = snapshot("s-1", [], { participants: [person("ann"), { ...person("ben"), item: undefined }] });
  assert.deepEqual(await seat.enter(told), []);
  seat.resolve = (media) => media.url;
  seat.side.reopen();
  await settle();
  assert.deepEqual(await seat.feed("1000000 player loaded"), ["> player load", "> transition film"]);
  assert.deepEqual(seat.told, ["mediaWanted"]);
});

test("another file of the same name is opened anew, and the same one not, whoever tells its size", async (context) => {
  const seat = take(context);
  const told = (session, size) => snapshot(session, ["ann", "ben"], { activity: { type: "watch", media: { url: "film", size } } });
  await seat.enter(told("s-1", 5));
  await seat.feed("1000000 player loaded");
  for (const [session, size, lines] of [["s-2", 5, []], ["s-3", undefined, []], ["s-4", 6, ["> player load"]]]) {
    await seat.feed("2000000 over");
    const entered = await seat.enter(told(session, size));
    assert.deepEqual(entered.filter((line) => line === "> player load"), lines, session);
  }
});

test("the next session opens the server's media anew, since their address was the last one's", async (context) => {
  const seat = take(context);
  const told = (session) => snapshot(session, ["ann", "ben"], { activity: { type: "watch", media: { url: "/media/film.webm" } } });
  await seat.enter(told("s-1"));
  await seat.feed("1000000 player loaded");
  await seat.feed("2000000 over");
  assert.deepEqual(await seat.enter(told("s-2")), ["> player load"]);
});

test("media without an address has failed, unless another one is wanted by now", async (context) => {
  const seat = take(context);
  seat.resolve = async () => { throw new Error("there is no such media"); };
  await seat.feed("0 session s-1");
  assert.deepEqual(seat.told, ["refused", "mediaFailed"]);
  const late = take(context);
  late.resolve = async () => { throw new Error("there is no such media"); };
  late.enter(snapshot("s-1", ["ann", "ben"]));
  late.side.detach();
  await settle();
  assert.deepEqual(late.told, []);
});
