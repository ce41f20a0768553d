// A file of one's own, compared with the group's; hashes as Syncplay's clients make them.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { OwnCopies, differencesOf, mediaOf, needsCopy } from "../../Sources/WebClient/Site/own-file.js";

const hash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 12);
const film = { name: "Big_Buck_Bunny (2008).mkv", size: 734_003_200 };

for (const [what, media, found] of [
  ["the same name and size", { url: film.name, size: film.size }, []],
  ["a name without size", { url: film.name }, []],
  ["a renamed file", { url: "Big Buck Bunny 2008.mkv", size: film.size }, []],
  ["an encoded name", { url: "Big_Buck_Bunny%20(2008).mkv", size: film.size }, []],
  ["a hashed name and size", { url: hash("BigBuckBunny2008mkv"), size: hash("734003200") }, []],
  ["a hidden name", { url: "**Hidden filename**" }, []],
  ["another size", { url: film.name, size: 1 }, ["size"]],
  ["another hashed size", { url: film.name, size: hash("1") }, ["size"]],
  ["another film", { url: "Sintel.mkv", size: 5 }, ["name", "size"]],
  ["a percent sign", { url: "100%.mkv" }, ["name"]],
]) {
  test(`${what} differs in ${found.join(" and ") || "nothing"}`, async () => {
    assert.deepEqual(await differencesOf(film, media), found);
  });
}

test("names of files need a copy, addresses none", () => {
  const wanted = ["film.mkv", "https://example.org/a", "http://a/b", "/media/x", "blob:1"].filter((url) => needsCopy({ url }));
  assert.deepEqual(wanted, ["film.mkv"]);
});

test("a copy plays the film for which it was chosen, and no other one of its name", (context) => {
  context.mock.method(URL, "createObjectURL", (file) => `blob:${file.name}`);
  const [first, second] = [{ url: "01.mkv", size: 5 }, { url: "01.mkv", size: 6 }];
  const copies = new OwnCopies();
  // Its own size is another one: the person took it anyway.
  copies.keep(first, { name: "S01E01.mkv", size: 7 });
  assert.deepEqual([first, second, { url: "01.mkv" }].map((media) => copies.urlOf(media)), ["blob:S01E01.mkv", null, null]);
  copies.keep(second, { name: "S02E01.mkv", size: 6 });
  copies.forget(first);
  assert.deepEqual([first, second].map((media) => copies.urlOf(media)), [null, "blob:S02E01.mkv"]);
});

test("the group is told the name and the size", () => {
  assert.deepEqual(mediaOf(film), { url: film.name, title: film.name, size: film.size });
});
