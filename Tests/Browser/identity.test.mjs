// Links to groups, and the credential that a browser makes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Identity, makeCredential, makeLink, readLink, readToken } from "../../Sources/WebClient/Site/identity.js";

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
  ["/?group=", undefined, undefined],
  ["/?group=&lang=de", undefined, undefined],
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

/** Takes locks as a browser does: who waits gets one when it is let go, or gives up. */
class Locks {
  /** @type {Map<string, (() => void)[]>} who waits, by the lock that is held */ #held = new Map();

  request(name, { signal }, take) {
    return new Promise((_, fail) => {
      const waiting = this.#held.get(name);
      if (waiting === undefined) {
        this.#held.set(name, []);
        return take();
      }
      waiting.push(take);
      signal.addEventListener("abort", () => {
        waiting.splice(waiting.indexOf(take), 1);
        fail(new DOMException("no longer wanted", "AbortError"));
      });
    });
  }

  letGo(name) {
    const [next, ...rest] = this.#held.get(name);
    this.#held.delete(name);
    if (next === undefined) return;
    this.#held.set(name, rest);
    next();
  }
}

/** A browser whose tab keeps this device; `locks` are there for secure pages. */
function tab(context, locks) {
  const kept = new Map();
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const set = (name, value) => Object.defineProperty(globalThis, name, { configurable: true, value });
  set("navigator", { locks });
  set("sessionStorage", { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) });
  context.after(() => {
    delete globalThis.sessionStorage;
    if (before === undefined) delete globalThis.navigator;
    else Object.defineProperty(globalThis, "navigator", before);
  });
  const page = () => new Identity("watch.example");
  page().keepDevice({ user: "ann", group: "friday", device: "web-1", token: "t-1" });
  return page;
}

const settle = async () => { for (let turn = 0; turn < 20; turn += 1) await Promise.resolve(); };

test("a tab that is loaded again is the same device, once the page before it is gone", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const locks = new Locks();
  const page = tab(context, locks);
  const first = page();
  assert.equal((await first.device("ann", "friday")).token, "t-1");
  assert.equal((await first.device("ann", "friday")).token, "t-1", "a page waits for itself no more than once");
  const again = page().device("ann", "friday");
  context.mock.timers.tick(900);
  locks.letGo("matinee.device.web-1");
  const { device, token } = await again;
  assert.deepEqual([device, token], ["web-1", "t-1"]);
  context.mock.timers.tick(10_000);
});

test("a tab that was duplicated is another device as long as the first one is open", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const page = tab(context, new Locks());
  await page().device("ann", "friday");
  const duplicate = page().device("ann", "friday");
  await settle();
  context.mock.timers.tick(1_000);
  const { device, token } = await duplicate;
  assert.match(device, /^web-[0-9a-z]{8}$/);
  assert.equal(token, undefined);
});

test("without locks a tab is the device that it keeps, and for another person or group a new one", async (context) => {
  const page = tab(context, undefined);
  assert.equal((await page().device("ann", "friday")).device, "web-1");
  for (const [user, group] of [["ben", "friday"], ["ann", "monday"]]) {
    assert.notEqual((await page().device(user, group)).device, "web-1");
  }
});

test("a tab that has no more room goes on, as another device after it is loaded again", () => {
  const full = () => { throw new DOMException("full", "QuotaExceededError"); };
  Object.defineProperty(globalThis, "sessionStorage", { value: { setItem: full }, configurable: true });
  new Identity("host").keepDevice({ user: "ann", group: "friday", device: "web-1", token: "t-1" });
  delete globalThis.sessionStorage;
});
