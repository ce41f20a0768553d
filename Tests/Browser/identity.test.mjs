// Links to groups, and the credential that a browser makes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { makeCredential, makeLink, readLink, readToken } from "../../Sources/WebClient/Site/identity.js";

const host = "https://matinee.example";
const key = "j4gwf8x6zbw52ermqg9mn1art0";

for (const [link, group, found] of [
  ["/friday", "friday", undefined],
  [`/friday#${key}`, "friday", key],
  [`/friday#${key}.0123456789abcdef`, "friday", key],
  [`/?group=clock.js#${key}`, "clock.js", key],
  ["/Caf%C3%A9%20Noir", "Café Noir", undefined],
  ["/50%", "50%", undefined],
  ["/", undefined, undefined],
  ["/friday#token=a.b.c", "friday", undefined],
]) {
  test(`${link} leads to ${group} with ${found}`, () => {
    assert.deepEqual(readLink(new URL(link, host)), { group, key: found });
  });
}

for (const group of ["friday", "Café Noir", "clock.js", "media", "ws", "a/b", "?", "#", "100%"]) {
  test(`the link to ${group} leads there`, () => {
    assert.deepEqual(readLink(new URL(makeLink(host, group, key))), { group, key });
  });
}

// matinee invite --page makes the same ones.
for (const { group, link } of JSON.parse(readFileSync(new URL("Cases/page-links.json", import.meta.url), "utf8"))) {
  test(`the link to ${group} is ${link}`, () => {
    assert.equal(makeLink("https://film.example", group, "0123456789abcdefghjkmnpqr0"), link);
    assert.deepEqual(readLink(new URL(link)), { group, key: "0123456789abcdefghjkmnpqr0" });
  });
}

test("what clashes with a file or a place of the server is named in the query", () => {
  assert.equal(makeLink(host, "friday", key), `${host}/friday#${key}`);
  assert.equal(makeLink(host, "page.css"), `${host}/?group=page.css`);
  assert.equal(makeLink(host, "media"), `${host}/?group=media`);
});

test("a credential is 128 bits in 26 letters and digits, of which two have only four bits", () => {
  const made = new Set(Array.from({ length: 200 }, makeCredential));
  assert.equal(made.size, 200);
  for (const one of made) assert.match(one, /^([0-9a-hjkmnp-tv-z]{12}[0-9a-f]){2}$/);
});

test("a token names its person, and what is none names nobody", () => {
  const token = (claims) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
  const read = (text) => readToken(new URL(`/friday#token=${text}`, host));
  assert.deepEqual(read(token({ sub: "ann" })), { token: token({ sub: "ann" }), user: "ann", name: "ann" });
  assert.equal(read(token({ sub: "u1", name: "Zoë 🎬" })).name, "Zoë 🎬");
  for (const nonsense of ["", "a", "a.b.c", token({}), token({ sub: 1 }), token(null)]) assert.equal(read(nonsense), null);
  assert.equal(readToken(new URL(`/friday#${key}`, host)), null);
});
