// Messages on screen: clicks, what counts as seen, how they are held, pictures, players.

import assert from "node:assert/strict";
import test from "node:test";
import { withoutDarkThemes } from "../../Sources/WebClient/Site/message-model.js";
import { across, message, player, Rehearsal, settings, video } from "./rehearsal.mjs";
import { ms, seconds } from "./world.mjs";

const button = (id, clickAction) => ({ id, text: id, clickAction });
const to = (url) => ({ type: "deepLink", url });
const logX = { type: "logEvent", name: "X" };

test("buttons are found by their ids", () => {
  for (const [ids, id] of [[["1"], "1"], [["7", "3"], "3"], [["a"], "a"]]) {
    const rehearsal = new Rehearsal();
    rehearsal.feed("deliver", message("m", { clickAction: to("/body"), buttons: ids.map((one) => button(one, to(`/${one}`))) })).take();
    rehearsal.click({ button: "9" });
    rehearsal.click();
    assert.deepEqual(rehearsal.take("report", "warn", "process"), ["warn m unknownButton 9"]);
    rehearsal.click({ button: id });
    assert.deepEqual(rehearsal.take("perform"), [`perform deepLink /${id}`]);
  }
});

test("a tap on the body closes where there are no buttons, and at an edge always", () => {
  const close = { type: "close" };
  for (const [kind, clickAction, hasButton, isLive] of [["modal", close, false, 1], ["modal", undefined, false, 1], ["modal", close, true, 0],
    ["full", to("/x"), false, 1], ["slideup", undefined, false, 1], ["banner", close, true, 1], ["html", undefined, false, 1]]) {
    const rehearsal = new Rehearsal().feed("deliver", message("m", { kind, clickAction, buttons: hasButton ? [button("1")] : [] }));
    rehearsal.click();
    assert.equal(rehearsal.count("didDismiss m action"), isLive, `${kind} ${hasButton}`);
  }
});

test("what touches a switch or a link touches nothing else", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m", { kind: "slideup" }));
  rehearsal.click({ isOnControl: true });
  assert.equal(rehearsal.visible, "m");
  rehearsal.click();
  assert.equal(rehearsal.visible, null);
});

test("the first click wins, over a second, the time that is up, and a dismissal", () => {
  const rehearsal = new Rehearsal();
  rehearsal.processes = null;
  rehearsal.viewGoes = false;
  rehearsal.feed("deliver", message("m", { closing: { after: seconds }, buttons: [button("1", logX), button("2")] })).take();
  for (const id of ["1", "1", "2"]) rehearsal.click({ button: id });
  rehearsal.close();
  rehearsal.feed("dismiss").pass(seconds);
  assert.deepEqual(rehearsal.take("report", "process", "willDismiss"), ["report m clicked 1", "process 1 known"]);
  // An app that has no word within five seconds has the action taken.
  rehearsal.pass(4 * seconds);
  assert.deepEqual(rehearsal.take("perform", "willDismiss"), ["perform logEvent", "willDismiss m action"]);
  rehearsal.click({ button: "2" });
  rehearsal.view("dismissed");
  assert.deepEqual(rehearsal.take("report m clicked", "didDismiss"), ["didDismiss m action"]);
});

test("the time that is up and a click never both end a message", () => {
  const rehearsal = new Rehearsal();
  rehearsal.viewGoes = false;
  rehearsal.feed("deliver", message("m", { closing: { after: seconds }, clickAction: { type: "close" } })).pass(seconds);
  rehearsal.click();
  assert.deepEqual(rehearsal.take("report m clicked", "willDismiss"), ["willDismiss m automatic"]);
});

test("what a click brings is shown after the message, and before the stack", () => {
  const rehearsal = new Rehearsal({ settings: settings({ drainPolicy: "onSlotFree" }) });
  rehearsal.viewGoes = false;
  rehearsal.feed("deliver", message("m", { clickAction: logX })).feed("deliver", message("s"));
  rehearsal.click();
  rehearsal.feed("deliver", message("f1")).feed("deliver", message("f2"));
  assert.equal(rehearsal.stacked, "f1 s");
  rehearsal.take();
  rehearsal.view("dismissed");
  assert.deepEqual(rehearsal.take("didDismiss", "finished", "choice"), ["didDismiss m action", "finished m presented action", "choice f2 followUp"]);
});

