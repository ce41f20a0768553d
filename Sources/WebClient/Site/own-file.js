// A file from the person's own disk, compared with what the others watch. It is never sent.

import { decoded } from "./identity.js";

/** @typedef {import("./queue.js").Media} Media */

/** Characters that do not distinguish names, because people rename files (as in Syncplay). */
const ignored = /[-~_.[\]():\s]/g;

/** @param {string} text @returns {Promise<string | null>} 12 digits of its SHA-256; null without a secure page */
async function hash(text) {
  if (globalThis.crypto?.subtle === undefined) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 12);
}

/** @param {string} name @returns {string} */
const plain = (name) => decoded(name).replace(ignored, "");

/** @param {Media} media @returns {boolean} whether everybody needs a copy of their own */
export function needsCopy({ url }) { return !/^(https?:|blob:)/.test(url) && !url.startsWith("/"); }

/**
 * In what a chosen file differs from what the group watches; hidden names and sizes are compared by
 * their hashes, and what is not told is not compared.
 * @param {{name: string, size: number}} file @param {Media} media
 * @returns {Promise<("name" | "size")[]>}
 */
export async function differencesOf(file, media) {
  const isHidden = media.url.startsWith("**");
  const names = [file.name, plain(file.name), await hash(plain(file.name))];
  const isNamed = isHidden || names.includes(media.url) || names.includes(plain(media.url));
  const sizes = [file.size, typeof media.size === "string" ? await hash(String(file.size)) ?? media.size : undefined];
  const isSized = media.size === undefined || sizes.includes(media.size);
  return [...(isNamed ? [] : [/** @type {"name"} */ ("name")]), ...(isSized ? [] : [/** @type {"size"} */ ("size")])];
}

/**
 * The person's own copies, each for a film of this name and size: seasons have files of the same names.
 * The size is the group's, which a copy that the person takes anyway does not have.
 */
export class OwnCopies {
  /** @type {Map<string, string>} */ #urls = new Map();

  /** @param {Media} media @param {File} file which plays it here */
  keep(media, file) { this.#urls.set(keyOf(media), URL.createObjectURL(file)); }

  /** @param {Media} media @returns {string | null} what plays it here */
  urlOf(media) { return this.#urls.get(keyOf(media)) ?? null; }

  /** @param {Media} media which its copy does not play */
  forget(media) {
    URL.revokeObjectURL(this.urlOf(media) ?? "");
    this.#urls.delete(keyOf(media));
  }
}

/** @param {Media} media */
const keyOf = ({ url, size }) => JSON.stringify([url, size]);

/** @param {File} file @returns {Media} as the group is told of it */
export function mediaOf(file) { return { url: file.name, title: file.name, size: file.size }; }
