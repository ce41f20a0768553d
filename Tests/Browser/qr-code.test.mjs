// QR codes: what another program reads in them, and the standard's own example.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { qrCode } from "../../Sources/WebClient/Site/qr-code.js";
import { errorCorrection } from "../../Sources/WebClient/Site/reed-solomon.js";
import { Numbers } from "./world.mjs";

/** What Debian's `zbarimg` reads in the code, drawn with three dots a module. */
function read(rows) {
  const [scale, border] = [3, 4];
  const size = (rows.length + 2 * border) * scale;
  const dots = Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) =>
    (rows[Math.floor(y / scale) - border]?.[Math.floor(x / scale) - border] ? 1 : 0)).join(" "));
  const folder = mkdtempSync(join(tmpdir(), "qr-code-"));
  try {
    writeFileSync(join(folder, "code.pbm"), `P1\n${size} ${size}\n${dots.join("\n")}\n`);
    const words = ["--quiet", "--raw", "-Sbinary", "--oneshot", join(folder, "code.pbm")];
    return execFileSync("zbarimg", words).toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Letters and digits as keys have them. */
function text(count, seed) {
  const numbers = new Numbers(seed);
  return Array.from({ length: count }, () => Math.floor(numbers.fraction() * 36).toString(36)).join("");
}

for (const link of [
  "https://matinee.example/friday#j4gwf8x6zbw52ermqg9mn1art0",
  "http://127.0.0.1:8080/Caf%C3%A9%20Noir#j4gwf8x6zbw52ermqg9mn1art0",
  "http://[2001:db8::1]:8080/?group=clock.js#j4gwf8x6zbw52ermqg9mn1art0.0123456789abcdef",
  "Filmabend · 映画 🎬", "a",
]) {
  test(`a reader reads “${link}”`, () => {
    assert.equal(read(qrCode(link)), link);
  });
}

test("a reader reads codes of all sizes", () => {
  const seen = new Set();
  for (const count of [14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 331, 412, 504, 624, 911, 1171, 1500, 2331]) {
    const rows = qrCode(text(count, count));
    seen.add(rows.length);
    assert.equal(read(rows), text(count, count), `${count} bytes`);
  }
  assert.equal(seen.size, 19, "each is as large as its version's capacity at level M");
  assert.equal(Math.max(...seen), 177);
});

test("more than the largest code holds is refused", () => {
  assert.throws(() => qrCode("x".repeat(2332)), RangeError);
});

test("the correction is the standard's (ISO/IEC 18004, annex I)", () => {
  const block = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11];
  const correction = [0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55];
  assert.deepEqual([...errorCorrection(Uint8Array.from(block), 10)], correction);
});
