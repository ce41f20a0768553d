// The life cycle of in-app messages, with the cases of MessagePresenter in Swift.

import assert from "node:assert/strict";
import test from "node:test";
import { nextStages } from "../../Sources/WebClient/Site/message-offer.js";
import { local, message, player, Rehearsal, settings, video } from "./rehearsal.mjs";
import { seconds } from "./world.mjs";

const button = (id, clickAction) => ({ id, text: id, clickAction });
const to = (url) => ({ type: "deepLink", url });

test("a message is shown and dismissed in exactly this order", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m", { kind: "modalImage" }));
  assert.deepEqual(rehearsal.take(), ["choice m trigger", "load", "prepare m", "willPresent m", "report m started",
    "show m", "impression m", "report m impression", "didPresent m"]);
  rehearsal.close();
  assert.deepEqual(rehearsal.take(), ["willDismiss m closeButton", "dismiss moving", "release",
    "didDismiss m closeButton", "report m dismissed closeButton", "finished m presented closeButton"]);
  assert.equal(rehearsal.presenter.nextDeadline, null);
  assert.equal(rehearsal.presenter.isScreenTaken, false);
});

for (const processes of [true, false]) {
  test(`a click is logged, asked about, done or not, and closes the message: ${processes}`, () => {
    const rehearsal = new Rehearsal();
    rehearsal.processes = processes;
    rehearsal.feed("deliver", message("m", { buttons: [button("1", to("/x"))] })).take();
    rehearsal.click({ button: "1" });
    assert.deepEqual(rehearsal.take("report m", "process", "perform", "willDismiss", "didDismiss"), [
      "report m clicked 1", "process 1 known", ...(processes ? ["perform deepLink /x"] : []),
      "willDismiss m action", "didDismiss m action", "report m dismissed action 1"]);
  });
}

test("a control goes the whole way and nobody sees it, whatever is on screen", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m"));
  rehearsal.take();
  rehearsal.feed("deliver", message("c", { kind: "control" }));
  assert.deepEqual(rehearsal.take(), ["choice c trigger", "willPresent c", "report c started", "impression c",
    "report c impression", "didPresent c", "willDismiss c automatic", "didDismiss c automatic",
    "report c dismissed automatic", "finished c control"]);
  assert.equal(rehearsal.visible, "m");
});

test("a control counts nobody who could not have seen it", () => {
  const rehearsal = new Rehearsal({ platform: { hasDisplay: false } }).feed("deliver", message("c", { kind: "control" }));
  assert.deepEqual(rehearsal.take(), []);
  rehearsal.change({ hasDisplay: true });
  assert.equal(rehearsal.count("report c impression") + rehearsal.count("finished c control"), 2);
});

test("an app's own message is shown and nothing is reported", () => {
  const rehearsal = new Rehearsal().feed("present", local("m"));
  rehearsal.close("escape");
  assert.deepEqual(["choice m local", "impression m", "report", "finished m"].map((one) => rehearsal.count(one)), [1, 1, 0, 1]);
});

test("an app's own message that is presented again while it is on screen is the same one", () => {
  const rehearsal = new Rehearsal().feed("present", local("m")).feed("present", local("m"));
  rehearsal.close();
  assert.deepEqual([rehearsal.count("choice m"), rehearsal.stacked], [1, ""]);
});

test("dismissed while it comes, a message goes when it is there", () => {
  const rehearsal = new Rehearsal();
  rehearsal.viewShows = false;
  rehearsal.feed("deliver", message("m")).feed("dismiss");
  rehearsal.close();
  assert.equal(rehearsal.count("willDismiss"), 0);
  rehearsal.view("presented");
  assert.deepEqual(rehearsal.take("did", "will"), ["willPresent m", "didPresent m", "willDismiss m programmatic", "didDismiss m programmatic"]);
});

test("a delivery that comes again, during or after, is the same one", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m")).feed("deliver", message("m"));
  rehearsal.close();
  rehearsal.feed("deliver", message("m"));
  assert.equal(rehearsal.count("choice m") + rehearsal.count("finished m"), 2);
});