test("a page may log, act beside itself, and close itself; going elsewhere in the app closes it", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m", { kind: "html" }));
  for (const id of ["x", "x"]) rehearsal.view("loggedClick", { button: id });
  rehearsal.click({ button: "any", action: { type: "open", url: "https://a.example" }, isTransient: true });
  assert.deepEqual([rehearsal.take("report m clicked").length, rehearsal.visible], [3, "m"]);
  rehearsal.click({ button: "a", action: to("/x"), isTransient: true });
  assert.equal(rehearsal.count("didDismiss m action"), 1);
});

test("a page's link into code is not followed, and more clicks than an app can be asked about are not taken", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m", { kind: "html" }));
  rehearsal.click({ button: "a", action: { type: "open", url: "javascript:x" } });
  assert.deepEqual(rehearsal.take("perform", "warn"), ["warn m refusedLink javascript:x"]);
  rehearsal.processes = null;
  rehearsal.feed("deliver", message("n", { kind: "html" }));
  for (let count = 1; count <= 9; count += 1) rehearsal.click({ button: "a", action: { type: "close" }, isTransient: true });
  assert.deepEqual([rehearsal.count("process"), rehearsal.count("warn n tooManyClicks")], [8, 1]);
});

test("what a custom view submits is done like a click, and a sequence in its order", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m", { body: { type: "text", message: "Tea, Coffee" },
    buttons: [button("1")], extras: { view_type: "table_list", attribute_key: "drinks" } }));
  const actions = [{ type: "setAttribute", key: "drinks", value: ["Tea"] }, { type: "requestPushPermission" }];
  rehearsal.click({ button: "1", action: { type: "sequence", actions } });
  assert.deepEqual(rehearsal.performed, actions);
});

test("a person closes a message as its author allows, and with Escape always", () => {
  const policies = { button: { byButton: true }, swipe: { bySwipe: true, byButton: false }, tapOutside: { byButton: false, byTapOutside: true } };
  for (const [gesture, closing] of Object.entries(policies)) for (const other of Object.keys(policies)) {
    const rehearsal = new Rehearsal().feed("deliver", message("m", { closing }));
    rehearsal.close(other);
    assert.equal(rehearsal.visible === null, gesture === other, `${gesture} ${other}`);
    rehearsal.close("escape");
    assert.equal(rehearsal.visible, null);
  }
});

// What counts as seen.

test("left to its drawer who says nothing, it does not count, each time with a warning", () => {
  const rehearsal = new Rehearsal();
  for (const id of ["a", "b", "c"]) {
    rehearsal.feed("deliver", message(id, { campaign: "c", impression: "explicit" })).view("detached");
  }
  assert.deepEqual(["willPresent", "warn", "impression"].map((one) => rehearsal.count(one)), [3, 3, 0]);
});

for (const report of [{ kind: "impression" }, { kind: "clicked" }, { kind: "dismissed", reason: "swipe" }]) {
  test(`any word of who draws it counts once: ${report.kind}`, () => {
    const rehearsal = new Rehearsal().feed("deliver", message("m", { impression: "explicit" }));
    for (const again of [report, report]) rehearsal.report(again);
    rehearsal.view("detached");
    assert.deepEqual(["report m impression", "warn", "finished m"].map((one) => rehearsal.count(one)), [1, 0, 1]);
  });
}

test("reported before it is on screen it counts when it is, and not if it never is", () => {
  for (const event of ["presented", "failed"]) {
    const rehearsal = new Rehearsal();
    rehearsal.viewShows = false;
    rehearsal.feed("deliver", message("m", { impression: "explicit" })).report({ kind: "impression" });
    assert.equal(rehearsal.count("impression"), 0);
    rehearsal.view(event);
    assert.deepEqual(rehearsal.take("impression", "didPresent"), event === "presented" ? ["impression m", "didPresent m"] : []);
  }
});

