// What a media element's events say to the follower: ends of seeks, and stalls.

import assert from "node:assert/strict";
import test from "node:test";
import { ElementPlayer } from "../../Sources/WebClient/Site/element-player.js";

/** A media element that does what the test says. */
class Element extends EventTarget {
  src = "";
  duration = 600;
  playbackRate = 1;
  readyState = 4;
  paused = true;
  seeking = false;
  ended = false;
  buffered = { length: 0 };
  #position = 0;

  get currentTime() { return this.#position; }
  set currentTime(position) { [this.#position, this.seeking] = [position, true]; }

  /** The film runs on to a position. */
  run(position) { this.#position = position; }

  load() {}
  pause() { this.paused = true; }
  removeAttribute() {}
  say(...names) { for (const name of names) this.dispatchEvent(new Event(name)); }
}

/** A player whose film is open, and what it tells the follower. */
function open(context) {
  let now = 1_000;
  let read = () => {};
  context.mock.method(performance, "now", () => now);
  Object.assign(globalThis, {
    document: Object.assign(new EventTarget(), { hidden: false }),
    window: { setInterval: (act) => { read = act; return 1; }, clearInterval() {} } });
  const element = new Element();
  const player = new ElementPlayer(element);
  /** @type {any[]} */ const told = [];
  player.onEvent = (event) => { told.push(event); };
  const load = () => {
    player.load("film.webm");
    element.say("loadedmetadata");
  };
  load();
  told.length = 0;
  return {
    element, load,
    unload: () => player.unload(),
    seek(position) {
      player.carryOut({ kind: "seek", position: position * 1_000_000 });
      element.say("seeking");
    },
    /** The element is at the position that it sought, with its data or without. */
    land(readyState) {
      [element.readyState, element.seeking] = [readyState, false];
      element.say("seeked");
    },
    /** The data is here. */
    fetch() {
      element.readyState = 4;
      element.say("canplay");
    },
    wait(milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += 100) {
        now += 100;
        read();
      }
    },
    take: (...kinds) => told.splice(0).filter(({ kind }) => kinds.includes(kind)) };
}

const finished = (position) => ({ kind: "seekFinished", position: position * 1_000_000 });

test("a seek that lands with its data is over at once, and another one once its data is here", (context) => {
  const film = open(context);
  film.seek(10);
  film.land(4);
  assert.deepEqual(film.take("seekFinished"), [finished(10)]);
  film.seek(20);
  film.land(2);
  assert.deepEqual(film.take("seekFinished"), []);
  film.fetch();
  film.fetch();
  assert.deepEqual(film.take("seekFinished"), [finished(20)]);
});

test("of several seeks that wait for their data, the last one is over when it comes", (context) => {
  const film = open(context);
  for (const position of [10, 20, 30]) {
    film.seek(position);
    film.land(2);
  }
  film.fetch();
  assert.deepEqual(film.take("seekFinished", "seeked"), [finished(30)]);
});

test("data that comes during the next seek ends none", (context) => {
  const film = open(context);
  film.seek(10);
  film.land(2);
  film.element.currentTime = 20;
  film.element.say("canplay", "seeking", "canplay");
  assert.deepEqual(film.take("seekFinished"), []);
  film.land(4);
  assert.deepEqual(film.take("seekFinished"), [finished(20)]);
});

test("a seek in a film that is gone ends none in the next one", (context) => {
  const film = open(context);
  film.seek(10);
  film.land(2);
  film.load();
  film.fetch();
  assert.deepEqual(film.take("seekFinished"), []);
  film.seek(20);
  film.land(2);
  film.fetch();
  assert.deepEqual(film.take("seekFinished"), [finished(20)]);
});

test("a stall says where the film stands, also if it was doubted first", (context) => {
  for (const isDoubted of [false, true]) {
    const film = open(context);
    film.element.paused = false;
    if (isDoubted) film.element.say("ratechange");
    film.element.run(12.5);
    film.element.readyState = 2;
    film.element.say("waiting");
    const atOnce = film.take("stalled");
    film.wait(500);
    const stalled = { kind: "stalled", position: 12_500_000 };
    assert.deepEqual([atOnce, film.take("stalled")], isDoubted ? [[], [stalled]] : [[stalled], []]);
  }
});

test("the pause of a film that ends is told after its end, as the answer to the follower's own", (context) => {
  const film = open(context);
  [film.element.ended, film.element.paused] = [true, true];
  film.element.say("pause", "ended");
  assert.deepEqual(film.take("ended", "paused"), [{ kind: "ended" }, { kind: "paused" }]);
});

test("a film that waits for its last bytes when it ends plays from its start without recovering first", (context) => {
  const film = open(context);
  [film.element.readyState, film.element.paused] = [2, false];
  film.element.run(599.9);
  film.element.say("waiting", "ended");
  assert.equal(film.take("stalled").length, 1);
  film.element.readyState = 4;
  film.element.run(0);
  film.wait(100);
  assert.deepEqual(film.take("recovered", "position").map(({ kind }) => kind), ["position"]);
});

test("a film that no longer comes over the network is told from one that cannot be played", (context) => {
  for (const [code, isBroken] of [[2, true], [3, false], [4, false]]) {
    const film = open(context);
    [film.element.src, film.element.error] = ["film.webm", { code }];
    film.element.say("error");
    assert.deepEqual(film.take("failed"), [{ kind: "failed", isBroken }]);
  }
});

test("what the element plays of its own is not the group's film", (context) => {
  const film = open(context);
  film.unload();
  film.element.error = { code: 4 };
  film.element.say("loadedmetadata", "play", "ended", "error");
  assert.deepEqual(film.take("loaded", "unpaused", "ended", "failed"), []);
  film.load();
  assert.equal(film.take("loaded").length, 1);
});

test("an element starts nothing by itself", (context) => {
  assert.equal(open(context).element.autoplay, false);
});
