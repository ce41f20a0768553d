// The session's attachments: data that stays for those who join later. The mirror has the list.

import { MatineeError } from "./requests.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./mirror.js").Attachment} Attachment */

/** The bytes of each part but the last. */
const partBytes = 48 * 1024;

/**
 * Gives data to the session, and is done once every part is stored.
 * @param {Client} client @param {Uint8Array} data
 * @param {unknown} [metadata] what everybody reads without loading the data, such as a name
 * @returns {Promise<string>} the attachment
 */
export async function addAttachment(client, data, metadata) {
  const session = client.session?.id;
  const { attachment } = await client.request(
    "addAttachment", { session, bytes: data.length, metadata });
  // One part after the other, so that a pause is never behind more than one of them.
  for (let part = 0; part * partBytes < data.length; part += 1) {
    const bytes = data.subarray(part * partBytes, (part + 1) * partBytes);
    await client.request("addAttachmentPart", { session, attachment, part, data: base64URL(bytes) });
  }
  return attachment;
}

/**
 * The data of an attachment.
 * @param {Client} client @param {Attachment} attachment
 * @returns {Promise<Uint8Array>}
 */
export async function loadAttachment(client, { attachment, bytes }) {
  const session = client.session?.id;
  // Grows with what comes, because the size is only what the server says.
  const pieces = [];
  for (let start = 0; start < bytes; start += partBytes) {
    const part = pieces.length;
    const { data } = await client.request("loadAttachment", { session, attachment, part });
    const piece = decoded(data);
    if (piece.length !== Math.min(partBytes, bytes - start)) {
      throw new MatineeError("invalidField", "a part has another length than the list says");
    }
    pieces.push(piece);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/**
 * Takes an attachment out of the session, for everybody.
 * @param {Client} client @param {string} attachment
 */
export async function removeAttachment(client, attachment) {
  await client.request("removeAttachment", { session: client.session?.id, attachment });
}

/**
 * Base64 for URLs, without `=` (RFC 4648, section 5).
 * @param {Uint8Array} bytes @returns {string}
 */
export function base64URL(bytes) {
  let letters = "";
  // In pieces, because a call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += 8_192) {
    letters += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} text */
function decoded(text) {
  const letters = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