test("time in sight is added up, and does not run in the background", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m", { kind: "card" }));
  rehearsal.pass(2 * seconds);
  rehearsal.change({ isVisible: false });
  rehearsal.pass(60 * seconds);
  assert.equal(rehearsal.presenter.nextDeadline, null);
  rehearsal.change({ isVisible: true });
  rehearsal.pass(999 * ms);
  assert.equal(rehearsal.count("impression"), 0);
  rehearsal.pass(ms);
  assert.equal(rehearsal.count("impression m"), 1);
});

test("who closes it early has seen it, and so has who let it go by itself; a change of people has not", () => {
  for (const [act, lines] of [[(one) => one.close("swipe"), ["impression m", "willDismiss m swipe"]],
    [(one) => one.pass(seconds), ["impression m", "willDismiss m automatic"]], [(one) => one.feed("userChanged", "u2"), ["willDismiss m userChanged"]]]) {
    const rehearsal = new Rehearsal().feed("deliver", message("m", { kind: "banner", closing: { after: seconds } }));
    act(rehearsal);
    assert.deepEqual(rehearsal.take("impression", "willDismiss"), lines);
  }
});

test("it closes by itself after its time in sight, as the app last had it, and not while somebody holds it", () => {
  const rehearsal = new Rehearsal();
  rehearsal.prepare = (context) => ({ ...context, message: { ...context.message, closing: { ...context.message.closing, after: 4 * seconds } } });
  rehearsal.feed("deliver", message("m", { kind: "slideup" })).pass(2 * seconds);
  rehearsal.view("held", { isHeld: true });
  rehearsal.pass(60 * seconds);
  rehearsal.view("held", { isHeld: false });
  rehearsal.pass(2 * seconds - 1);
  assert.equal(rehearsal.count("willDismiss"), 0);
  rehearsal.pass(1);
  assert.equal(rehearsal.count("didDismiss m automatic"), 1);
});

test("a player that comes back after a restart is there at once and counts no more", () => {
  const rehearsal = new Rehearsal().feed("deliver", player("p"), undefined, true);
  assert.deepEqual(rehearsal.take(), ["prepare p", "statusBar hidden", "willPresent p", "report p started", "show p", "didPresent p"]);
});

// How it is held, and how it looks.

test("the device decides whether, the app how: all 27 rows", () => {
  for (const orientation of ["any", "portrait", "landscape"]) for (const preferredOrientation of [undefined, "portrait", "landscape"]) {
    for (const window of [{ width: 390, height: 844 }, across, { width: 600, height: 600 }]) {
      const device = window.width > window.height ? "landscape" : "portrait";
      const rehearsal = new Rehearsal({ platform: window });
      rehearsal.prepare = (context) => ({ ...context, preferredOrientation });
      rehearsal.feed("deliver", message("m", { orientation }));
      const isShown = orientation === "any" || orientation === device;
      // The app is not even asked to prepare what cannot be shown.
      assert.equal(rehearsal.count("prepare"), isShown ? 1 : 0);
      if (!isShown) assert.equal(rehearsal.count("report m refused orientation"), 1);
      if (!isShown) continue;
      const isHonoured = preferredOrientation !== undefined && (orientation === "any" || orientation === preferredOrientation);
      assert.equal(rehearsal.shown.orientation, isHonoured ? preferredOrientation : device);
    }
  }
});

test("once on screen a message follows the device, if it stands so as well", () => {
  const rehearsal = new Rehearsal();
  rehearsal.prepare = (context) => ({ ...context, preferredOrientation: "landscape" });
  rehearsal.feed("deliver", message("m"));
  assert.deepEqual(rehearsal.take("hold"), ["hold landscape"]);
  // The window turns because the app is held so.
  rehearsal.turn();
  assert.deepEqual(rehearsal.take("hold", "update"), []);
  rehearsal.turn();
  assert.deepEqual(rehearsal.take("hold", "update"), ["hold free", "update m"]);
});

test("one that stands only in portrait stays so, and lets the app go in the end", () => {
  const rehearsal = new Rehearsal().feed("deliver", message("m", { orientation: "portrait" }));
  rehearsal.turn();
  assert.equal(rehearsal.shown.orientation, "portrait");
  rehearsal.close();
  assert.deepEqual(rehearsal.take("hold", "update", "didDismiss"), ["hold portrait", "hold free", "didDismiss m closeButton"]);
});

