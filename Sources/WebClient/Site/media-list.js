// The server's media to choose from, where it has any.

import { make } from "./dom.js";
import { listMedia } from "./media.js";
import { MatineeError } from "./requests.js";
import { text } from "./texts.js";

/** @typedef {import("./queue.js").Media} Media */

/** How many fit without a field that narrows them down. */
const few = 12;

/**
 * A list that fills itself; hidden while there is nothing in it.
 * @param {import("./client.js").Client} client
 * @param {string} id
 * @param {(media: Media) => void} take
 */
export function mediaList(client, id, take) {
  const list = make("ul", { class: "media" });
  const place = make("details", { class: "library", hidden: true }, make("summary", { "data-key": id }, text("library")), list);
  void fill(client, id, place, list, take);
  return place;
}

/**
 * @param {import("./client.js").Client} client @param {string} id
 * @param {HTMLElement} place @param {HTMLElement} list @param {(media: Media) => void} take
 */
async function fill(client, id, place, list, take) {
  try {
    const { media, more } = await listMedia(client);
    if (media.length === 0) return;
    const rows = media.map((one) => make("li", {}, make("button", { type: "button", "data-key": `${id} ${one.url}`,
      onclick: () => take(one) }, one.title)));
    if (rows.length > few) list.before(narrowing(id, media, rows));
    list.append(...rows);
    if (more) list.append(make("li", {}, text("libraryMore")));
    place.hidden = false;
  } catch (error) {
    // A server without media refuses; without an answer the list is simply not there.
    if (!(error instanceof MatineeError) && !(error instanceof TypeError)) throw error;
  }
}

/** @param {string} id @param {{title: string}[]} media @param {HTMLElement[]} rows */
function narrowing(id, media, rows) {
  const field = make("input", { type: "search", id: `${id}-find`, placeholder: text("libraryFind"), "aria-label": text("libraryFind"),
    oninput: () => {
      const words = field.value.toLocaleLowerCase().split(/\s+/);
      rows.forEach((row, index) => {
        const title = media[index]?.title.toLocaleLowerCase() ?? "";
        row.hidden = !words.every((word) => title.includes(word));
      });
    } });
  return field;
}
