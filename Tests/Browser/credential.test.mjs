// When the app is asked for a newer credential.

import assert from "node:assert/strict";
import test from "node:test";
import { hostNow } from "../../Sources/WebClient/Site/clock.js";
import { Credential, Renewal } from "../../Sources/WebClient/Site/credential.js";
import { MatineeError } from "../../Sources/WebClient/Site/requests.js";

const seconds = 1_000_000;

/** The host times at which the app is asked until then, if it answers with nothing new. */
function asked(renewal, until) {
  const times = [];
  while (renewal.nextDeadline !== null && renewal.nextDeadline <= until) {
    const now = renewal.nextDeadline;
    assert.equal(renewal.takeDue(now - 1), false);
    assert.equal(renewal.takeDue(now), true);
    times.push(now);
    renewal.fail(now);
  }
  return times;
}

test("the app is asked once the server says that the credential ends", () => {
  const renewal = new Renewal();
  renewal.noteShown("old", 0);
  assert.equal(renewal.nextDeadline, null);
  renewal.hearEnd(120 * seconds, 60 * seconds);
  assert.equal(renewal.nextDeadline, 60 * seconds);
  assert.equal(renewal.takeDue(60 * seconds), true);
  assert.equal(renewal.takeDue(60 * seconds), false, "once");
  renewal.noteShown("new", 61 * seconds);
  assert.equal(renewal.nextDeadline, null);
});

test("an app that has nothing new is asked again with growing pauses, until the credential ends", () => {
  const renewal = new Renewal();
  renewal.noteShown("old", 0);
  renewal.hearEnd(120 * seconds, 60 * seconds);
  const times = asked(renewal, 1_000 * seconds);
  assert.ok(times.length >= 8 && times.length < 30, `${times.length}`);
  assert.ok(times.at(-1) < 120 * seconds);
  assert.ok(times.at(-1) - times.at(-2) > 4 * seconds);
});

test("credentials that are shorter than the server's notice do not make the app busy", () => {
  const renewal = new Renewal();
  let now = 0;
  let count = 0;
  renewal.noteShown("0", now);
  // Each is good for 20 seconds, so that the server speaks at once.
  renewal.hearEnd(now + 20 * seconds, now);
  while (now < 120 * seconds) {
    now = renewal.nextDeadline;
    assert.equal(renewal.takeDue(now), true);
    count += 1;
    renewal.noteShown(`${count}`, now);
    renewal.hearEnd(now + 20 * seconds, now);
  }
  assert.ok(count < 40, `${count} in two minutes`);
});

test("the same credential and none are nothing new", () => {
  const renewal = new Renewal();
  renewal.noteShown("old", 0);
  assert.deepEqual(["old", "", undefined, "new"].map((one) => renewal.isNew(one)), [false, false, false, true]);
});

test("what the app gives is shown; what it has shown before is not, and a failure is told", async () => {
  const [shown, complaints] = [[], []];
  let answer = () => "one";
  const credential = new Credential(async () => answer(), async (text) => { shown.push(text); }, (error) => complaints.push(error.message));
  assert.equal(await credential.forHello(), "one");
  assert.equal(await credential.renew(), false);
  answer = () => "two";
  assert.equal(await credential.renew(), true);
  answer = () => { throw new Error("the backend is away"); };
  assert.equal(await credential.renew(), false);
  credential.close();
  assert.deepEqual([shown, complaints], [["two"], ["the backend is away"]]);
});

test("a renewal that its connection took along is no problem of the app's, which the next hello asks", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const complaints = [];
  let asked = 0;
  const credential = new Credential(
    () => `${asked += 1}`, async () => { throw new MatineeError("superseded", "the next hello shows it"); },
    (error) => complaints.push(error.code));
  await credential.forHello();
  credential.hearEnd(hostNow() + 60 * seconds);
  for (const pause of [1, 60_000]) {
    context.mock.timers.tick(pause);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
  assert.deepEqual([asked, complaints], [2, []]);
  assert.equal(await credential.forHello(), "3");
  credential.close();
});

test("one that has ended is not shown again: the app is asked at each hello, and told once", async () => {
  const complaints = [];
  let answer = "old";
  const credential = new Credential(() => answer, async () => {}, (error) => complaints.push(error.code));
  assert.equal(await credential.forHello(), "old");
  assert.equal(await credential.forHello(), "old", "a connection that only broke shows it again");
  credential.expire();
  await assert.rejects(credential.forHello(), { code: "credentialExpired" });
  await assert.rejects(credential.forHello(), { code: "credentialExpired" });
  assert.deepEqual(complaints, ["credentialExpired"]);
  answer = "new";
  assert.equal(await credential.forHello(), "new");
  credential.close();
});

test("a renewal that is under way when the client closes has no consequences", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let [asked, clock] = [0, 1];
  context.mock.method(performance, "now", () => clock);
  const [shown, complaints] = [[], []];
  /** Begins a renewal that waits for the app or for the server, closes, and lets both fail or go on. */
  async function close({ waitsForApp }) {
    let settle;
    const later = new Promise((resolve, reject) => { settle = waitsForApp ? resolve : reject; });
    const credential = new Credential(
      () => (asked += 1) === 2 && waitsForApp ? later : `${asked}`,
      (text) => (shown.push(text), later), (error) => complaints.push(error));
    asked = 0;
    await credential.forHello();
    credential.hearEnd(hostNow() + 60 * seconds);
    context.mock.timers.tick(1);
    assert.equal(asked, 2);
    await Promise.resolve();
    credential.close();
    settle(waitsForApp ? "new" : new Error("it is closed"));
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    clock += 10_000;
    context.mock.timers.tick(10_000);
    assert.equal(asked, 2, "nobody is asked any more");
  }
  await close({ waitsForApp: true });
  assert.deepEqual(shown, []);
  await close({ waitsForApp: false });
  assert.deepEqual([shown, complaints], [["2"], []]);
});
