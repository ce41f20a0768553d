// What a page of HTML may say, and what a view needs: words, links, items, colours, models.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { runInNewContext } from "node:vm";
import { bridgeWords, deedOf } from "../../Sources/WebClient/Site/message-bridge.js";
import { allowsDeepLink, allowsPage, allowsVideo, itemsIn } from "../../Sources/WebClient/Site/message-faults.js";
import { complete } from "../../Sources/WebClient/Site/message-model.js";
import { buttonColors, colorOf, contrast, css, grounds, messageColors, readableOn } from "../../Sources/WebClient/Site/message-theme.js";
import { ViewRegistry } from "../../Sources/WebClient/Site/view-registry.js";
import { message } from "./rehearsal.mjs";

const open = (url, more = {}) => ({ tell: { kind: "clicked", click: { action: { type: "open", url, inApp: true }, isTransient: false, button: undefined, ...more } } });

// Proves: B4
test("the bridge has these words, and no others", () => {
  assert.deepEqual(bridgeWords, ["shown", "close", "escape", "logClick", "logEvent", "logPurchase", "setAttribute", "setMembership",
    "requestPushPermission", "openURL", "link"]);
  for (const data of [["changeUser", "eve"], ["constructor"], ["__proto__"], [7], "close", null, { 0: "close" }, []]) assert.equal(deedOf(data), null);
});

/** The frame with a page whose script is this; tells what it says, and hands over its window. */
function framed(act, readyState = "complete") {
  const html = readFileSync(new URL("../../Sources/WebClient/Site/message-frame.html", import.meta.url), "utf8");
  const [said, parent, window] = [[], {}, new EventTarget()];
  const document = { open() {}, write() { act(window); }, close() {}, documentElement: {}, readyState };
  const port = { postMessage: (word) => said.push(JSON.parse(JSON.stringify(word))) };
  Object.assign(window, { parent, document, Event });
  for (const name of ["addEventListener", "dispatchEvent"]) window[name] = EventTarget.prototype[name].bind(window);
  runInNewContext(/<script>(.*?)<\/script>/su.exec(html)[1], window);
  window.dispatchEvent(Object.assign(new Event("message"), { source: parent, ports: [port], data: { source: "", allowsScripts: true } }));
  return { said, window };
}

test("a page of Braze's begins at its event, and what has no like here stops nothing", () => {
  const { said } = framed((window) => window.addEventListener("ab.BridgeReady", () => {
    const { brazeBridge } = window;
    const user = brazeBridge.getUser();
    user.setEmail("a@b.c");
    user.setDateOfBirth(1990, 2, 3);
    user.incrementCustomUserAttribute("visits");
    brazeBridge.changeUser("eve");
    brazeBridge.closeMessage();
  }));
  assert.deepEqual(said, [["setAttribute", "email", "a@b.c"], ["setAttribute", "dob", "1990-02-03T00:00:00Z"], ["close"], ["shown"]]);
});

test("a page whose scripts a style sheet holds up begins once it is read", async () => {
  const { said, window } = framed((page) => page.addEventListener("ab.BridgeReady", () => page.appboyBridge.closeMessage()), "loading");
  assert.deepEqual(said, [["shown"]]);
  window.dispatchEvent(new Event("DOMContentLoaded"));
  assert.deepEqual(said, [["shown"], ["close"]]);
  assert.equal(await window.brazeBridge.getUser(), window.brazeBridge.getUser(), "nobody waits for it");
});

test("a word that is in order is done", () => {
  assert.deepEqual(deedOf(["logClick", "first"]), { tell: { kind: "loggedClick", button: "first" } });
  assert.deepEqual(deedOf(["logClick", ""]), { tell: { kind: "loggedClick", button: undefined } });
  assert.deepEqual(deedOf(["logEvent", "X", { a: 1, b: { c: 2 }, d: ["e"], f: [1] }]),
    { perform: { type: "logEvent", name: "X", properties: { a: 1, d: ["e"] } } });
  assert.deepEqual(deedOf(["setAttribute", "taste", null]), { notice: "setAttributes", fields: { remove: ["taste"] } });
});

