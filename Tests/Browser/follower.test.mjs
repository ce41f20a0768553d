// The follower keeps to the transcripts that the Swift client's follower keeps to.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ClockEstimate, ClockSample } from "../../Sources/WebClient/Site/clock.js";
import { Follower } from "../../Sources/WebClient/Site/follower.js";

const cases = readFileSync(new URL("Cases/follower.txt", import.meta.url), "utf8").split(/^# /m).slice(1);

/** A word of a transcript as a number; `undefined` for `-`. */
const number = (word) => (word === "-" ? undefined : Number(word));

/** A timeline from the words of a transcript. */
function timeline(words) {
  if (words[0] === "none") return null;
  const ad = words.indexOf("ad");
  const [phase, ...fields] = ad < 0 ? words : words.slice(0, ad);
  const [seq, mediaTime, rate, duration, anchor, approach] = fields.map(number);
  const interstitials = ad < 0 ? [] : [{ start: Number(words[ad + 1]), end: Number(words[ad + 2]) }];
  return { phase, seq, mediaTime, rate, duration, anchor, approach, interstitials };
}

/** A player's event from the words of a transcript. */
function event([kind, first, second]) {
  switch (kind) {
    case "loaded": return { kind, duration: number(first), rates: [0.25, 4], noise: Number(second) };
    case "position": return { kind, position: Number(first), at: Number(second) };
    case "seeked": return { kind, target: Number(first) };
    case "seekFinished": return { kind, position: Number(first) };
    case "stalled": return first === undefined ? { kind } : { kind, position: Number(first) };
    case "rateChanged": return { kind, factor: Number(first) };
    default: return { kind };
  }
}

/** What a follower says, in a transcript's words. */
function words(output) {
  const { kind, command, intent } = output;
  if (command) return [command.kind, command.position ?? command.rate];
  if (intent) return ["wish", intent.kind, intent.position ?? intent.rate];
  if (kind !== "correction") return [kind, output.seq ?? output.reason ?? output.error];
  const names = { rate: "trimmed", groupRate: "untrimmed", seek: "soughtAhead" };
  const what = output.what.split(" ")[0];
  return [names[what] ?? what, output.error];
}

/** The Swift client counts in whole microseconds, and this one does not. */
const tolerance = 20;
/** By how much a wake-up moves without being written down: better clocks move it a little. */
const tolerableMove = 1_000;

/** Whether two lines say the same. */
function isSame(line, told) {
  const [one, other] = [line.split(" "), told.split(" ")];
  return one.length === other.length && one.every((word, index) => {
    if (word === other[index]) return true;
    const apart = Math.abs(Number(word) - Number(other[index]));
    return /rate|play/i.test(line) ? apart <= 0.0001 : one[1] !== "ready" && apart <= tolerance;
  });
}

class Seat {
  #follower = new Follower();
  #clock = null;
  #due = null;

  /** @param {string} line an input @returns {string[]} what comes of it */
  feed(line) {
    const [time, kind, ...rest] = line.split(" ");
    const input = this.#input(kind, rest);
    if (input === null) return [];
    const said = this.#follower.handle(input, this.#time(kind, Number(time))).map((output) =>
      ["> " + words(output)[0], ...words(output).slice(1).filter((one) => one !== undefined)].join(" "));
    const due = this.#follower.nextDeadline;
    const isSame = due === null || this.#due === null ? due === this.#due : Math.abs(due - this.#due) <= tolerableMove;
    if (isSame) return said;
    this.#due = due;
    return [...said, `= ${due ?? "none"}`];
  }

  /** When an input comes; a wake-up comes no earlier than it was wanted. */
  #time(kind, time) {
    const due = this.#follower.nextDeadline;
    return kind === "deadline" && due !== null && due - time < tolerance ? Math.max(time, Math.ceil(due)) : time;
  }

  #input(kind, rest) {
    switch (kind) {
      case "sample": {
        const sample = new ClockSample(...rest.map(Number));
        if (this.#clock === null) this.#clock = new ClockEstimate(sample);
        else this.#clock.add(sample);
        return null;
      }
      case "clock": return { kind, clock: this.#clock };
      case "timeline": return { kind, timeline: timeline(rest), clock: this.#clock };
      case "player": return { kind, event: event(rest) };
      case "suspended": return { kind, isSuspended: rest[0] === "true" };
      case "offset": return { kind: "playerOffset", offset: Number(rest[0]) };
      case "deadline": return { kind: "deadlineReached" };
      default: return { kind };
    }
  }
}

assert.ok(cases.length >= 20);
for (const one of cases) {
  const [name, ...lines] = one.trimEnd().split("\n");
  test(name, () => {
    const seat = new Seat();
    for (let index = 0; index < lines.length;) {
      const told = seat.feed(lines[index]);
      const place = `line ${index + 1}: ${lines[index]}`;
      const written = [];
      for (index += 1; index < lines.length && /^[>=]/.test(lines[index]); index += 1) written.push(lines[index]);
      const isAsWritten = told.length === written.length && told.every((line, at) => isSame(written[at], line));
      if (!isAsWritten) assert.deepEqual(told, written, place);
    }
  });
}

// An element's stall may be doubted, and is told late then. The Swift client's players tell theirs at once, so the
// shared transcripts have no such case.
for (const [name, told] of [["told at once", "12625000 player stalled 7365000"], ["told late", "13025000 player stalled 7365000"]]) {
  test(`a film that stood for half a second is sought, and its stall was ${name}`, () => {
    const seat = new Seat();
    const running = ["0 sample 0 0 0 0", "10000000 player loaded 600000000 1500", "10000000 timeline preparing 1 5000000 1 600000000",
      "10050000 player seekFinished 5000000", "10060000 timeline playing 2 5000000 1 600000000 10260000", "10220000 deadline",
      "10225000 player unpaused", "12600000 player position 7340000 12600000"];
    for (const line of running) seat.feed(line);
    assert.deepEqual(seat.feed(told), ["> suspend stallRecovery"]);
    const said = seat.feed("13125000 player recovered").map((line) => line.split(" ").slice(0, 2).join(" "));
    assert.deepEqual(said.slice(0, 3), ["> endSuspension", "> pause", "> seek"]);
  });
}
