// What a hello shows, the joining that goes along with a new device's, and what becomes of it when the hello is not
// taken at once.

import assert from "node:assert/strict";
import test from "node:test";
import { Connection } from "../../Sources/WebClient/Site/connection.js";
import { Notices } from "../../Sources/WebClient/Site/notices.js";
import { PresenterSettings } from "../../Sources/WebClient/Site/surroundings.js";

/** A server's end of a page's connections, and the browser that the page is in. */
class World {
  /** @type {any[]} */ sockets = [];
  now = 1_000;
  document = new EventTarget();
  window = new EventTarget();
  /** @type {{due: number, act: () => void} | null} the only timer of a connection */ #timer = null;

  constructor(context) {
    const world = this;
    context.mock.method(performance, "now", () => this.now);
    context.mock.method(Math, "random", () => 0);
    Object.assign(globalThis, {
      document: Object.assign(this.document, { hidden: false }),
      window: Object.assign(this.window, {
        setTimeout: (act, pause) => { this.#timer = { due: this.now + pause, act }; },
        clearTimeout: () => { this.#timer = null; } }),
      Worker: class { terminate() {} },
      WebSocket: class {
        static OPEN = 1;
        readyState = 1;
        lines = [];
        constructor() { world.sockets.push(this); }
        send(text) { this.lines.push(JSON.parse(text)); }
        close() { this.readyState = 3; }
      } });
  }

  get #socket() { return this.sockets.at(-1); }

  /** What the page has said since the last time on the connection that it has. */
  get heard() { return this.#socket.lines.splice(0).filter(({ type }) => type !== "ping"); }

  async open() {
    this.#socket.onopen();
    await settle();
    return this.heard;
  }

  async say(...lines) {
    for (const line of lines) this.#socket.onmessage({ data: JSON.stringify(line) });
    await settle();
  }

  /** Lets this much time pass, in milliseconds, and the page do what is due in it. */
  async pass(duration) {
    const end = this.now + duration;
    while (this.#timer !== null && this.#timer.due <= end) await this.wake();
    this.now = end;
  }

  /** What the page has pinged since the last time. */
  get pings() { return this.#socket.lines.splice(0).filter(({ type }) => type === "ping"); }

  /** Lets time pass until the page does what it waits for. */
  async wake() {
    const timer = this.#timer;
    if (timer === null) return;
    this.now = Math.max(this.now, timer.due);
    timer.act();
    await settle();
  }
}

const settle = async () => { for (let turn = 0; turn < 10; turn += 1) await Promise.resolve(); };

const refusal = (code, id) => ({ type: "error", id, code, message: "not now" });
const welcome = { type: "welcome", token: "t-2", device: "ann", limits: { resumeGrace: 30_000_000 } };

/** A page that has joined a group before it was greeted, and what becomes of each joining. */
function page(context, { groups = ["room"], ...options } = {}) {
  const world = new World(context);
  const connection = new Connection({ url: "wss://watch.example/ws", user: "ann", device: "ann", name: "Ann", ...options });
  connection.start();
  const outcomes = groups.map(() => "pending");
  groups.forEach((group, index) => connection.request("joinGroup", { group }).then(
    () => { outcomes[index] = "joined"; }, (error) => { outcomes[index] = error.code; }));
  return { world, connection, outcomes };
}

const kinds = (lines) => lines.map(({ type }) => type);

test("a new device's joining goes along with its hello, and nothing else does", async (context) => {
  const { world, connection, outcomes } = page(context);
  connection.request("activate", {}).catch(() => {});
  const [hello, join, ...rest] = await world.open();
  assert.deepEqual([hello.type, hello.resume, join.type, rest], ["hello", undefined, "joinGroup", []]);
  await world.say(welcome);
  assert.deepEqual(kinds(world.heard), ["activate"]);
  await world.say({ type: "ok", id: join.id });
  assert.deepEqual(outcomes, ["joined"]);
});

test("a joining that comes before the server has checked the hello is sent again after the welcome", async (context) => {
  const { world, connection, outcomes } = page(context);
  const [, join] = await world.open();
  await world.say(refusal("helloRequired", join.id));
  connection.sendPending();
  assert.deepEqual([outcomes, world.heard], [["pending"], []]);
  await world.say(welcome);
  assert.deepEqual(world.heard, [join], "the same request, so that the server does it once");
  await world.say({ type: "ok", id: join.id });
  assert.deepEqual(outcomes, ["joined"]);
});

test("so is every one of several joinings", async (context) => {
  const { world, outcomes } = page(context, { groups: ["room", "den"] });
  const [, ...joins] = await world.open();
  await world.say(...joins.map(({ id }) => refusal("helloRequired", id)));
  assert.deepEqual(outcomes, ["pending", "pending"]);
  await world.say(welcome);
  assert.deepEqual(world.heard, joins);
});

test("whoever leaves before the welcome leaves before the next joining", async (context) => {
  const { world, connection } = page(context);
  for (const [type, fields] of [["leaveGroup", {}], ["joinGroup", { group: "other" }]]) {
    connection.request(type, fields).catch(() => {});
  }
  const types = (lines) => lines.map(({ type, group }) => group ?? type);
  assert.deepEqual(types(await world.open()), ["hello", "room"]);
  await world.say(welcome);
  assert.deepEqual(types(world.heard), ["leaveGroup", "other"]);
});

test("once greeted, a joining that is refused has failed", async (context) => {
  const { world, outcomes } = page(context);
  const [, join] = await world.open();
  await world.say(welcome, refusal("wrongKey", join.id));
  assert.deepEqual(outcomes, ["wrongKey"]);
});

test("a hello that is refused for good fails the joining with the reason of the hello", async (context) => {
  for (const [code, type] of [["credentialRefused", "error"], ["credentialRefused", "closing"], ["invalidField", "error"]]) {
    const { world, connection, outcomes } = page(context);
    const [, join] = await world.open();
    await world.say(refusal("helloRequired", join.id), { ...refusal(code), type });
    assert.deepEqual(outcomes, [code], type);
    await assert.rejects(connection.request("joinGroup", { group: "room" }), { code: "closed" });
    await world.wake();
    assert.equal(world.sockets.length, 1, "it does not come back");
  }
});

test("a credential that has expired is asked for anew, and the joining goes along with the next hello", async (context) => {
  const credentials = ["old", "new"];
  const { world, connection, outcomes } = page(context, { credential: () => credentials.shift() });
  let expired = 0;
  connection.addEventListener("expired", () => { expired += 1; });
  const [hello, join] = await world.open();
  await world.say(refusal("helloRequired", join.id), { ...refusal("credentialExpired"), type: "closing" });
  assert.deepEqual([outcomes, expired, hello.credential], [["pending"], 1, "old"]);
  await world.wake();
  assert.equal(world.sockets.length, 2);
  const [again, joinAgain] = await world.open();
  assert.deepEqual([again.credential, joinAgain], ["new", join]);
  await world.say(welcome, { type: "ok", id: join.id });
  assert.deepEqual(outcomes, ["joined"]);
});

test("who resumes joins after the welcome, or along with a new hello if the server knows nothing of it", async (context) => {
  const { world, connection, outcomes } = page(context, { token: "t-1", resumption: () => ({ session: "s-1", seq: 7 }) });
  let forgotten = 0;
  connection.addEventListener("forgotten", () => { forgotten += 1; });
  const [hello, ...early] = await world.open();
  assert.deepEqual([hello.resume, early], [{ token: "t-1", session: "s-1", seq: 7 }, []]);
  await world.say(refusal("resumeRefused"));
  const [again, join] = world.heard;
  assert.deepEqual([again.type, again.resume, join.type, forgotten], ["hello", undefined, "joinGroup", 1]);
  await world.say(refusal("helloRequired", join.id), welcome);
  assert.deepEqual(world.heard, [join]);
  await world.say({ type: "ok", id: join.id });
  assert.deepEqual(outcomes, ["joined"]);
});

test("who was away when the group closed is told so, not that the server was started anew", async (context) => {
  const { world, connection } = page(context, { token: "t-1", resumption: () => ({ session: "s-1", seq: 7 }) });
  /** @type {string[]} */ const reasons = [];
  connection.addEventListener("forgotten", ({ detail }) => { reasons.push(detail.reason); });
  await world.open();
  await world.say({ ...refusal("resumeRefused"), reason: "groupClosed" });
  assert.deepEqual(reasons, ["groupClosed"]);
});

test("a connection that breaks before the welcome takes the joining along to the next", async (context) => {
  const { world, outcomes } = page(context);
  const [, join] = await world.open();
  world.sockets[0].onclose({ reason: "" });
  await world.wake();
  assert.deepEqual((await world.open()).slice(1), [join]);
  assert.deepEqual(outcomes, ["pending"]);
});

/** @param {number} depth @returns {unknown} arrays in one another */
const nested = (depth) => (depth === 0 ? 0 : [nested(depth - 1)]);

test("what the server could not read fails at once, and is not sent", async (context) => {
  const { world, connection } = page(context, { groups: [] });
  await world.open();
  await world.say(welcome);
  for (const payload of [NaN, [{ a: Infinity }], 1n, 1e20, 2 ** 64, -(2 ** 63), "\ud83d", { "\udfac": 1 }, [{ a: -1e20 }], nested(63)]) {
    await assert.rejects(connection.request("send", { payload }), { code: "invalidField", details: { field: "payload" } });
  }
  assert.deepEqual(world.heard, []);
  const readable = [2 ** 64 - 2048, 1024 - 2 ** 63, 1e21, -1e21, 0.5, "🎬", null, undefined, true, nested(62)];
  for (const payload of readable) connection.request("send", { payload }).catch(() => {});
  assert.equal(world.heard.length, readable.length);
});

test("a notice that the server could not read does not hold up the next ones", async (context) => {
  const { world, connection } = page(context, { groups: [] });
  const notices = new Notices(connection, new PresenterSettings());
  await world.open();
  await world.say(welcome);
  notices.enter([]);
  notices.tell("logEvent", { name: "bad", properties: { n: 1e20 } });
  notices.tell("logEvent", { name: "good" });
  await settle();
  assert.deepEqual(world.heard.map(({ type, name }) => name ?? type), ["appState", "good"]);
});

/** What an app is asked, and the answers that it owes. */
function slowApp() {
  const app = { asked: 0, give: (_credential) => {}, fail: (_error) => {} };
  const credential = () => new Promise((give, fail) => Object.assign(app, { asked: app.asked + 1, give, fail }));
  return { app, credential };
}

test("an app that takes longer than a connection lasts is asked once, and the next hello shows its answer", async (context) => {
  const { app, credential } = slowApp();
  const { world } = page(context, { groups: [], credential });
  assert.deepEqual(await world.open(), []);
  for (let count = 0; count < 3; count += 1) await world.wake();
  assert.deepEqual([app.asked, world.sockets.length], [1, 1], "without a connection it waits for the app");
  app.give("late");
  await settle();
  const [hello] = await world.open();
  assert.deepEqual([app.asked, world.sockets.length, hello.credential], [1, 2, "late"]);
});

/** A page whose server has closed its connection for half a minute, while the app is asked for a credential. */
async function pausing(context) {
  const { app, credential } = slowApp();
  const { world } = page(context, { groups: [], credential });
  await world.open();
  const end = world.now + 30_000;
  await world.say({ ...refusal("shuttingDown"), type: "closing", retryAfter: 30_000_000 });
  return { app, world, end };
}

test("an answer of the app during the pause that a server asked for is shown once the pause is over", async (context) => {
  const { app, world, end } = await pausing(context);
  app.give("late");
  await settle();
  assert.equal(world.sockets.length, 1);
  await world.wake();
  const [hello] = await world.open();
  assert.deepEqual([world.now, world.sockets.length, app.asked, hello.credential], [end, 2, 1, "late"]);
});

test("an answer of the app after the pause that a server asked for is shown at once", async (context) => {
  const { app, world, end } = await pausing(context);
  await world.wake();
  assert.deepEqual([world.now, world.sockets.length], [end, 1]);
  app.give("late");
  await settle();
  const [hello] = await world.open();
  assert.deepEqual([world.sockets.length, app.asked, hello.credential], [2, 1, "late"]);
});

test("an app that has no credential does not shorten the pause that a server asked for", async (context) => {
  const { app, world, end } = await pausing(context);
  app.fail(new Error("nobody signed in"));
  await settle();
  await world.wake();
  await world.open();
  assert.deepEqual([world.now, world.sockets.length, app.asked], [end, 2, 2]);
});

test("a connection that has shown a late answer asks the app again when it breaks", async (context) => {
  const { app, world } = await pausing(context);
  app.give("late");
  await settle();
  await world.wake();
  await world.open();
  world.sockets[1].onclose({ reason: "" });
  await world.wake();
  await world.open();
  assert.deepEqual([world.sockets.length, app.asked], [3, 2]);
});

test("an app that has no credential after all is asked again at the next connection", async (context) => {
  const { app, credential } = slowApp();
  const { world, connection } = page(context, { groups: [], credential });
  await world.open();
  await world.wake();
  const told = [];
  connection.addEventListener("state", ({ detail }) => { told.push(detail.why); });
  app.fail(new Error("nobody signed in"));
  await settle();
  assert.deepEqual(told, ["the app gave no credential: nobody signed in"]);
  await world.wake();
  await world.open();
  assert.deepEqual([app.asked, world.sockets.length], [2, 2]);
});

test("the connection of a client that is closed while the app is asked is not made again", async (context) => {
  const { app, credential } = slowApp();
  const { world, connection } = page(context, { groups: [], credential });
  await world.open();
  await world.wake();
  connection.close();
  app.give("late");
  await world.wake();
  await settle();
  assert.equal(world.sockets.length, 1);
});

test("the hello after a resumption that is refused shows the same credential", async (context) => {
  let asked = 0;
  const { world } = page(context, { token: "t-1", credential: () => `${asked += 1}` });
  const [hello] = await world.open();
  await world.say(refusal("resumeRefused"));
  const [again] = world.heard;
  assert.deepEqual([hello.credential, again.type, again.credential, asked], ["1", "hello", "1", 1]);
});

for (const [url, shown] of [
  ["wss://watch.example/ws", true], ["ws://localhost:8080/ws", true], ["ws://127.0.0.1:8080/ws", true],
  ["ws://[::1]:8080/ws", true], ["ws://watch.example/ws", false], ["ws://192.168.1.5:8080/ws", false],
  ["ws://127.0.0.1.example/ws", false],
]) {
  test(`a code is ${shown ? "shown" : "kept from others"} on the way to ${url}`, async (context) => {
    const { world, outcomes } = page(context, { url, code: "k3f9x2mq" });
    const [hello] = await world.open();
    assert.deepEqual([hello?.code, outcomes], shown ? ["k3f9x2mq", ["pending"]] : [undefined, ["tlsRequired"]]);
    if (!shown) await world.wake();
    assert.equal(world.sockets.length, 1);
  });
}

test("a code that has let the device in is shown no more, and its connection may come back", async (context) => {
  const { world } = page(context, { code: "k3f9x2mq" });
  await world.open();
  await world.say(welcome);
  world.sockets[0].onclose({ reason: "" });
  await world.wake();
  const [hello] = await world.open();
  assert.deepEqual([hello.type, hello.code], ["hello", undefined]);
});

/** A page that is online. */
async function online(context, options = {}) {
  const { world, connection } = page(context, { groups: [], ...options });
  await world.open();
  await world.say(welcome);
  return { world, connection };
}

const pong = ({ sent }) => ({ type: "pong", sent, heard: sent, answered: sent });

test("a page that waits for its next attempt makes it at once when it is shown or the browser is online", async (context) => {
  for (const wake of [
    ({ world }) => world.document.dispatchEvent(new Event("visibilitychange")),
    ({ world }) => world.window.dispatchEvent(new Event("online")), ({ connection }) => connection.reconnect(),
  ]) {
    const { world, connection } = await online(context);
    for (let attempt = 0; attempt < 8; attempt += 1) {
      world.sockets.at(-1).onclose({ reason: "" });
      await world.wake();
    }
    world.sockets.at(-1).onclose({ reason: "" });
    assert.equal(world.sockets.length, 9);
    world.document.hidden = true;
    world.document.dispatchEvent(new Event("visibilitychange"));
    assert.equal(world.sockets.length, 9, "a page that is hidden has time");
    world.document.hidden = false;
    wake({ world, connection });
    assert.equal(world.sockets.length, 10);
    world.sockets.at(-1).onclose({ reason: "" });
    await world.pass(50);
    assert.equal(world.sockets.length, 11, "the pauses are short again");
  }
});

test("a healthy connection is asked, and stays", async (context) => {
  const { world, connection } = await online(context);
  assert.equal(world.pings.length, 1);
  world.now += 1;
  for (let time = 0; time < 3; time += 1) connection.reconnect();
  const asked = world.pings;
  assert.ok(asked.length > 0);
  await world.say(pong(asked[0]));
  await world.pass(9_000);
  assert.deepEqual([world.sockets.length, connection.isOnline], [1, true]);
});

test("a dead connection is replaced after three seconds, however often it is asked, and an old answer proves nothing", async (context) => {
  const { world, connection } = await online(context);
  const [old] = world.pings;
  world.now += 1;
  connection.reconnect();
  await world.say(pong(old));
  await world.pass(2_000);
  connection.reconnect();
  await world.pass(999);
  assert.equal(connection.isOnline, true);
  await world.pass(1);
  assert.equal(connection.isOnline, false);
  await world.pass(50);
  const [hello] = await world.open();
  assert.deepEqual([world.sockets.length, hello.resume], [2, { token: "t-2" }]);
});

test("an attempt that is under way has three seconds left", async (context) => {
  const { world, connection } = page(context, { groups: [] });
  await world.pass(5_000);
  connection.reconnect();
  await world.pass(3_050);
  assert.equal(world.sockets.length, 2);
});

/** What becomes of a request. */
function outcomeOf(request) {
  const one = { outcome: "pending" };
  request.then(() => { one.outcome = "done"; }, (error) => { one.outcome = error.code; });
  return one;
}

for (const type of ["leave", "dismiss", "decline"]) {
  test(`nobody waits for a server that is away to hear what is over here: ${type}`, async (context) => {
    for (const isAway of [true, false]) {
      const { world, connection } = await online(context);
      if (isAway) world.sockets[0].onclose({ reason: "" });
      const settled = [];
      const left = outcomeOf(connection.requestParting(type, { session: "s-1" }, () => settled.push(type)));
      await settle();
      assert.equal(left.outcome, isAway ? "done" : "pending");
      if (!isAway) world.sockets[0].onclose({ reason: "" });
      await settle();
      assert.deepEqual([left.outcome, settled], ["done", []]);
      await world.pass(60_000);
      await world.open();
      await world.say(welcome);
      const [said, ...rest] = world.heard;
      assert.deepEqual([said.type, rest], [type, []], "it is said all the same");
    }
  });
}

test("a farewell that the server answers is done once it has, and settled", async (context) => {
  const { world, connection } = await online(context);
  const settled = [];
  const left = outcomeOf(connection.requestParting("leave", { session: "s-1" }, () => settled.push("leave")));
  const refused = outcomeOf(connection.request("decline", { session: "s-2" }));
  const [leave, decline] = world.heard;
  await world.say({ type: "ok", id: leave.id }, refusal("unknownSession", decline.id));
  assert.deepEqual([left.outcome, refused.outcome, settled], ["done", "unknownSession", ["leave"]]);
});

test("who leaves the group waits for the server, and a client that is closed says so", async (context) => {
  const { connection } = await online(context);
  const leaving = outcomeOf(connection.request("leave", { session: "s-1" }));
  const leavingGroup = outcomeOf(connection.request("leaveGroup"));
  connection.close();
  await settle();
  assert.deepEqual([leaving.outcome, leavingGroup.outcome], ["closed", "closed"]);
  const other = await online(context);
  const away = outcomeOf(other.connection.request("leaveGroup"));
  other.world.sockets[0].onclose({ reason: "" });
  await settle();
  assert.equal(away.outcome, "pending");
});

test("a renewal ends with its connection, because the next hello shows what the app has by then", async (context) => {
  const credentials = ["one", "three"];
  const { world, connection } = await online(context, { credential: () => credentials.shift() });
  const renewal = outcomeOf(connection.request("renew", { credential: "two" }));
  world.sockets[0].onclose({ reason: "" });
  const late = outcomeOf(connection.request("renew", { credential: "two" }));
  await settle();
  assert.deepEqual([renewal.outcome, late.outcome], ["superseded", "superseded"]);
  await world.wake();
  const [hello] = await world.open();
  const during = outcomeOf(connection.request("renew", { credential: "four" }));
  await world.say(welcome);
  assert.deepEqual([hello.credential, world.heard.map(({ credential }) => credential)], ["three", ["four"]]);
  assert.equal(during.outcome, "pending");
});
