// What plays a media: its URL, or for one of the server's own the address that the server tells.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openMedia } from "../../Sources/WebClient/Site/media.js";

const address = "/media/s-1.tag/Films/Sintel.mp4";

/** A client of the server at this URL. */
const client = (url) => ({ url, request: async (type, { url }) => {
  assert.deepEqual([type, url], ["openMedia", "/media/Films/Sintel.mp4"]);
  return { address };
} });

for (const [url, origin] of [
  ["wss://watch.example/ws", "https://watch.example"],
  ["wss://watch.example:8443/ws", "https://watch.example:8443"],
  ["ws://127.0.0.1:8080/ws", "http://127.0.0.1:8080"],
]) {
  test(`the server at ${url} has its media at ${origin}`, async () => {
    assert.equal(await openMedia(client(url), "/media/Films/Sintel.mp4"), origin + address);
  });
}

test("any other media is where its URL says", async () => {
  const other = "https://example.com/film.mp4";
  assert.equal(await openMedia(client("wss://watch.example/ws"), other), other);
});
