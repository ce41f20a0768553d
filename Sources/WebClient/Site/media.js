// The server's media: what there is, and where this player fetches it.

import { MatineeError } from "./requests.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./queue.js").Media} Media */

/** How the URLs of the server's media begin. */
const root = "/media/";

/**
 * What plays a media here: its URL, or for one of the server's media an address of this player's own,
 * which lasts as long as the session.
 * @param {Client} client @param {string} url
 * @returns {Promise<string>}
 */
export async function openMedia(client, url) {
  if (!url.startsWith(root)) return url;
  const { address } = await client.request("openMedia", { url });
  return atServer(client, address);
}

/**
 * The server's media, sorted by their names; none if it serves none.
 * @param {Client} client
 * @returns {Promise<{ media: { url: string, title: string, size: number }[], more: boolean }>}
 */
export async function listMedia(client) {
  const { address } = await client.request("listMedia", {});
  const answer = await fetch(atServer(client, address));
  if (!answer.ok) throw new MatineeError("noMedia", `the list of media is not there: ${answer.status}`);
  const { media, more } = await answer.json();
  return { media: media.map(named), more };
}

/** @param {string} url @returns {string | null} the URL, if a browser can open it */
export function playable(url) {
  return /^(https?:|blob:|\/)/.test(url) ? url : null;
}

/** The URL of a path at the server, which a page of another origin reaches, too.
 * @param {Client} client @param {unknown} path @returns {string} */
function atServer(client, path) {
  const server = new URL(client.url, globalThis.location?.href);
  server.protocol = server.protocol === "wss:" || server.protocol === "https:" ? "https:" : "http:";
  return new URL(String(path), server).href;
}

/** @param {{ url: string, size: number }} media */
function named({ url, size }) {
  const path = url.slice(root.length).split("/").map(decodeURIComponent);
  return { url, size, title: path.join(" / ").replace(/\.[^./]+$/, "") };
}
