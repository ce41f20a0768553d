// Reactions: a picture that floats over everybody's film for a moment.

import { make } from "./dom.js";

/** What the row offers; any other emoji of other clients is shown, too. */
export const offered = ["❤️", "😂", "😮", "😢", "👏", "🎬"];
/** As many float at once as can be told apart. */
const atOnce = 24;
/** How long one is seen, in milliseconds. */
const stay = 2_600;

/** @param {any} payload of a message in the session @returns {string | null} its reaction, if it is one emoji */
export function reactionIn(payload) {
  const said = payload?.reaction;
  if (typeof said !== "string" || said.length > 16 || !/^\p{Extended_Pictographic}/u.test(said)) return null;
  const parts = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(said)];
  return parts.length === 1 ? said : null;
}

/**
 * Lets it float up; with reduced motion it stands still.
 * @param {HTMLElement} place @param {string} reaction @param {string} name
 */
export function float(place, reaction, name) {
  while (place.childElementCount >= atOnce) place.firstElementChild?.remove();
  const one = make("span", { class: "float" }, make("span", { class: "what" }, reaction), make("small", {}, name));
  one.style.setProperty("--across", `${8 + Math.random() * 80}%`);
  one.style.setProperty("--sway", `${Math.random() * 60 - 30}px`);
  place.append(one);
  setTimeout(() => one.remove(), stay);
}
