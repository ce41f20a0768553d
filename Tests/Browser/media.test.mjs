// What an address names, and what plays a media: its URL, or for one of the server's own the address that the server tells.

import assert from "node:assert/strict";
import { test } from "node:test";
import { listMedia, listSubtitles, mediaAt, openMedia } from "../../Sources/WebClient/Site/media.js";

const address = "/media/s-1.tag/Films/Sintel.mp4";

/** A client of the server at this URL. */
const client = (url) => ({ url, request: async (type, { url }) => {
  assert.deepEqual([type, url], type === "listMedia" ? [type, undefined] : ["openMedia", "/media/Films/Sintel.mp4"]);
  return { address };
} });

for (const [url, place] of [
  ["wss://watch.example/ws", "https://watch.example"],
  ["wss://watch.example:8443/ws", "https://watch.example:8443"],
  ["ws://127.0.0.1:8080/ws", "http://127.0.0.1:8080"],
  ["wss://app.example/film/ws", "https://app.example/film"],
]) {
  test(`the server at ${url} has its media at ${place}`, async (context) => {
    assert.equal(await openMedia(client(url), "/media/Films/Sintel.mp4"), place + address);
    const fetched = context.mock.method(globalThis, "fetch", async () => Response.json({ media: [], more: false }));
    assert.deepEqual(await listMedia(client(url)), { media: [], more: false });
    assert.deepEqual(fetched.mock.calls.map((call) => call.arguments), [[place + address]]);
  });
}

/** A client of a server that has these files. */
function serving(context, ...names) {
  const media = names.map((name) => ({ url: `/media/${name}`, size: 1 }));
  context.mock.method(globalThis, "fetch", async () => Response.json({ media, more: false }));
  return client("wss://watch.example/ws");
}

test("the list has films, whose endings are told where their titles are alike", async (context) => {
  const { media } = await listMedia(serving(context, "Season%201/1.webm", "Sintel.en.vtt", "Sintel.mkv", "Sintel.mp4", "Sintel.vtt", "Up.VTT", "Up.webm"));
  assert.deepEqual(media.map(({ title }) => title), ["Season 1 / 1", "Sintel.mkv", "Sintel.mp4", "Up"]);
  assert.deepEqual(media[0], { url: "/media/Season%201/1.webm", title: "Season 1 / 1", size: 1 });
});

for (const [film, names] of [
  ["/media/Sintel.mp4", ["", "en"]], ["/media/Sintel.mkv", ["", "en"]], ["/media/Sintel.cut.webm", ["de"]],
  ["/media/Season%201/1.webm", ["en.forced"]], ["/media/Season 1/1.webm", ["en.forced"]], ["/media/Alone.webm", []],
  ["https://example.com/Sintel.mp4", []],
]) {
  test(`the subtitles of ${film}: ${JSON.stringify(names)}`, async (context) => {
    const served = serving(context, "Alone.webm", "Other.vtt", "Season%201/1.en.forced.vtt", "Season%201/1.webm", "Season%202/1.vtt",
      "Sintel.cut.de.vtt", "Sintel.cut.webm", "Sintel.en.vtt", "Sintel.mkv", "Sintel.mp4", "Sintel.vtt");
    assert.deepEqual((await listSubtitles(served, film)).map(({ name }) => name).sort(), names);
  });
}

test("any other media is where its URL says", async () => {
  const other = "https://example.com/film.mp4";
  assert.equal(await openMedia(client("wss://watch.example/ws"), other), other);
});

for (const [typed, url, title] of [
  [" https://example.com/Big_Buck%20Bunny.webm", "https://example.com/Big_Buck%20Bunny.webm", "Big Buck Bunny"],
  ["https://example.com/f%FCr.mp4", "https://example.com/f%FCr.mp4", "f%FCr"],
  ["https://example.com/100%.mp4", "https://example.com/100%.mp4", "100%"],
  ["https://example.com/", "https://example.com/", "example.com"],
  ["/media/film.webm", "/media/film.webm", "film"],
  ["example.com/film.mp4", "https://example.com/film.mp4", "film"],
]) {
  test(`the address ${typed} names ${title}`, (context) => {
    Object.assign(globalThis, { location: new URL("https://watch.example/friday") });
    context.after(() => delete globalThis.location);
    assert.deepEqual(mediaAt(typed), { url, title });
  });
}

test("what no browser can open is no address", (context) => {
  Object.assign(globalThis, { location: new URL("https://watch.example/friday") });
  context.after(() => delete globalThis.location);
  for (const typed of ["https://", "javascript:alert(1)", "data:video/webm,", "ftp://example.com/film.mp4", "C:\\film.mp4"]) {
    assert.equal(mediaAt(typed), null, typed);
  }
});