test("a word that is not in order is nothing", () => {
  for (const data of [["logEvent"], ["logEvent", ""], ["logEvent", "x".repeat(129)], ["logEvent", {}], ["setAttribute", "a", { b: 1 }],
    ["setAttribute", "a", NaN], ["setMembership", "a", "yes"], ["openURL", 7], ["openURL", "x".repeat(3_000)]]) assert.equal(deedOf(data), null, String(data[0]));
  for (const value of [1e20, -(2 ** 63), "\ud83d", ["\ud83d"]]) assert.equal(deedOf(["setAttribute", "a", value]), null, String(value));
  assert.equal(deedOf(["logEvent", "\udfac"]), null);
  assert.deepEqual(deedOf(["logEvent", "X", { a: 1e20, "\ud83d": 1, b: 1e21, c: "🎬" }]).perform.properties, { b: 1e21, c: "🎬" });
  assert.equal(deedOf(["logEvent", "X", { a: "x".repeat(9_000) }]).perform.properties, undefined);
});

test("links lead to pages and places, and never into code", () => {
  assert.deepEqual(deedOf(["link", "https://a.example/x?abButtonId=7&b=1"]), open("https://a.example/x?b=1", { button: "7" }));
  assert.deepEqual(deedOf(["link", "films", ""], "https://a.example/mail/"), open("https://a.example/mail/films"));
  assert.deepEqual(deedOf(["link", "https://a.example/", "_blank"]).tell.click, { action: { type: "open", url: "https://a.example/", inApp: false }, isTransient: true, button: undefined });
  assert.equal(deedOf(["link", "https://a.example/?abDeepLink=true"]).tell.click.action.type, "deepLink");
  assert.equal(deedOf(["link", "shop://front"]).tell.click.action.type, "deepLink");
  assert.deepEqual(deedOf(["link", "appboy://close"]), { tell: { kind: "closed", gesture: "button" } });
  assert.deepEqual(deedOf(["link", "matinee://customEvent?name=X&where=here"]).perform, { type: "logEvent", name: "X", properties: { where: "here" } });
  for (const link of ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "blob:x", "file:///etc/passwd", "vbscript:x", "films"]) {
    assert.equal(deedOf(["link", link]), null, link);
  }
});

test("what may be opened, gone to and played", () => {
  assert.deepEqual(["https://a.example", "http://a/b", "javascript:x", "/path", "https://", "//a", "https://a b"].map(allowsPage), [true, true, false, false, false, false, false]);
  assert.deepEqual(["/x", "app://x", "javascript:x", "Data:x", "", "a b", "1x://y"].map(allowsDeepLink), [true, true, false, false, false, false, false]);
  assert.deepEqual(["https://a.example/a.mp4", "/media/x", "film.mkv", "blob:https://a/1", "javascript:x", "//a/b", "https://me:pw@a/b", ""].map(allowsVideo),
    [true, true, true, true, false, false, false, false]);
});

test("items are parted by a comma with space behind it", () => {
  assert.deepEqual(itemsIn("Drama, Comedy"), ["Drama", "Comedy"]);
  assert.deepEqual([itemsIn("Drama,Comedy"), itemsIn("1,000, 2,000"), itemsIn(""), itemsIn(" a ,\tb,")], [["Drama,Comedy"], ["1,000", "2,000"], [], ["a", "b"]]);
  assert.deepEqual(itemsIn("A,B", "lenient"), ["A", "B"]);
});

