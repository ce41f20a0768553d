// Which parts of what people say are addresses.

import assert from "node:assert/strict";
import test from "node:test";
import { partsOf } from "../../Sources/WebClient/Site/links.js";

const addresses = (said) => partsOf(said).flatMap((part) => (part.isAddress ? [part.said] : []));

for (const [said, found] of [
  ["https://example.org/film", "https://example.org/film"],
  ["See http://example.org/a?b=c#d.", "http://example.org/a?b=c#d"],
  ["(https://example.org/x)", "https://example.org/x"],
  ["https://example.org/Film_(1999), or?", "https://example.org/Film_(1999)"],
  ["HTTPS://EXAMPLE.ORG!", "HTTPS://EXAMPLE.ORG"],
  ["https://a.example and https://b.example", "https://a.example https://b.example"],
  ["https://example.org/\u202efdp.exe", "https://example.org/"],
  ['https://example.org/"onclick="x', "https://example.org/"],
  ["https://example.org/<b>", "https://example.org/"],
  ["https://bank.example@evil.example/", ""],
  ["https://:80", ""], ["https://", ""],
  ["javascript:alert(1)", ""], ["data:text/html,hi", ""], ["file:///etc/passwd", ""], ["example.org", ""],
  ["javascript:https://example.org", "https://example.org"],
  ["nothttps://example.org", ""],
]) {
  test(`${JSON.stringify(said)}: ${found || "none"}`, () => assert.equal(addresses(said).join(" "), found));
}

// In time that grew with its square, and once for each bracket, it held everybody's page up.
test("the end of a long sentence is found in one pass", () => {
  const address = `https://example.org/${".".repeat(30_000)}x`;
  assert.ok(addresses(`${address}${").".repeat(15_000)}`)[0] === address);
});

test("nothing of what was said is lost", () => {
  for (const said of ["", "Hi!", "a https://example.org, b http://x@y z (https://example.org/) <b>"]) {
    assert.equal(partsOf(said).map((part) => part.said).join(""), said);
  }
});
