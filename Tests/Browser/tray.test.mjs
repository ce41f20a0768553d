// A person's notifications on a page: registered, shown once, acknowledged and withdrawn, as in Swift.

import assert from "node:assert/strict";
import test from "node:test";
import { MatineeError } from "../../Sources/WebClient/Site/requests.js";
import { Tray } from "../../Sources/WebClient/Site/tray.js";

const settle = async () => { for (let turn = 0; turn < 10; turn += 1) await Promise.resolve(); };
const notice = (notification, more = {}) => ({
  notification, at: 1, payload: { aps: { alert: { title: notification } } }, ...more });
const silent = (notification, more = {}) => ({ notification, at: 1, payload: { aps: { "content-available": 1 } }, ...more });
const invitation = (notification, session) => ({
  notification, at: 1, payload: { aps: { alert: "Come", category: "GROUP_WATCH_INVITE" }, inv: notification, session } });

/** A client in a group, whose server takes everything, and what the person is told. */
class Page extends EventTarget {
  group = { id: "friday" };
  session = null;
  /** @type {any[][]} what the server was asked */ asked = [];
  /** @type {string[]} what the page was to show */ announced = [];
  /** @type {string[]} what the background was told */ behind = [];
  tray = new Tray(this);

  constructor({ isHidden = false, background } = {}) {
    super();
    globalThis.document = { hidden: isHidden };
    this.addEventListener("announcement", ({ detail }) => this.announced.push(detail.notification));
    this.tray.background = background === undefined ? null : {
      show: async (one) => { this.behind.push(`show ${one.notification}`); return background(); },
      withdraw: (notifications) => this.behind.push(`withdraw ${notifications}`) };
  }

  /** @type {string | null} why the server takes nothing */ refusal = null;

  async request(type, fields) {
    this.asked.push([type, fields]);
    if (this.refusal !== null) throw new MatineeError(this.refusal, "not now");
  }

  async tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
    await settle();
  }

  list(...notifications) { return this.tell("notifications", { notifications }); }

  /** Comes to the group, as after each welcome. */
  async come(resumed) {
    this.tray.enter({ resumed });
    await this.tell("group", this.group);
  }

  /** What the server was asked since the last time. */
  get heard() { return this.asked.splice(0); }
  /** What the server was told of notifications since the last time. */
  get acknowledged() { return this.heard.map(([, { notification, result }]) => `${notification} ${result}`); }
  get listed() { return this.tray.listed.map((one) => one.notification); }
}

test("a server that did not resume the connection gets the registration and the subscription again", async () => {
  const page = new Page();
  await page.come(false);
  assert.deepEqual(page.heard, [["registerForNotifications", {}]]);
  await page.tell("group", page.group);
  await page.come(true);
  assert.deepEqual(page.heard, [], "one that resumed it has them");
  const webPush = { endpoint: "https://push.example/1" };
  await page.tray.followGroup(true);
  await page.tray.register(webPush);
  page.asked = [];
  await page.come(false);
  assert.deepEqual(page.heard, [["registerForNotifications", { webPush }], ["subscribe", { topic: "group/friday" }]]);
});

test("a page without a group is registered once, and what it follows waits for the group", async () => {
  const page = new Page();
  await page.tray.followGroup(true);
  const { group } = page;
  page.group = null;
  page.asked = [];
  page.tray.enter({ resumed: false });
  await settle();
  assert.deepEqual([page.heard, page.tray.isAvailable], [[["registerForNotifications", {}]], true]);
  await page.tell("notification", notice("n1"));
  assert.deepEqual([page.announced, page.listed], [["n1"], ["n1"]]);
  page.asked = [];
  page.group = group;
  for (let turn = 0; turn < 2; turn += 1) await page.tell("group", group);
  assert.deepEqual(page.heard, [["subscribe", { topic: "group/friday" }]]);
});

test("only what this page was told to follow is followed again, and only in the same group", async () => {
  const page = new Page();
  await page.tray.register({ endpoint: "https://push.example/1" });
  const comes = async () => {
    page.asked = [];
    await page.come(false);
    return page.heard.map(([type]) => type);
  };
  assert.deepEqual(await comes(), ["registerForNotifications"], "an earlier page subscribed the browser");
  await page.tray.followGroup(true);
  page.group = { id: "saturday" };
  assert.deepEqual(await comes(), ["registerForNotifications"], "another group");
  page.group = { id: "friday" };
  assert.deepEqual(await comes(), ["registerForNotifications", "subscribe"]);
  await page.tray.followGroup(false);
  assert.deepEqual(await comes(), ["registerForNotifications"], "not any more");
});

for (const [code, isFinal] of [["notificationsUnavailable", true], ["busy", false], ["journalUnavailable", false], ["timedOut", false]]) {
  test(`a registration that is refused is ${isFinal ? "not made again" : "made again with the next group"}: ${code}`, async () => {
    const page = new Page();
    page.refusal = code;
    await page.come(false);
    assert.deepEqual([page.heard.length, page.tray.isAvailable], [1, false]);
    page.refusal = null;
    await page.tell("group", page.group);
    assert.deepEqual([page.heard.length, page.tray.isAvailable], isFinal ? [0, false] : [1, true]);
  });
}

