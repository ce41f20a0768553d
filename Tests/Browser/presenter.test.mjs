// The presenter with an app around it: its display, its hooks, its views, and a session's player.

import assert from "node:assert/strict";
import test from "node:test";
import { Presenter } from "../../Sources/WebClient/Site/messages.js";
import { local, message, player, video } from "./rehearsal.mjs";

Object.assign(globalThis, {
  document: { documentElement: {}, activeElement: null, hidden: false, addEventListener() {} },
  HTMLElement: class {}, innerWidth: 390, innerHeight: 844, addEventListener() {},
  getComputedStyle: () => ({ colorScheme: "light" }), matchMedia: () => ({ matches: false, addEventListener() {} }),
  MutationObserver: class { observe() {} disconnect() {} } });

/** A display that shows at once what it is given; `broken` is what it cannot show. */
class Screen {
  shown = null;
  broken = null;
  #host = null;

  show(shown, host) {
    if (shown.context.message.message === this.broken) throw new Error("a mistake of the app's");
    [this.shown, this.#host] = [shown.context, host];
    host.tell({ kind: "presented" });
  }

  dismiss() {
    const host = this.#host;
    [this.shown, this.#host] = [null, null];
    host?.tell({ kind: "dismissed" });
  }

  close(gesture = "escape") { this.#host.tell({ kind: "closed", gesture }); }
  get id() { return this.shown?.message.message ?? null; }
}

/** A presenter with a display, the dismissals it tells of, and the mistakes that it reports. */
function start(t, delegate = {}) {
  const mistakes = [];
  // Told where the app's developer looks, which would end the test.
  t.mock.method(globalThis, "setTimeout", (deed, wait) => {
    if (wait === undefined) try { deed(); } catch (error) { mistakes.push(error.message); }
    return 0;
  });
  const target = new EventTarget();
  const dismissals = [];
  target.addEventListener("dismissal", ({ detail }) => dismissals.push(detail));
  const heard = [];
  const connection = Object.assign(new EventTarget(), { isOnline: false, clock: null,
    requestNotice: async (type, fields) => { heard.push({ type, ...fields }); } });
  const messages = new Presenter(connection, target, "u1");
  messages.settings.embedsPlayers = true;
  messages.settings.drainPolicy = "onSlotFree";
  messages.delegate = delegate;
  const screen = new Screen();
  messages.display = screen;
  return { messages, screen, connection, heard, dismissals, mistakes };
}

const session = (url) => ({ id: "s1", me: 3, revision: 1, activity: { media: { url }, metadata: {} } });
const own = "player-s1-3";

test("purchases, opened notifications and memberships wait for the connection, in order with events", async (t) => {
  const { messages, connection, heard } = start(t);
  messages.log("a");
  messages.logPurchase("ticket", { price: 9.5 });
  messages.logPushOpened("weekly-news");
  messages.setMembership("testers", true);
  connection.isOnline = true;
  messages.enter();
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  const told = heard.filter(({ type }) => type !== "appState").map(({ sequence, ...line }) => JSON.parse(JSON.stringify(line)));
  assert.deepEqual(told, [{ type: "logEvent", name: "a" }, { type: "logPurchase", product: "ticket", properties: { price: 9.5 } },
    { type: "logPushOpened", campaign: "weekly-news" }, { type: "setMembership", list: "testers", member: true }]);
});

// A session's own player.

test("refused, a campaign's player leaves the session to the page's own", (t) => {
  for (const [url, change] of [["Alien: Romulus.mkv", {}], ["https://ann:pw@nas.example/film.mp4", {}],
    [video("one"), { orientation: "landscape" }]]) {
    const { messages, screen, dismissals } = start(t);
    messages.watch(session(url), true);
    assert.equal(screen.id, own);
    messages.deliver(player("p", change));
    assert.deepEqual([screen.id, messages.hosts("s1"), dismissals], [own, true, []], url);
  }
});

test("an image that cannot be had, a hook that discards, and a forced withdrawal leave the session to its own player", async (t) => {
  const isPlayer = ({ message: id }) => id === "p";
  const image = { body: { type: "image", image: { url: "https://example.com/a.png" } } };
  for (const [end, change, delegate] of [
    [() => {}, image, {}], [() => {}, {}, { displayChoice: (one) => (isPlayer(one) ? "discard" : "now") }],
    [(messages) => messages.revoke({ message: "p", force: true }), {}, {}]]) {
    const { messages, screen, dismissals } = start(t, delegate);
    screen.load = async () => ["failed"];
    messages.watch(session(video("one")), true);
    messages.deliver(player("p", change));
    end(messages);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    assert.deepEqual([screen.id, dismissals], [own, []]);
  }
});

test("a campaign's player that is good takes the place, and what the person closes stays closed", (t) => {
  for (const leaves of [true, false]) {
    const { messages, screen, dismissals } = start(t);
    messages.settings.leavesWithMessage = leaves;
    messages.watch(session(video("one")), true);
    messages.deliver(player("p"));
    assert.equal(screen.id, "p");
    screen.close();
    messages.present(local("other"));
    screen.close();
    assert.deepEqual([screen.id, messages.hosts("s1"), dismissals], [null, false, leaves ? ["s1"] : []], `leaves: ${leaves}`);
  }
});

test("a session's own player that the app does not want is not shown again", (t) => {
  let asked = 0;
  const { messages, screen } = start(t, { displayChoice: ({ session: bound }) => {
    if (bound === undefined) return "now";
    asked += 1;
    return "discard";
  } });
  messages.watch(session(video("one")), true);
  for (const id of ["a", "b"]) {
    messages.present(local(id));
    screen.close();
  }
  assert.deepEqual([screen.id, asked], [null, 1]);
});

test("with the session its own player is over, whatever ends after it", (t) => {
  for (const end of [(messages) => messages.endSession("s1"), (messages) => messages.wipe(), (messages) => messages.close(),
    (messages) => messages.dismissHost("s1"), (messages) => messages.dismiss(false)]) {
    const { messages, screen } = start(t);
    messages.watch(session(video("one")), true);
    messages.deliver(player("p"));
    end(messages);
    assert.equal(screen.id, null, String(end));
  }
});

// Mistakes of an app's.

test("a view that throws costs its message alone", (t) => {
  const { messages, screen, mistakes } = start(t);
  screen.broken = "quiz";
  messages.present(local("quiz"));
  assert.deepEqual([screen.id, messages.visible, mistakes], [null, null, ["a mistake of the app's"]]);
  messages.present(local("next"));
  assert.equal(screen.id, "next");
});

test("a display that throws elsewhere stops nothing", (t) => {
  const { messages, screen, mistakes } = start(t);
  screen.statusBar = screen.hold = () => { throw new Error("no bar"); };
  messages.deliver(message("m", { kind: "html", orientation: "portrait" }));
  assert.equal(screen.id, "m");
  screen.close();
  messages.present(local("next"));
  assert.equal(screen.id, "next");
  assert.ok(mistakes.length > 0);
});

test("what an app prepares in place or returns is shown, and what is no context is not", (t) => {
  const mine = { ...local("mine"), body: { type: "text", message: "Mine" } };
  for (const [prepare, offset, text] of [
    [(context) => { context.edgeOffset += 24; }, 24, "Hello"],
    [(context) => { context.message.body.message = "Mine"; }, 0, "Mine"],
    [(context) => ({ ...context, message: mine }), 0, "Mine"],
    [() => ({ message: { message: "m", kind: "slideup", body: mine.body } }), 0, "Mine"],
    [async (context) => { context.edgeOffset = 24; }, 0, "Hello"],
    [() => ({}), 0, "Hello"],
    [() => ({ message: { kind: "none" } }), 0, "Hello"],
    [(context) => { context.edgeOffset = 24; throw new Error("half way"); }, 0, "Hello"]]) {
    const { messages, screen } = start(t, { prepare });
    messages.present(local("m", "slideup"));
    assert.deepEqual([screen.shown?.edgeOffset, screen.shown?.message.body.message], [offset, text], String(prepare));
  }
});

// The screen, for pop-ups of an app's and for other displays.

test("a pop-up that a hook asks the screen for is told the truth, and may go again", (t) => {
  const granted = [];
  const { messages, screen } = start(t, {
    didPresent: () => granted.push(messages.acquireLease("early")), finished: () => granted.push(messages.acquireLease("late")) });
  messages.present(local("m"));
  screen.close();
  assert.deepEqual(granted, [false, true]);
  messages.present(local("n"));
  assert.equal(screen.id, null);
  messages.delegate = {};
  messages.releaseLease("late");
  assert.equal(screen.id, "n");
});

test("a display that is taken away takes its message with it, and the next one shows what comes", (t) => {
  for (const next of [null, new Screen()]) {
    const { messages, screen } = start(t);
    messages.present(local("m"));
    messages.display = next;
    assert.deepEqual([screen.id, messages.visible], [null, null]);
    const other = messages.display ??= new Screen();
    messages.present(local("n"));
    assert.equal(other.id, "n");
  }
});

test("a display that a hook changes is the one that is used", (t) => {
  const other = new Screen();
  const { messages, screen } = start(t, { didPresent: ({ message: id }) => { if (id === "m") messages.display = other; } });
  messages.present(local("m"));
  messages.present(local("n"));
  assert.deepEqual([screen.id, other.id], [null, "n"]);
});

test("a session's player moves to another display", (t) => {
  const { messages } = start(t);
  messages.watch(session(video("one")), true);
  const other = new Screen();
  messages.display = null;
  messages.display = other;
  assert.deepEqual([other.id, messages.hosts("s1")], [own, true]);
});