test("the page's bar: three wishes, and the kinds that cover the screen", () => {
  for (const statusBar of ["auto", "hidden", "visible"]) for (const kind of ["slideup", "modal", "modalImage", "full", "fullImage", "html"]) {
    const rehearsal = new Rehearsal();
    rehearsal.prepare = (context) => ({ ...context, statusBar });
    rehearsal.feed("deliver", message("m", { kind }));
    const covers = ["full", "fullImage", "html"].includes(kind);
    const expected = { hidden: ["statusBar hidden"], visible: ["statusBar shown"], auto: covers ? ["statusBar hidden"] : [] }[statusBar];
    assert.deepEqual(rehearsal.take("statusBar"), expected);
    rehearsal.close("escape");
    assert.deepEqual(rehearsal.take("statusBar"), expected.length === 0 ? [] : ["statusBar back"]);
  }
});

test("in a large window a full screen message is a dialog, a page is not", () => {
  for (const [kind, covers] of [["full", false], ["fullImage", false], ["html", true]]) {
    const rehearsal = new Rehearsal({ platform: { width: 1024, height: 768 } }).feed("deliver", message("m", { kind }));
    assert.equal(rehearsal.shown.coversScreen, covers, kind);
  }
});

test("colours follow the surroundings, without new events", () => {
  const themes = { light: { text: "#000000" }, dark: { text: "#ffffff" } };
  const rehearsal = new Rehearsal({ platform: { colorScheme: "dark" } });
  rehearsal.prepare = (context) => ({ ...context, message: withoutDarkThemes(context.message) });
  rehearsal.feed("deliver", message("m", { themes, buttons: [{ ...button("1"), themes }] })).take();
  assert.deepEqual([rehearsal.shown.context.message.themes.dark, rehearsal.shown.context.message.buttons[0].themes.dark], [undefined, undefined]);
  rehearsal.change({ colorScheme: "light" });
  assert.deepEqual(rehearsal.take(), ["update m"]);
  const plain = new Rehearsal({ settings: settings({ ignoresCampaignColors: true }) }).feed("deliver", message("n", { themes }));
  assert.deepEqual(plain.shown.context.message.themes, {});
});

test("an app may put another message in its place, but not another's id, and it has to be in order as well", () => {
  const rehearsal = new Rehearsal();
  rehearsal.prepare = (context) => ({ ...context, message: { ...message("mine", { kind: "slideup" }) } });
  rehearsal.feed("deliver", message("m"));
  assert.deepEqual([rehearsal.shown.context.message.message, rehearsal.shown.context.message.kind, rehearsal.count("warn m identityChanged")], ["m", "slideup", 1]);
  for (const change of [{ body: { type: "text", message: "" } }, { kind: "control" }, { extras: { view_type: "video" } }]) {
    const broken = new Rehearsal();
    broken.prepare = (context) => ({ ...context, message: message("m", change) });
    broken.feed("deliver", message("m"));
    assert.equal(broken.count("report m refused invalidContent"), 1);
  }
});

test("a campaign says how far from the edge, and the app has the last word", () => {
  const rehearsal = new Rehearsal();
  rehearsal.prepare = (context) => ({ ...context, edgeOffset: context.edgeOffset + 8 });
  rehearsal.feed("deliver", message("m", { kind: "slideup", extras: { edge_offset: 24 } }));
  assert.equal(rehearsal.shown.context.edgeOffset, 32);
});

// Pictures.

test("the screen is taken before pictures load, and given up if they cannot be had in time", () => {
  for (const [end, isFailure] of [[(one) => one.feed("assets", "failed", one.presenter.currentToken), true], [(one) => one.pass(10 * seconds), false]]) {
    const rehearsal = new Rehearsal({ settings: settings({ drainPolicy: "onSlotFree" }) });
    rehearsal.assets = [];
    rehearsal.feed("deliver", message("m1", { kind: "modalImage" })).feed("deliver", message("m2"));
    assert.deepEqual([rehearsal.stacked, rehearsal.count("choice m2")], ["m2", 0]);
    end(rehearsal);
    assert.deepEqual([rehearsal.count("report m1 refused assets"), rehearsal.visible], [1, "m2"], String(isFailure));
  }
});

