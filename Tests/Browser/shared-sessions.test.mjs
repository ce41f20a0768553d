// The session's mirror keeps to what a server told its peers on evenings by chance, as the Swift client's does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { SessionMirror } from "../../Sources/WebClient/Site/mirror.js";

const cases = readFileSync(new URL("Cases/sessions.txt", import.meta.url), "utf8").split(/^# /m).slice(1);

/** Whether a field says what its absence says, too. */
const isVoid = (name, value) =>
  value === undefined || (["readySeq", "endedSeq"].includes(name) && value === 0)
  || (name === "doubts" && Object.keys(value).length === 0);

/** A mirror as plain values, without what is not there. */
function plain(mirror) {
  const fields = { ...mirror, isShuffled: mirror.queue.isShuffled };
  return JSON.parse(JSON.stringify(fields, (name, value) => {
    if (isVoid(name, value)) return undefined;
    return value instanceof Map ? Object.fromEntries([...value].sort()) : value;
  }));
}

assert.ok(cases.length >= 4);
for (const one of cases) {
  const [name, ...lines] = one.trimEnd().split("\n");
  test(name, () => {
    let mirror = null;
    for (const [index, line] of lines.entries()) {
      const message = JSON.parse(line);
      if (message.type === "withheld") mirror.seq = message.seq;
      else if (message.type === "event") mirror.evolve(message);
      else {
        const told = new SessionMirror(message);
        if (mirror !== null) assert.deepEqual(plain(mirror), plain(told), `line ${index + 1}`);
        mirror ??= told;
      }
    }
  });
}