test("what can be read is left, and what cannot is black or white", () => {
  assert.deepEqual(colorOf("#80ff0000"), { red: 255, green: 0, blue: 0, alpha: 128 / 255 });
  assert.equal(colorOf("white"), undefined);
  assert.equal(contrast(colorOf("#000000"), colorOf("#ffffff")), 21);
  const ink = (theme, scheme = "light", isFirst = false) => buttonColors(theme, scheme, isFirst)["button-ink"];
  assert.equal(ink({ background: "#ff8800", text: "#ffffff" }), "rgb(20 18 22)");
  assert.equal(ink({ background: "#7a1f33", text: "#ffffff" }), "rgb(255 255 255)");
  assert.equal(ink({ background: "#80ff8800", text: "#ffffff" }), "rgb(255 255 255)", "its ground is not known");
  assert.equal(messageColors({ background: "#101010" }, "light").ink, "rgb(255 255 255)", "a ground without a text");
  assert.deepEqual(messageColors({}, "dark"), {});
  assert.deepEqual([buttonColors({}, "dark", true), buttonColors({ border: "#7a1f33" }, "light", false)], [{}, { "button-border": "rgb(122 31 51)" }]);
  // A text alone is on the usual ground of its button.
  assert.deepEqual([ink({ text: "#efebe6" }), ink({ text: "#b4293f" }, "light", true), ink({ text: "#2f2a34" }, "dark")],
    ["rgb(20 18 22)", "rgb(255 255 255)", "rgb(255 255 255)"]);
  assert.deepEqual([ink({ text: "#7a3e00" }), ink({ text: "#ffffff" }, "light", true)], ["rgb(122 62 0)", "rgb(255 255 255)"]);
  assert.equal(messageColors({ icon: "#ffff00", iconBackground: "#ffffff" }, "light").icon, "rgb(20 18 22)");
  assert.equal(messageColors({ iconBackground: "#101010" }, "light").icon, "rgb(255 255 255)", "the words' colour is too dark there");
  assert.equal(messageColors({ icon: "#efebe6" }, "light").icon, "rgb(20 18 22)");
  assert.equal(messageColors({ icon: "#7a3e00" }, "light").icon, "rgb(122 62 0)");
});

test("a text can be read from a contrast of 4.5 to 1 on, as campaigns are checked", () => {
  const lines = readFileSync(new URL("Cases/contrast.txt", import.meta.url), "utf8").trim().split("\n");
  assert.ok(lines.length > 10);
  for (const line of lines) {
    const [text, , background, , verdict] = line.split(" ");
    assert.equal(css(readableOn(colorOf(text), colorOf(background))) === css(colorOf(text)), verdict === "readable", line);
  }
});

test("the usual grounds of texts are those of the stylesheet", () => {
  const styles = readFileSync(new URL("../../Sources/WebClient/Site/messages.css", import.meta.url), "utf8");
  for (const [index, { message: background, well, accent }] of [grounds.light, grounds.dark].entries()) {
    const [, light, dark] = /^\.matinee-message \{([^}]*)\}[^]*?\n\.matinee-message\[data-scheme="dark"\] \{([^}]*)\}/m.exec(styles);
    const usual = (name) => colorOf(new RegExp(`--message-${name}: (#\\w+);`).exec([light, dark][index])?.[1]);
    assert.deepEqual([background, well, accent], ["background", "well", "accent"].map(usual));
  }
});

test("the app's word goes first, then the campaign's, then the kind's", () => {
  const registry = new ViewRegistry();
  const choose = (view_type, viewType, kind = "modal") => registry.choose({ message: message("m", { kind, extras: { view_type } }), viewType });
  registry.register("mine");
  registry.use("mine", "modal");
  assert.deepEqual([choose("picker", "video"), choose("picker"), choose(), choose(undefined, undefined, "card"), choose(7)].map(({ view }) => view),
    ["video", "picker", "mine", "default", "mine"]);
  assert.deepEqual(choose("pickr"), { view: "mine", unknown: "pickr" });
  assert.throws(() => registry.use("nibname", "modal"), /no view is registered as nibname/);
  registry.isStrict = true;
  assert.deepEqual(choose("pickr"), { view: null, unknown: "pickr" });
});

test("a kind that is not known here is none, and what is left out is the kind's", () => {
  assert.equal(complete({ message: "m", kind: "hologram" }), null);
  assert.equal(complete({ message: "m", kind: "modal", body: { type: "smell" } }), null);
  assert.equal(complete({ message: "m", kind: "modal", clickAction: { type: "explode" } }), null);
  const slideup = complete({ message: "m", kind: "slideup", body: { type: "text", message: "x" }, closing: { after: "never" } });
  assert.deepEqual([slideup.surface, slideup.closing], ["bottom", { after: null, bySwipe: true, byButton: false, byTapOutside: false }]);
});