test("without the picture for landscape the other is used; only what is secure is loaded", () => {
  const rehearsal = new Rehearsal();
  rehearsal.assets = ["landscapeFailed", "loaded"];
  const [image, landscapeImage] = [{ url: " https://example.com/a.png " }, { url: "https://example.com/b.png" }];
  rehearsal.feed("deliver", message("m", { kind: "imageOnly", body: { type: "image", image, landscapeImage } }));
  assert.deepEqual(rehearsal.shown.context.message.body, { type: "image", image });
  assert.deepEqual(rehearsal.outputs.find((one) => one.question === "loadAssets").assets, { image: "https://example.com/a.png", landscapeImage: landscapeImage.url });
  rehearsal.close();
  rehearsal.feed("deliver", message("n", { body: { type: "text", message: "x", image: { url: "http://example.com/a.png" } } }));
  assert.equal(rehearsal.count("load"), 1);
});

test("a view that does not come, or does not go, keeps nothing", () => {
  const rehearsal = new Rehearsal();
  rehearsal.viewShows = rehearsal.viewGoes = false;
  rehearsal.feed("deliver", message("m")).pass(15 * seconds);
  assert.deepEqual([rehearsal.count("report m refused watchdog"), rehearsal.presenter.isScreenTaken], [1, false]);
  rehearsal.viewShows = true;
  rehearsal.feed("deliver", message("n")).close();
  rehearsal.pass(5 * seconds);
  assert.deepEqual([rehearsal.count("finished n presented closeButton"), rehearsal.presenter.isScreenTaken], [1, false]);
});

// Players of sessions.

test("a player that finds the screen taken waits, the newest comes before all else, and not after its session", () => {
  const rehearsal = new Rehearsal({ settings: settings({ drainPolicy: "onSlotFree" }) });
  for (const one of [message("m"), message("s"), player("p"), player("q", { film: "two" })]) rehearsal.feed("deliver", one);
  assert.equal(rehearsal.count("finished p refused replaced"), 1);
  rehearsal.close();
  assert.equal(rehearsal.visible, "q");
  rehearsal.feed("deliver", player("r", { session: "s2" })).feed("sessionEnded", "s2");
  assert.equal(rehearsal.count("finished r refused sessionEnded"), 1);
});

test("another video in the session changes the player where it is, and another delivery is taken in", () => {
  const rehearsal = new Rehearsal().feed("sessionJoined", "s1", { url: video("one"), title: "one" }).feed("deliver", player("p"));
  rehearsal.take();
  rehearsal.feed("sessionMedia", "s1", { url: video("two"), title: "Second" });
  assert.deepEqual(rehearsal.take(), ["willUpdate p", "update p"]);
  assert.deepEqual(rehearsal.feed("sessionMedia", "s1", { url: video("two"), title: "Second" }).take(), []);
  rehearsal.feed("sessionMedia", "s1", { url: video("three") });
  assert.equal(rehearsal.presenter.visible.extras.video_title, undefined);
  rehearsal.take();
  rehearsal.feed("deliver", player("q", { film: "four" }));
  assert.deepEqual(rehearsal.take(), ["report q refused replaced", "finished q refused replaced"]);
});

test("what another delivery of its campaign says stands over the video that it brings", () => {
  const film = (id, title, change = {}) => ({ ...player(id, { film: title }),
    body: { type: "text", header: title, message: "Now", messageAlignment: "leading" }, ...change });
  for (const choice of ["now", undefined]) {
    const rehearsal = new Rehearsal();
    rehearsal.choice = () => choice;
    rehearsal.feed("deliver", film("p", "Sintel")).feed("deliver", film("q", "Bunny"));
    rehearsal.pass(5_000_000);
    assert.deepEqual(rehearsal.presenter.visible.body, film("q", "Bunny").body);
    rehearsal.feed("deliver", film("r", "Heat", { campaign: { id: "another", name: "A campaign", variant: "a", user: "u1" } }));
    assert.deepEqual(rehearsal.presenter.visible.body, film("q", "Bunny").body);
    assert.equal(rehearsal.visible, "p");
  }
});