test("what stands when a page comes is listed and acknowledged, and not shown", async () => {
  for (const isHidden of [false, true]) {
    const page = new Page({ isHidden, background: () => true });
    await page.list(notice("n1"), notice("n2", { new: true }), silent("n3", { new: true }));
    assert.deepEqual([page.listed, page.announced, page.behind], [["n2", "n1"], [], []]);
    assert.deepEqual(page.acknowledged, ["n2 notPresented", "n3 noData"]);
    await page.list(notice("n2", { new: true }));
    assert.deepEqual([page.announced, page.acknowledged], [[], ["n2 alreadyDelivered"]]);
  }
});

test("what is new in a later list is shown and acknowledged, and what is not new is only listed", async () => {
  const page = new Page();
  await page.list();
  await page.list(notice("n1"), notice("n2", { new: true }));
  assert.deepEqual([page.listed, page.announced, page.acknowledged], [["n2", "n1"], ["n2"], ["n2 presented"]]);
});

test("what comes again is acknowledged again, and not shown again", async () => {
  const page = new Page();
  await page.list();
  await page.tell("notification", notice("n1"));
  await page.list(notice("n1", { new: true }));
  assert.deepEqual([page.announced, page.acknowledged], [["n1"], ["n1 presented", "n1 alreadyDelivered"]]);
});

test("what is for apps alone is acknowledged, and neither shown nor kept", async () => {
  const page = new Page();
  await page.list();
  await page.tell("notification", silent("n1"));
  await page.list(silent("n2", { new: true }));
  assert.deepEqual([page.listed, page.announced, page.acknowledged], [[], [], ["n1 noData", "n2 noData"]]);
});

for (const [what, background, result] of [
  ["is shown behind the page", () => true, "presented"],
  ["that nothing shows was not shown", () => false, "notPresented"],
  ["that the browser fails to show was not shown", () => { throw new Error("no worker"); }, "notPresented"],
  ["has nothing to show it", undefined, "notPresented"]]) {
  test(`what arrives while nobody sees the page ${what}`, async () => {
    const page = new Page({ isHidden: true, background });
    await page.tell("notification", notice("n1"));
    const isShown = result === "presented";
    assert.deepEqual([page.announced, page.acknowledged], [isShown ? [] : ["n1"], [`n1 ${result}`]]);
    assert.deepEqual(page.behind, background === undefined ? [] : ["show n1"]);
  });
}

test("what stands no longer is withdrawn behind the page, too", async () => {
  const page = new Page({ background: () => true });
  const [n1, n2, n3, n4, n5] = ["n1", "n2", "n3", "n4", "n5"].map((name) => notice(name, { collapseID: name }));
  await page.list(n1, n2, n3, n4, n5);
  await page.tell("notificationsRevoked", { notifications: ["n1"] });
  await page.tray.answer(n2, true);
  await page.tray.remove([n3]);
  await page.tell("notification", notice("n6", { collapseID: "n4" }));
  await page.list(notice("n6"));
  assert.deepEqual(page.behind, ["n1", "n2", "n3", "n4", "n5"].map((name) => `withdraw ${name}`));
  assert.deepEqual(page.listed, ["n6"]);
});

test("a response is told with its action and text, and what is answered is listed no longer", async () => {
  const page = new Page();
  await page.list(notice("n1"), notice("n2"), invitation("n3"), notice("n4"));
  page.asked = [];
  const [n4, n3, n2, n1] = page.tray.listed;
  await page.tray.respond(n1, "REPLY_IDENTIFIER", "Save me a seat");
  await page.tray.respond(n2);
  await page.tray.answer(n3, false);
  assert.deepEqual(page.heard.map(([type, { notification, report, action, text }]) => [type, notification, report, action, text]), [
    ["reportNotification", "n1", "responded", "REPLY_IDENTIFIER", "Save me a seat"],
    ["reportNotification", "n2", "responded", "com.apple.UNNotificationDefaultActionIdentifier", undefined],
    ["reportNotification", "n3", "responded", "DECLINE_IDENTIFIER", undefined]]);
  page.refusal = "timedOut";
  await assert.rejects(page.tray.respond(n4));
  assert.deepEqual(page.listed, ["n4"], "one that the server did not hear of stays");
});

test("an invitation waits for what the page joins by itself, and for its withdrawal", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const page = new Page();
  for (const name of ["joined", "revoked", "open"]) await page.tell("notification", invitation(name, `s-${name}`));
  page.session = { id: "s-joined" };
  await page.tell("notificationsRevoked", { notifications: ["revoked"] });
  assert.deepEqual([page.announced, page.heard], [[], []]);
  context.mock.timers.tick(1_000);
  await settle();
  assert.deepEqual([page.announced, page.acknowledged],
    [["open"], ["joined notPresented", "revoked notPresented", "open presented"]]);
});
