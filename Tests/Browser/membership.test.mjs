// How a device joins a group, and comes back into it once the server no longer knows it.

import assert from "node:assert/strict";
import test from "node:test";
import { Membership } from "../../Sources/WebClient/Site/membership.js";
import { MatineeError } from "../../Sources/WebClient/Site/requests.js";

const settle = async () => { for (let turn = 0; turn < 10; turn += 1) await Promise.resolve(); };

/** A device in no group yet; each of its requests waits for an answer. */
function newcomer() {
  /** @type {string[]} */ const told = [];
  /** @type {{group?: string, succeed: () => void, fail: (code: string) => void}[]} */ const asked = [];
  const asking = (isReturn) => (_type, fields = {}) => new Promise((succeed, fail) => {
    asked.push({ group: fields.group, isReturn, succeed: () => succeed({}), fail: (code) => fail(new MatineeError(code, "no")) });
  });
  const membership = new Membership({ request: asking(false), requestReturn: asking(true), welcome: { device: "ann" } }, (name) => { told.push(name); });
  /** The server tells the group that the device is in, or that it has left it. */
  const enter = (id) => membership.hear({ type: "group", group: id, seq: 1, founder: "ann", members: [{ device: "ann" }] }, false);
  const part = (id) => membership.hear({ type: "groupEvent", group: id, seq: 2, event: "memberLeft", device: "ann" }, false);
  return { membership, told, asked, enter, part, groups: () => asked.map(({ group }) => group) };
}

/** A device that asks to come back into its group. */
async function returning() {
  const device = newcomer();
  const joined = device.membership.join("friday");
  device.asked.shift().succeed();
  await joined;
  device.membership.rejoin();
  return device;
}

test("a patient joining is asked again until the server answers", async () => {
  for (const refusal of [undefined, "pairingRefused"]) {
    const { membership, asked, groups } = newcomer();
    const joined = membership.join("friday", undefined, { isPatient: true });
    for (const count of [0, 1]) {
      asked[count].fail("timedOut");
      await settle();
    }
    assert.deepEqual(groups(), ["friday", "friday", "friday"]);
    if (refusal === undefined) asked[2].succeed();
    else asked[2].fail(refusal);
    await (refusal === undefined ? joined : assert.rejects(joined, { code: refusal }));
    assert.equal(membership.isWanted, refusal === undefined);
  }
});

test("a patient joining, as a return does, waits for a server that cannot store it, and no other one does", () => {
  for (const isPatient of [true, false]) {
    const { membership, asked } = newcomer();
    membership.join("friday", undefined, { isPatient }).catch(() => {});
    assert.deepEqual(asked.map(({ isReturn }) => isReturn), [isPatient]);
  }
});

test("whoever leaves a group and joins it again at once is in it", async () => {
  const { membership, asked, enter, part, groups } = newcomer();
  const joined = membership.join("friday");
  enter("friday");
  asked[0].succeed();
  await joined;
  await membership.join("friday");
  assert.deepEqual(groups(), ["friday"], "it is there");
  const left = membership.leave();
  const again = membership.join("friday");
  assert.deepEqual(groups(), ["friday", undefined, "friday"], "it leaves once, and joins");
  part("friday");
  asked[1].succeed();
  enter("friday");
  asked[2].succeed();
  await Promise.all([left, again]);
  assert.ok(membership.isWanted && membership.group.id === "friday");
  await membership.join("friday");
  assert.equal(asked.length, 3);
});

test("a device whose leaving is refused is still in its group, and one whose leaving has no answer yet leaves", async () => {
  for (const code of ["rateLimited", "timedOut"]) {
    const { membership, asked, enter } = newcomer();
    enter("friday");
    const left = membership.leave();
    asked[0].fail(code);
    await assert.rejects(left, { code });
    membership.join("friday").catch(() => {});
    assert.equal(asked.length, code === "timedOut" ? 2 : 1);
  }
});

test("a group that was left before the joining was answered is not wanted", async () => {
  const { membership, asked } = newcomer();
  const joined = membership.join("friday");
  const left = membership.leave();
  for (const { succeed } of asked) succeed();
  await Promise.all([joined, left]);
  assert.ok(!membership.isWanted);
});

test("any other joining fails without an answer", async () => {
  const { membership, asked, groups } = newcomer();
  const joined = membership.join("friday");
  asked[0].fail("timedOut");
  await assert.rejects(joined, { code: "timedOut" });
  assert.deepEqual(groups(), ["friday"]);
});

for (const [name, wish, next] of [
  ["joining", (membership) => membership.join("monday"), "monday"],
  ["leaving", (membership) => membership.leave(), undefined],
]) {
  test(`a patient joining gives way to a newer ${name}`, async () => {
    const { membership, asked, groups } = newcomer();
    const joined = membership.join("friday", undefined, { isPatient: true });
    wish(membership).catch(() => {});
    asked[0].fail("timedOut");
    await assert.rejects(joined, { code: "timedOut" });
    assert.deepEqual(groups(), ["friday", next]);
  });
}

for (const code of ["forgotten", "closed"]) {
  test(`the group stays wanted for the next welcome: ${code}`, async () => {
    const { membership, told, asked, groups } = await returning();
    asked[0].fail(code);
    await settle();
    assert.ok(membership.isWanted);
    assert.deepEqual([told, groups()], [[], ["friday"]]);
  });
}

test("a return without an answer is asked again", async () => {
  const { membership, told, asked, groups } = await returning();
  asked[0].fail("timedOut");
  await settle();
  assert.ok(membership.isWanted);
  assert.deepEqual([told, groups()], [[], ["friday", "friday"]]);
  asked[1].fail("groupFull");
  await settle();
  assert.ok(!membership.isWanted);
  assert.deepEqual([told, groups().length], [["group", "refused"], 2]);
});

for (const code of ["groupFull", "tooManyRequests"]) {
  test(`the group is given up when the return is refused: ${code}`, async () => {
    const { membership, told, asked, groups } = await returning();
    asked[0].fail(code);
    await settle();
    assert.ok(!membership.isWanted);
    assert.deepEqual([told, groups()], [["group", "refused"], ["friday"]]);
  });
}

for (const code of ["superseded", "timedOut", "groupFull"]) {
  test(`a newer joining decides what is wanted, whatever becomes of the return: ${code}`, async () => {
    for (const isGranted of [true, false]) {
      const { membership, told, asked, groups } = await returning();
      membership.join("monday").catch(() => {});
      asked[0].fail(code);
      await settle();
      assert.ok(!membership.isWanted);
      if (isGranted) asked[1].succeed();
      else asked[1].fail("wrongKey");
      await settle();
      assert.equal(membership.isWanted, isGranted);
      assert.deepEqual([told, groups()], [[], ["friday", "monday"]]);
    }
  });

  test(`so does a newer leaving: ${code}`, async () => {
    const { membership, told, asked, groups } = await returning();
    membership.leave().catch(() => {});
    asked[0].fail(code);
    await settle();
    assert.ok(!membership.isWanted);
    assert.deepEqual([told, groups()], [[], ["friday", undefined]]);
  });
}

test("a return gives the group up, too, when the app itself sends a newer request", async () => {
  const { membership, told, asked } = await returning();
  asked[0].fail("superseded");
  await settle();
  assert.ok(!membership.isWanted);
  assert.ok(!told.includes("refused"));
});
