// Where the arrows of a remote control lead, on a screen of four buttons.

import assert from "node:assert/strict";
import test from "node:test";
import { distance } from "../../Sources/WebClient/Site/arrows.js";

const box = (left, top) => ({ left, right: left + 100, top, bottom: top + 40 });
const buttons = { play: box(0, 200), sound: box(400, 200), invite: box(900, 0), add: box(900, 300) };

for (const [from, arrow, to] of [
  ["play", "ArrowRight", "sound"], ["sound", "ArrowLeft", "play"], ["sound", "ArrowRight", "add"],
  ["invite", "ArrowDown", "add"], ["add", "ArrowUp", "invite"], ["add", "ArrowLeft", "sound"],
  ["play", "ArrowLeft", undefined], ["add", "ArrowRight", undefined],
]) {
  test(`${arrow} from ${from} leads to ${to}`, () => {
    const found = Object.entries(buttons).filter(([name]) => name !== from)
      .map(([name, place]) => [distance(buttons[from], place, arrow), name])
      .filter(([far]) => far < Infinity).sort(([one], [other]) => one - other);
    assert.equal(found[0]?.[1], to);
  });
}
