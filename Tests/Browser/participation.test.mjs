// How a device enters a session and leaves it, also while the one or the other is under way.

import assert from "node:assert/strict";
import test from "node:test";
import { Participation } from "../../Sources/WebClient/Site/participation.js";
import { PendingRequests } from "../../Sources/WebClient/Site/requests.js";

const settle = async () => { for (let turn = 0; turn < 10; turn += 1) await Promise.resolve(); };

const offer = { type: "offer", session: "s-1", activity: { type: "watch" }, staged: false, initiator: { name: "Ann" } };
const snapshot = {
  type: "snapshot", session: "s-1", participant: "p-1", seq: 5, activity: { type: "watch" }, revision: 1,
  control: "everyone", initiator: { user: "ann", device: "ann", name: "Ann" }, participants: [], timelines: [],
  queue: { entries: [], repeat: "off", autoAdvance: true, nextNumber: 1 } };

/** A device that is offered a session, and a server that answers when the test says so. */
class Device {
  #pending = new PendingRequests();
  /** @type {{id: number, type: string}[]} in the order they were made */ #sent = [];
  #answered = 0;
  /** @type {string[]} the sessions that the app was told of */ told = [];
  /** @type {string[]} what the player and the messages were to do */ done = [];
  /** @type {(name: string, detail: any) => void} what the app does when it is told something */ app = () => {};

