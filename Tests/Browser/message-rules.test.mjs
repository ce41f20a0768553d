// Which in-app message is shown when, and what is told of it, by the transcripts that the Swift client keeps to.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { isRightToLeft } from "../../Sources/WebClient/Site/message-model.js";
import { message, player, Rehearsal, video } from "./rehearsal.mjs";

const cases = readFileSync(new URL("Cases/messages.txt", import.meta.url), "utf8")
  .split(/^# /m).slice(1).map((one) => one.trimEnd().split("\n"));

/** What only a view carries out. */
const forView = /^(load|prepare|show|pause|dismiss|release|statusBar|hold)\b/;
/** What a message says in words. */
const value = (word) => (/^\d+$/.test(word) ? Number(word) : { true: true, false: false }[word] ?? word);
const pairs = (words) => Object.fromEntries(words.map((word) => word.split("=")).map(([name, word]) => [name, value(word)]));
const media = (film) => film && { url: video(film) };

/** A message by its kind and id, or a player by its id and film; `NAME=VALUE` are of its campaign. */
function told([kind, id, ...words], fields) {
  if (kind === "player") return player(id, { film: words[0] });
  return message(id, { kind, ...pairs(words), ...JSON.parse(fields || "{}") });
}

class Transcript extends Rehearsal {
  /** @param {string} line an input @returns {string[]} what comes of it */
  hear(line) {
    const [, input, rest, fields] = /^(\w+) ?([^{]*)(.*)$/.exec(line);
    this.#take(input, rest.split(" ").filter((word) => word !== ""), fields);
    return this.take().filter((one) => !forView.test(one)).map((one) => `> ${decided(one)}`);
  }

  #take(input, words, fields) {
    const [first, second] = words;
    switch (input) {
      case "let": return this.#let(first, second);
      case "settings": return Object.assign(this.presenter.settings, pairs(words), first.startsWith("quietScreens")
        && { quietScreens: new Set([first.split("=")[1]]) });
      case "platform": return this.change(pairs(words));
      case "wait": return this.pass(Number(first));
      case "deliver": return this.feed("deliver", told(words, fields));
      case "again": return this.feed("deliver", told(words, fields), undefined, true);
      case "present": return this.feed("present", { ...told(words, fields), campaign: undefined });
      case "chose": return this.feed("chose", first, this.tokens[second]);
      case "view": return this.view(first, { failure: second, button: second, leavesSession: second === "staying" ? false : undefined });
      case "click": return this.click(first === "staying" ? { isTransient: true } : { button: first });
      case "close": return this.close(first);
      case "report": return this.report({ kind: first, reason: second, button: second, failure: second });
      case "dismiss": return this.feed("dismiss", first !== "staying");
      case "revoke": return this.feed("revoke", words.filter((word) => word !== "forced"), first === "forced");
      case "user": return this.feed("userChanged", first);
      case "wipe": return this.feed("dataWiped");
      case "closePage": return this.feed("pageClosed");
      case "joined": return this.feed("sessionJoined", first, media(second));
      case "media": return this.feed("sessionMedia", first, media(second));
      case "ended": return this.feed("sessionEnded", first);
      case "lease": return this.feed("acquireLease", Number(first));
      case "release": return this.feed("releaseLease", Number(first));
      default: return this.feed(input, value(first));
    }
  }

  #let(what, word) {
    switch (what) {
      case "choice": this.choice = () => (word === "nothing" ? undefined : word); return;
      case "process": this.processes = { yes: true, no: false, nothing: null }[word]; return;
      case "prepare": this.prepare = null; return;
      case "assets": this.assets = word === "nothing" ? [] : [word]; return;
      case "view": [this.viewShows, this.viewGoes] = [false, false]; return;
    }
  }
}

/** What was decided, without its details. */
const decided = (line) => line.replace(/^(process \S+).*/, "$1").replace(/^(perform \w+).*/, "$1").replace(/^(warn \S+ \w+).*/, "$1");

/** A message's usual coming and going in one line each; whatever differs stays written out. */
const shorten = (text) => text
  .replace(/> willPresent (\w+)\n> report \1 started\n> impression \1\n> report \1 impression\n> didPresent \1/g, "> shown $1")
  .replace(/> willDismiss (\w+) (\w+)\n> didDismiss \1 \2\n> report \1 dismissed \2(.*)\n> finished \1 presented \2/g, "> gone $1 $2$3");

assert.ok(cases.length >= 50);
for (const [name, ...script] of cases) {
  test(name, () => {
    const transcript = new Transcript();
    const lines = script.filter((one) => !one.startsWith("> ")).flatMap((line) => [line, ...transcript.hear(line)]);
    assert.deepEqual(shorten(lines.join("\n")).split("\n"), script);
  });
}

test("languages are written in the direction in which a terminal writes them", () => {
  for (const line of readFileSync(new URL("Cases/directions.txt", import.meta.url), "utf8").trim().split("\n")) {
    const [language, direction] = line.split(" ");
    assert.equal(isRightToLeft(language), direction === "rtl", line);
  }
});