test("answers to what is over are ignored", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m"));
  const token = rehearsal.presenter.currentToken;
  rehearsal.close();
  rehearsal.feed("deliver", message("n")).take();
  for (const kind of ["presented", "dismissed", "detached"]) rehearsal.feed("view", { kind }, token);
  rehearsal.feed("view", { kind: "clicked", click: {} }, token).feed("reported", { kind: "dismissed", reason: "swipe" }, token)
    .feed("chose", "discard", token).feed("assets", "failed", token).feed("decided", true, 1, token)
    .feed("prepared", { message: message("m"), statusBar: "auto", edgeOffset: 0 }, token);
  assert.deepEqual(rehearsal.take(), []);
  assert.equal(rehearsal.visible, "n");
});

test("the stages lead from waiting to finished, and nowhere back from there", () => {
  const reached = new Set(["waiting"]);
  for (const stage of reached) for (const next of nextStages[stage]) reached.add(next);
  assert.deepEqual([...reached].sort(), Object.keys(nextStages).sort());
  assert.deepEqual(nextStages.finished, []);
  // Who was said to come is said to have gone, before all else.
  for (const stage of ["presenting", "presented"]) {
    assert.ok(nextStages[stage].every((next) => ["presented", "dismissing"].includes(next)));
  }
});

// Offers.

test("a message for somebody else is refused before the app hears of it", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m", { user: "u2" }));
  assert.deepEqual(rehearsal.take(), ["report m refused userMismatch", "finished m refused userMismatch"]);
});

test("while the app wants none, messages are refused or wait, as it says", () => {
  const rehearsal = new Rehearsal().feed("suppress", "discard").feed("deliver", message("m"))
    .feed("suppress", "queue").feed("deliver", message("n"));
  assert.deepEqual(rehearsal.take("report"), ["report m refused suppressed", "report n waiting"]);
  assert.deepEqual([rehearsal.feed("suppress", "none").take(), rehearsal.stacked], [[], "n"]);
});

test("suppressed while the app thinks, prepares, or pictures load, a message is not shown", () => {
  const rehearsal = new Rehearsal();
  rehearsal.assets = [];
  rehearsal.feed("deliver", message("m", { kind: "modalImage" })).feed("suppress", "discard");
  rehearsal.feed("assets", "loaded", rehearsal.presenter.currentToken);
  assert.deepEqual(rehearsal.take("prepare", "release", "finished"), ["release", "finished m refused suppressed"]);
  rehearsal.choice = () => undefined;
  rehearsal.feed("suppress", "none").feed("deliver", message("n")).feed("suppress", "discard").feed("chose", "now", rehearsal.tokens.n);
  assert.equal(rehearsal.count("finished n refused suppressed"), 1);
});

test("before there is a display messages are held, then come in their order, or are too old", () => {
  const rehearsal = new Rehearsal({ platform: { hasDisplay: false } });
  rehearsal.feed("deliver", message("old"), 60 * seconds);
  for (const id of ["m", "n"]) rehearsal.feed("deliver", message(id));
  rehearsal.pass(60 * seconds);
  assert.deepEqual(rehearsal.take(), []);
  rehearsal.pass(1);
  assert.deepEqual(rehearsal.take("report"), ["report old refused noDisplay"]);
  rehearsal.change({ hasDisplay: true });
  assert.deepEqual([rehearsal.visible, rehearsal.stacked], ["m", "n"]);
});

test("of two the app thinks about, the first it wants has the screen", () => {
  const rehearsal = new Rehearsal();
  rehearsal.choice = () => undefined;
  for (const id of ["m", "n"]) rehearsal.feed("deliver", message(id));
  rehearsal.feed("chose", "now", rehearsal.tokens.n).feed("chose", "now", rehearsal.tokens.m);
  assert.deepEqual([rehearsal.visible, rehearsal.stacked], ["n", "m"]);
});

test("a player that makes way for writing comes back with the newest words and the video that goes with them", () => {
  const saying = (id, film) => player(id, { film, body: { type: "text", message: film } });
  const rehearsal = new Rehearsal({ settings: settings({ hidesOnTextInput: true, drainPolicy: "onSlotFree" }) })
    .feed("deliver", saying("p", "one")).feed("deliver", saying("q", "two"));
  const seen = () => {
    const { body, extras } = rehearsal.shown.context.message;
    return [body.message, extras.video_url];
  };
  assert.deepEqual(seen(), ["two", video("two")]);
  rehearsal.change({ isTextInputFocused: true });
  assert.equal(rehearsal.visible, null);
  rehearsal.change({ isTextInputFocused: false });
  assert.deepEqual([rehearsal.visible, ...seen()], ["p", "two", video("two")]);
});