  constructor() {
    const ask = (type, fields) => {
      const outcome = this.#pending.add(type, fields ?? {}, Infinity);
      this.#sent.push(...this.#pending.takeSendable(() => true));
      return outcome;
    };
    const part = (type, fields, settle) => {
      const outcome = ask(type, fields);
      outcome.then(settle, settle);
      return outcome;
    };
    this.connection = {
      request: ask, requestReturn: ask, requestParting: part, sendPending() {}, isLeaving: (session) => this.#pending.isLeaving(session),
      failRequests: (error, isMeant) => this.#pending.failAll(error, isMeant) };
    this.participation = new Participation(this.connection, true, {
      tell: (name, detail) => {
        if (name === "session") this.told.push(detail?.id ?? "none");
        this.app(name, detail);
      },
      follow: () => this.done.push("follow"), release: () => this.done.push("release") });
  }

  /** @returns {string[]} the requests so far */
  get asked() { return this.#sent.map(({ type }) => type); }

  hear(...lines) { for (const line of lines) this.participation.hear(line); }

  /** Answers the oldest request that has no answer yet, or refuses it. */
  async answer(code) {
    const { id } = this.#sent[this.#answered];
    this.#answered += 1;
    if (code === undefined) this.#pending.answer({ id });
    else this.#pending.refuse({ id, code }, 0);
    await settle();
  }
}

test("an offer is joined once, and its snapshot enters the session", async () => {
  const device = new Device();
  device.hear(offer, offer);
  await device.answer();
  device.hear(offer, snapshot);
  assert.deepEqual([device.asked, device.told], [["join"], ["s-1"]]);
});

test("who asks to join once more gets the outcome of the join that is under way", async () => {
  for (const code of [undefined, "sessionFull"]) {
    const device = new Device();
    const outcomes = [1, 2].map(() => device.participation.join("s-1").then(() => undefined, (error) => error.code));
    await device.answer(code);
    assert.deepEqual([await Promise.all(outcomes), device.asked], [[code, code], ["join"]]);
  }
});

test("who leaves the group while a join is under way joins again when they are back", async () => {
  const device = new Device();
  device.hear(offer);
  device.participation.end("left");
  device.connection.request("leaveGroup").catch(() => {});
  await device.answer();
  device.hear(snapshot);
  await device.answer();
  device.hear(offer);
  assert.deepEqual([device.asked, device.told], [["join", "leaveGroup", "join"], []]);
  await device.answer();
  device.hear(snapshot);
  assert.deepEqual(device.told, ["s-1"]);
});

test("a device that the server has forgotten between a join and its snapshot joins again", async () => {
  const device = new Device();
  device.hear(offer);
  await device.answer();
  device.participation.end("connectionLost");
  device.hear(offer);
  assert.deepEqual(device.asked, ["join", "join"]);
});

for (const farewell of ["leave", "dismiss"]) {
  test(`who is done with a session before they are in it is out of it: ${farewell}`, async () => {
    const device = new Device();
    device.hear(offer);
    device.participation[farewell]("s-1").catch(() => {});
    assert.deepEqual(device.asked, ["join", farewell]);
    await device.answer();
    device.hear(snapshot);
    assert.deepEqual(device.told, []);
    await device.answer();
    device.participation.join("s-1").catch(() => {});
    await device.answer();
    device.hear(snapshot);
    assert.deepEqual([device.asked, device.told], [["join", farewell, "join"], ["s-1"]]);
  });
}

test("who leaves a session that they are in leaves it once", async () => {
  const device = new Device();
  device.hear(offer);
  await device.answer();
  device.hear(snapshot);
  for (let count = 0; count < 2; count += 1) device.participation.leave().catch(() => {});
  assert.deepEqual([device.asked, device.told], [["join", "leave"], ["s-1", "none"]]);
});

const event = { type: "event", session: "s-1", seq: 6, event: "controlSet", control: "hostsOnly" };
const chat = [1, 2].map((seq) => ({ seq, from: "p-2", name: "Ann", at: 0, payload: { chat: "Hello" } }));

for (const [word, done] of [["offer", ["release"]], ["session", ["release"]], ["chat", ["release"]], ["change", ["follow", "release"]]]) {
  test(`an app that leaves a session while it hears of ${word} follows it no more`, async () => {
    const device = new Device();
    const heard = [];
    device.hear(offer);
    await device.answer();
    device.app = (name, detail) => {
      heard.push(name);
      if (name === word && detail !== undefined) device.participation.leave().catch(() => {});
    };
    device.hear({ ...snapshot, chat }, event);
    assert.deepEqual([device.asked, device.done, device.participation.session], [["join", "leave"], done, null]);
    assert.equal(heard.lastIndexOf("session"), heard.length - 1, "the end is the last that it hears");
  });
}

test("an app is told whether a line is for some only", async () => {
  const device = new Device();
  device.hear(offer);
  await device.answer();
  device.hear({ ...snapshot, chat: chat.slice(0, 1) });
  /** @type {any[]} */ const heard = [];
  device.app = (name, { text, isPrivate }) => { if (name === "chat") heard.push([text, isPrivate]); };
  const line = { type: "event", session: "s-1", event: "messageSent", by: "p-2", payload: { chat: "psst" } };
  device.hear({ ...line, seq: 6, to: ["p-1"] }, { ...line, seq: 7 });
  assert.deepEqual(heard, [["psst", true], ["psst", false]]);
});

for (const farewell of ["leave", "dismiss"]) {
  test(`what an app asks when it hears of the end comes after the farewell: ${farewell}`, async () => {
    const device = new Device();
    device.hear(offer);
    await device.answer();
    device.hear(snapshot);
    device.app = (name, detail) => {
      if (name === "session" && detail === null) device.connection.request("activate", {}).catch(() => {});
    };
    device.participation[farewell]("s-1").catch(() => {});
    assert.deepEqual(device.asked, ["join", farewell, "activate"]);
  });
}

test("a device knows the session that lets it in no more, by whatever it hears", async () => {
  const left = { type: "event", session: "s-1", seq: 6, event: "left", participant: "p-1", reason: "removed", by: "p-2" };
  const sessionLeft = { type: "sessionLeft", session: "s-1", reason: "removed", by: "p-2" };
  for (const [line, isBanned] of [[left, true], [left, false], [sessionLeft, true], [sessionLeft, false]]) {
    const device = new Device();
    device.hear(offer);
    await device.answer();
    device.hear(snapshot, { ...line, banned: isBanned });
    assert.equal(device.participation.bannedFrom, isBanned ? "s-1" : null);
    assert.equal(device.participation.session, null);
  }
  const device = new Device();
  const joining = device.participation.join("s-1").catch(() => {});
  assert.equal(device.participation.isUnderWay("s-1"), true);
  await device.answer("banned");
  await joining;
  assert.deepEqual([device.participation.bannedFrom, device.participation.isUnderWay("s-1")], ["s-1", false]);
});

test("a device is under way until the server has said that it is in, and that it is out", async () => {
  const device = new Device();
  const isUnderWay = () => device.participation.isUnderWay("s-1");
  device.hear(offer);
  await device.answer();
  assert.equal(isUnderWay(), true);
  device.hear(snapshot);
  assert.equal(isUnderWay(), false);
  device.participation.leave().catch(() => {});
  assert.equal(isUnderWay(), true);
  /** @type {boolean[]} */ const told = [];
  device.app = (name) => { if (name === "offer") told.push(isUnderWay()); };
  await device.answer();
  assert.deepEqual(told, [false]);
});

test("an app is told which entry was removed", async () => {
  const device = new Device();
  device.hear(offer);
  await device.answer();
  device.hear({ ...snapshot, queue: { entries: [{ entry: "e1", url: "u1" }], nextNumber: 2 } });
  /** @type {any[]} */ const heard = [];
  device.app = (name, detail) => { if (name === "change") heard.push(detail.entryGone); };
  device.hear({ type: "event", session: "s-1", seq: 6, event: "entryRemoved", entry: "e1", by: "p-2" });
  assert.deepEqual(heard, [{ entry: "e1", url: "u1" }]);
});
