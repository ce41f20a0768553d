// What a person asks of the film, and when the server takes it.

import assert from "node:assert/strict";
import test from "node:test";
import { maySend, steer } from "../../Sources/WebClient/Site/intents.js";

/** What is asked of the group and of the player. */
async function asked(intent, { isLocal }) {
  const [group, player] = [[], []];
  await steer({
    session: { item: "film.webm" }, request: (type, fields) => { group.push({ type, ...fields }); },
    player: { isLocal, obey: (one) => { player.push(one); } } }, intent);
  return { group, player };
}

test("the group is asked, unless the player does not follow it", async () => {
  const item = "film.webm";
  for (const [intent, request] of [
    [{ kind: "play" }, { type: "play", item }],
    [{ kind: "pause", position: 7 }, { type: "pause", item, mediaTime: 7 }],
    [{ kind: "pause" }, { type: "pause", item, mediaTime: undefined }],
    [{ kind: "seek", position: 7 }, { type: "seek", item, mediaTime: 7 }],
    [{ kind: "setRate", rate: 2 }, { type: "setRate", item, rate: 2 }]]) {
    assert.deepEqual(await asked(intent, { isLocal: false }), { group: [request], player: [] });
    assert.deepEqual(await asked(intent, { isLocal: true }), { group: [], player: [intent] });
  }
});

test("requests wait until the join is done, and steering until the item is open here", () => {
  const may = (type, session, item = "film.webm", player = {}) =>
    maySend({ type, fields: { item } }, { session, player });
  const session = { item: "film.webm", isOpen: (item) => item === "trailer.webm" };
  assert.deepEqual([may("join", null), may("setActivity", null)], [true, false]);
  assert.deepEqual([may("setActivity", session), may("pause", session)], [true, false]);
  assert.deepEqual(["trailer.webm", "other.webm"].map((item) => may("pause", session, item)), [true, true]);
  assert.equal(may("pause", session, "film.webm", null), true, "an app without a player follows nobody");
});