test("the app's own player makes way for a campaign's, and nobody leaves", () => {
  const rehearsal = new Rehearsal().feed("sessionJoined", "s1", { url: video("one") });
  rehearsal.feed("present", { ...player("own"), campaign: undefined }).feed("deliver", player("p"));
  assert.deepEqual([rehearsal.visible, rehearsal.count("finished own presented replaced"), rehearsal.count("session")], ["p", 1, 0]);
});

test("a person who closes the player leaves once, then the session is cleared, then the item", () => {
  for (const close of [(one) => one.close(), (one) => one.feed("closeHost", "s1")]) {
    const rehearsal = new Rehearsal().feed("sessionJoined", "s1", { url: video("one") }).feed("deliver", player("p"));
    close(rehearsal);
    rehearsal.feed("dismiss", true).feed("closeHost", "s1");
    assert.deepEqual(rehearsal.take("didDismiss", "session", "finished"), ["didDismiss p closeButton", "session s1 leave",
      "session s1 clearSession", "session s1 clearItem", "finished p presented closeButton"]);
  }
});

test("in an app whose people watch on elsewhere, the player closes and nobody leaves, also while it waits", () => {
  for (const isWaiting of [false, true]) {
    const rehearsal = new Rehearsal().feed("sessionJoined", "s1", { url: video("one") });
    rehearsal.presenter.settings.leavesWithMessage = false;
    if (isWaiting) rehearsal.feed("acquireLease", 1);
    rehearsal.feed("deliver", player("p")).feed("closeHost", "s1");
    assert.deepEqual([rehearsal.count("session"), rehearsal.count("finished p")], [0, 1], `waiting: ${isWaiting}`);
  }
});

test("only who means it leaves", () => {
  for (const [leaves, ...input] of [[1, "dismiss"], [0, "dismiss", false], [0, "pageClosed"], [1, "userChanged", "u2"], [1, "dataWiped"], [0, "revoke", ["p"], true]]) {
    const rehearsal = new Rehearsal().feed("deliver", player("p")).feed(...input);
    assert.deepEqual([rehearsal.count("session s1 leave"), rehearsal.presenter.isScreenTaken], [leaves, false], input.join(" "));
  }
});

test("a button for the session keeps it, unless it leaves; and that once", () => {
  for (const [action, leaves] of [["join", 0], ["startForAll", 0], ["decline", 1], ["leave", 1]]) {
    const sequence = { type: "sequence", actions: [{ type: "close" }, { type: "session", action }] };
    const rehearsal = new Rehearsal().feed("deliver", player("p", { buttons: [button("1", sequence)] }));
    rehearsal.click({ button: "1" });
    assert.deepEqual([rehearsal.count("session s1 leave"), rehearsal.count("perform session")], [leaves, action === "leave" ? 0 : 1], action);
  }
});

test("when the session ends the player stops and goes, and nobody leaves", () => {
  const rehearsal = new Rehearsal().feed("sessionJoined", "s1", { url: video("one") }).feed("deliver", player("p"));
  rehearsal.take();
  rehearsal.feed("sessionEnded", "s1").feed("sessionEnded", "s1");
  assert.deepEqual(rehearsal.take("session", "pause", "will", "did"), ["session s1 clearSession", "session s1 clearItem", "pause",
    "willDismiss p sessionEnded", "didDismiss p sessionEnded"]);
});

test("when another person takes over, nothing of the first one is left", () => {
  const rehearsal = new Rehearsal().feed("sessionJoined", "s1", { url: video("one") }).feed("deliver", player("p")).feed("deliver", message("stacked"));
  rehearsal.viewGoes = false;
  rehearsal.take();
  rehearsal.feed("userChanged", "u2");
  assert.deepEqual(rehearsal.take("willDismiss", "did", "session", "finished", "dismiss"), ["willDismiss p userChanged", "dismiss at once",
    "didDismiss p userChanged", "session s1 leave", "session s1 clearSession", "session s1 clearItem", "finished p presented userChanged",
    "finished stacked refused userMismatch"]);
});