test("of equal ones on the stack the newer stays", () => {
  const rehearsal = new Rehearsal();
  const same = (id) => local(id, "modal", { body: { type: "text", message: "The same" } });
  for (const [id, campaign] of [["m"], ["a", "c"], ["b"], ["d", "c"]]) rehearsal.feed("deliver", message(id, { campaign }));
  assert.deepEqual([rehearsal.stacked, rehearsal.count("finished a refused replaced")], ["d b", 1]);
  for (const id of ["x", "y"]) rehearsal.feed("present", same(id));
  assert.deepEqual([rehearsal.stacked, rehearsal.count("finished x refused replaced")], ["y d b", 1]);
  rehearsal.feed("present", local("other", "slideup")).feed("present", same("y"));
  assert.deepEqual([rehearsal.stacked, rehearsal.count("finished y")], ["y other d b", 0]);
});

test("who is writing is not disturbed, except by a page and by what is a part of the app", () => {
  const rehearsal = new Rehearsal({ settings: settings({ embedsPlayers: true }), platform: { isTextInputFocused: true } });
  rehearsal.feed("deliver", message("m"));
  assert.deepEqual(rehearsal.take(), ["report m waiting"]);
  rehearsal.feed("deliver", message("p", { kind: "html" }));
  assert.equal(rehearsal.visible, "p");
  rehearsal.close();
  rehearsal.feed("deliver", player("own"));
  assert.equal(rehearsal.visible, "own");
});

test("what is on screen stays when somebody begins to write, unless the app hides it", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m"));
  rehearsal.change({ isTextInputFocused: true });
  assert.deepEqual([rehearsal.visible, rehearsal.count("willDismiss")], ["m", 0]);
  const hiding = new Rehearsal({ settings: settings({ hidesOnTextInput: true, drainPolicy: "onSlotFree" }) }).feed("deliver", message("m"));
  hiding.change({ isTextInputFocused: true });
  assert.deepEqual([hiding.stacked, hiding.lines.at(-1)], ["m", "report m waiting"]);
  hiding.change({ isTextInputFocused: false });
  assert.equal(hiding.visible, "m");
  hiding.close();
  assert.deepEqual(["willPresent m", "didDismiss m", "impression m", "report m started", "finished m"].map((one) => hiding.count(one)), [2, 2, 1, 2, 1]);
});

test("an app that does not choose within five seconds has the message shown", () => {
  const rehearsal = new Rehearsal();
  rehearsal.choice = () => undefined;
  rehearsal.feed("deliver", message("m"));
  rehearsal.pass(5 * seconds - 1);
  assert.equal(rehearsal.visible, null);
  rehearsal.pass(1);
  assert.equal(rehearsal.visible, "m");
});

for (const choice of ["reenqueue", "later"]) {
  test(`put back, messages wait with the last on top, and are not used up: ${choice}`, () => {
    const rehearsal = new Rehearsal();
    rehearsal.choice = () => choice;
    for (const id of ["a", "b", "c"]) rehearsal.feed("deliver", message(id));
    assert.deepEqual([rehearsal.stacked, rehearsal.take("report")], ["c b a", ["report a waiting", "report b waiting", "report c waiting"]]);
    rehearsal.choice = () => "now";
    assert.equal(rehearsal.feed("presentNext", 1).visible, "c");
  });
}

test("discarded, a message is gone, and so are its like on the stack", () => {
  const rehearsal = new Rehearsal();
  rehearsal.choice = (one) => (one.message === "b" ? "discard" : "reenqueue");
  for (const id of ["a", "b"]) rehearsal.feed("deliver", message(id, { campaign: "c" }));
  assert.deepEqual(rehearsal.take("report", "finished", "impression"), ["report a waiting", "report a refused choice",
    "finished a refused choice", "report b refused choice", "finished b refused choice"]);
});

test("on a quiet screen messages wait", () => {
  const rehearsal = new Rehearsal({ settings: settings({ quietScreens: new Set(["game"]), drainPolicy: "onSlotFree" }), platform: { screen: "game" } });
  assert.equal(rehearsal.feed("deliver", message("m")).stacked, "m");
  rehearsal.change({ screen: "menu" });
  assert.equal(rehearsal.visible, "m");
});

