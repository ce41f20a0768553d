// A file of one's own, compared with the group's; hashes as Syncplay's clients make them.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { differencesOf, mediaOf, needsCopy } from "../../Sources/WebClient/Site/own-file.js";

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

test("the group is told the name and the size", () => {
  assert.deepEqual(mediaOf(film), { url: film.name, title: film.name, size: film.size });
});
