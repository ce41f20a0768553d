// Data in parts, as Protocol.md has them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addAttachment, loadAttachment } from "../../Sources/WebClient/Site/attachments.js";

/** A server that keeps one attachment. */
function server() {
  const parts = [];
  const request = async (type, fields) => {
    assert.equal(fields.session, "s-1");
    if (type === "addAttachment") return { attachment: "a-1" };
    assert.equal(fields.attachment, "a-1");
    if (type === "loadAttachment") return { data: parts[fields.part] };
    assert.equal(type, "addAttachmentPart");
    assert.equal(fields.part, parts.length);
    assert.match(fields.data, /^[A-Za-z0-9_-]{1,65536}$/);
    parts.push(fields.data);
    return {};
  };
  return { parts, client: { session: { id: "s-1" }, request } };
}

for (const [count, parts] of [[1, 1], [49_151, 1], [49_152, 1], [49_153, 2], [200_000, 5]]) {
  test(`${count} bytes go in ${parts} parts, and come back`, async () => {
    const { client, parts: sent } = server();
    const data = Uint8Array.from({ length: count }, (_, index) => (index * 7) % 256);
    assert.equal(await addAttachment(client, data, { name: "x" }), "a-1");
    assert.equal(sent.length, parts);
    assert.deepEqual(await loadAttachment(client, { attachment: "a-1", by: "p-1", bytes: count }), data);
  });
}

test("the texts are those of other makers' clients", async () => {
  const { client, parts } = server();
  await addAttachment(client, new TextEncoder().encode("hello"));
  assert.deepEqual(parts, ["aGVsbG8"]);
});

for (const bytes of [4, 6, Number.MAX_SAFE_INTEGER]) {
  test(`five bytes of which the list says ${bytes} are refused`, async () => {
    const { client } = server();
    await addAttachment(client, new Uint8Array(5));
    await assert.rejects(loadAttachment(client, { attachment: "a-1", by: "p-1", bytes }), { code: "invalidField" });
  });
}