test("an app's own pop-up and messages share one screen", () => {
  const rehearsal = new Rehearsal({ settings: settings({ drainPolicy: "onSlotFree" }) });
  rehearsal.feed("acquireLease", 1).feed("acquireLease", 2).feed("deliver", message("m"));
  assert.deepEqual(rehearsal.take(), ["lease 1 true", "lease 2 false", "report m waiting"]);
  assert.equal(rehearsal.feed("releaseLease", 2).visible, null);
  assert.equal(rehearsal.feed("releaseLease", 1).visible, "m");
  assert.equal(rehearsal.feed("acquireLease", 3).lines.at(-1), "lease 3 false");
});

// The stack.

test("presented one by one, and then there is none", () => {
  const rehearsal = new Rehearsal();
  rehearsal.choice = () => "reenqueue";
  for (const id of ["m1", "m2"]) rehearsal.feed("deliver", message(id));
  assert.equal(rehearsal.feed("presentNext", 1).stacked, "m2 m1");
  rehearsal.choice = () => "now";
  for (const [request, id] of [[2, "m2"], [3, "m1"]]) {
    assert.equal(rehearsal.feed("presentNext", request).visible, id);
    rehearsal.close();
  }
  rehearsal.feed("presentNext", 4);
  assert.deepEqual(rehearsal.take("answer"), ["answer 1 reenqueued", "answer 2 presented", "answer 3 presented", "answer 4 empty"]);
});

test("who asks for the next hears what came of it once, also when it fails on the way", () => {
  const rehearsal = new Rehearsal();
  rehearsal.choice = () => "reenqueue";
  for (const id of ["a", "b", "c", "d"]) rehearsal.feed("deliver", message(id));
  rehearsal.choice = () => "now";
  rehearsal.viewShows = false;
  rehearsal.feed("presentNext", 1).view("failed", { failure: "image" });
  rehearsal.feed("presentNext", 2).view("declined");
  rehearsal.choice = () => undefined;
  rehearsal.feed("presentNext", 3).feed("userChanged", "u2");
  assert.deepEqual(rehearsal.take("answer"), ["answer 1 assets", "answer 2 reenqueued", "answer 3 userMismatch"]);
});

test("the oldest of more than fifty is refused, and on the stack none grows old", () => {
  const rehearsal = new Rehearsal();
  rehearsal.choice = () => "reenqueue";
  for (let number = 1; number <= 51; number += 1) rehearsal.feed("deliver", message(`m${number}`), seconds);
  assert.deepEqual(rehearsal.take("finished"), ["finished m1 refused overflow"]);
  rehearsal.pass(3_600 * seconds);
  rehearsal.choice = () => "now";
  assert.equal(rehearsal.feed("presentNext", 1).visible, "m51");
});

for (const [policy, closed, inSight, after] of [["manual", null, null, null], ["onForeground", null, "b", null], ["onSlotFree", "b", "b", "a"]]) {
  test(`the stack gives up its next when its policy says: ${policy}`, () => {
    const rehearsal = new Rehearsal({ settings: settings({ drainPolicy: policy }) });
    for (const id of ["m", "a", "b"]) rehearsal.feed("deliver", message(id));
    rehearsal.close();
    assert.equal(rehearsal.visible, closed);
    rehearsal.change({ isVisible: false });
    rehearsal.change({ isVisible: true });
    assert.equal(rehearsal.visible, inSight);
    rehearsal.close();
    assert.equal(rehearsal.visible, after);
  });
}

test("what the app puts back does not come again at once", () => {
  const rehearsal = new Rehearsal({ settings: settings({ drainPolicy: "onSlotFree" }) });
  rehearsal.choice = (one) => (one.message === "m" ? "now" : "reenqueue");
  for (const id of ["m", "a"]) rehearsal.feed("deliver", message(id));
  rehearsal.close();
  assert.deepEqual([rehearsal.count("choice a"), rehearsal.stacked], [1, "a"]);
});

test("what is revoked waits no more, and on screen goes only if forced", () => {
  const rehearsal = new Rehearsal();
  for (const id of ["m", "a", "b"]) rehearsal.feed("deliver", message(id));
  rehearsal.feed("revoke", ["m", "a"]);
  assert.deepEqual([rehearsal.stacked, rehearsal.visible, rehearsal.count("finished a refused stopped")], ["b", "m", 1]);
  assert.equal(rehearsal.feed("revoke", ["m"], true).count("didDismiss m programmatic"), 1);
});
