// Media: what an address names, what the server has, and where this player fetches it.

import { decoded } from "./identity.js";
import { MatineeError } from "./requests.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./queue.js").Media} Media */

/** How the URLs of the server's media begin. */
const root = "/media/";

/** @param {string} url @returns {boolean} whether it is one of the server's media, which have other addresses in each session */
export const isServed = (url) => url.startsWith(root);

/**
 * What a person typed: an address on the web, with its scheme or without, or a path on this server.
 * @param {string} address @returns {Media | null} null if no browser can open it
 */
export function mediaAt(address) {
  const typed = address.trim();
  // A folder with a dot in its name is rarer than a server whose scheme was left out.
  const url = parsed(/^[^/:]+\.[^/:]+\//.test(typed) ? `https://${typed}` : typed);
  if (url === null || playable(url.href) === null) return null;
  const name = decoded(url.pathname.split("/").pop() ?? "").replace(/\.\w{2,4}$/, "");
  // A file of this server is named by its path, so that it has one name for everybody.
  const place = url.origin === location.origin ? url.pathname + url.search : url.href;
  return { url: place, title: name.replaceAll("_", " ") || url.host };
}

/** @param {string} address @returns {URL | null} */
function parsed(address) {
  try {
    return new URL(address, location.href);
  } catch {
    return null;
  }
}

/**
 * What plays a media here: its URL, or for one of the server's media an address of this player's own,
 * which lasts as long as the session.
 * @param {Client} client @param {string} url
 * @returns {Promise<string>}
 */
export async function openMedia(client, url) {
  if (!isServed(url)) return url;
  const { address } = await client.request("openMedia", { url });
  return atServer(client, address);
}

/**
 * The server's media, sorted by their names, without the subtitles among them; none if it serves none.
 * @param {Client} client
 * @returns {Promise<{ media: { url: string, title: string, size: number }[], more: boolean }>}
 */
export async function listMedia(client) {
  const { media, more } = await fetchList(client);
  const films = media.filter(({ url }) => !isSubtitle(url));
  const titles = films.map(({ url }) => withoutEnding(titleOf(url)));
  const isAlike = (/** @type {string} */ title) => titles.indexOf(title) !== titles.lastIndexOf(title);
  return { more, media: films.map(({ url, size }, index) => (
    { url, size, title: isAlike(titles[index]) ? titleOf(url) : titles[index] })) };
}

/**
 * The subtitles of one of the server's media: the files beside it that have its name, another word if there are
 * several, and the ending `.vtt`.
 * @param {Client} client @param {string} url
 * @returns {Promise<{ url: string, name: string }[]>} each with its word, as `en`, or none
 */
export async function listSubtitles(client, url) {
  if (!isServed(url)) return [];
  const { media } = await fetchList(client);
  const films = new Set(media.flatMap((one) => (isSubtitle(one.url) ? [] : [withoutEnding(decoded(one.url))])));
  const film = withoutEnding(decoded(url));
  return media.flatMap((one) => {
    if (!isSubtitle(one.url)) return [];
    const path = withoutEnding(decoded(one.url));
    // The film whose name has most of it: Film.cut.en.vtt belongs to Film.cut.webm rather than to Film.webm.
    let owner = path;
    while (!films.has(owner) && withoutEnding(owner) !== owner) owner = withoutEnding(owner);
    return owner === film ? [{ url: one.url, name: path.slice(film.length + 1) }] : [];
  });
}

/** @param {Client} client @returns {Promise<{ media: { url: string, size: number }[], more: boolean }>} */
async function fetchList(client) {
  const { address } = await client.request("listMedia", {});
  const answer = await fetch(atServer(client, address));
  if (!answer.ok) throw new MatineeError("noMedia", `the list of media is not there: ${answer.status}`);
  return answer.json();
}

/** @param {string} url @returns {string | null} the URL, if a browser can open it */
export function playable(url) {
  return /^(https?:|blob:|\/)/.test(url) ? url : null;
}

/** The URL of a path at the server, which a page of another origin reaches, too; a proxy may have put it below another path.
 * @param {{url: string}} client @param {string} path from the server's root @returns {string} */
export function atServer({ url }, path) {
  const server = new URL(url, globalThis.location?.href);
  server.protocol = server.protocol.replace("ws", "http");
  return new URL(`.${path}`, server).href;
}

/** @param {string} url */
const isSubtitle = (url) => /\.vtt$/i.test(url);

/** @param {string} path @returns {string} without the last dot of its name and what follows it */
const withoutEnding = (path) => path.replace(/\.[^./]+$/, "");

/** @param {string} url @returns {string} its path for people */
const titleOf = (url) => url.slice(root.length).split("/").map(decoded).join(" / ");
