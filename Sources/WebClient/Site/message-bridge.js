// What a page of HTML says out of its frame. Nothing of it is trusted: what is not in order is nothing.

import { allows, allowsDeepLink, allowsPage } from "./message-faults.js";
import { parsedURL } from "./message-model.js";
import { isReadable } from "./requests.js";

/** @typedef {import("./actions.js").ClickAction} ClickAction */
/** @typedef {import("./message-clicks.js").Click} Click */

/**
 * What is to be done about a word.
 * @typedef {{tell: {kind: string, click?: Click, button?: string, gesture?: string}} | {perform: ClickAction}
 *   | {notice: string, fields: Record<string, unknown>} | {shown: true}} Deed
 */

/** Protocol.md's limits: names of events and products, ids of buttons, URLs, and properties; bytes. */
const limits = { name: 128, button: 64, url: 2_048, properties: 8_192, propertyCount: 64 };

const encoder = new TextEncoder();

/** @param {unknown} value @param {number} limit bytes @returns {value is string} */
function isText(value, limit) {
  return typeof value === "string" && value !== "" && isReadable(value) && encoder.encode(value).length <= limit;
}

/** @param {unknown} value @returns {boolean} */
function isValue(value) {
  if (!isReadable(value)) return false;
  if (typeof value === "string" || typeof value === "boolean") return true;
  return Array.isArray(value) ? value.every((one) => typeof one === "string") : Number.isFinite(value);
}

/** @param {unknown} value @returns {Record<string, unknown> | undefined} those that are in order */
function propertiesOf(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).filter(([key, one]) => key !== "" && isReadable(key) && isValue(one)).slice(0, limits.propertyCount);
  const properties = Object.fromEntries(entries);
  return encoder.encode(JSON.stringify(properties)).length <= limits.properties ? properties : undefined;
}

/** @param {unknown} id @returns {string | undefined} of a button; nothing is the body */
const buttonOf = (id) => (isText(id, limits.button) ? id : undefined);

/** What each word does, by its name: the bridge's whole extent.
 * @type {Record<string, (values: unknown[], baseURL?: string) => Deed | null>} */
const words = {
  shown: () => ({ shown: true }),
  close: () => ({ tell: { kind: "closed", gesture: "button" } }),
  escape: () => ({ tell: { kind: "closed", gesture: "escape" } }),
  logClick: ([button]) => ({ tell: { kind: "loggedClick", button: buttonOf(button) } }),
  logEvent: ([name, properties]) => (isText(name, limits.name)
    ? { perform: { type: "logEvent", name, properties: propertiesOf(properties) } } : null),
  logPurchase: ([product, properties]) => (isText(product, limits.name)
    ? { notice: "logPurchase", fields: { product, properties: propertiesOf(properties) } } : null),
  setAttribute: ([key, value]) => {
    if (!isText(key, limits.name)) return null;
    if (value === null) return { notice: "setAttributes", fields: { remove: [key] } };
    return isValue(value) ? { perform: { type: "setAttribute", key, value } } : null;
  },
  setMembership: ([list, member]) => (isText(list, limits.name) && typeof member === "boolean"
    ? { notice: "setMembership", fields: { list, member } } : null),
  requestPushPermission: () => ({ perform: { type: "requestPushPermission" } }),
  openURL: ([url, options], baseURL) => {
    const { stays, button } = /** @type {{stays?: unknown, button?: unknown}} */ (options ?? {});
    return isText(url, limits.url) ? linkDeed(url, stays === true, buttonOf(button), baseURL) : null;
  },
  link: ([href, target], baseURL) => (isText(href, limits.url) ? linkDeed(href, target === "_blank", undefined, baseURL) : null),
};

export const bridgeWords = Object.keys(words);

/**
 * What a page's word asks for; null for nothing.
 * @param {unknown} data that came out of the frame @param {string} [baseURL] of the page's relative links
 * @returns {Deed | null}
 */
export function deedOf(data, baseURL) {
  if (!Array.isArray(data)) return null;
  const [word, ...values] = data;
  return typeof word === "string" && Object.hasOwn(words, word) ? words[word]?.(values, baseURL) ?? null : null;
}

/**
 * A link: `matinee://close`, `matinee://customEvent?name=…` and Braze's older forms of them are words;
 * others open, and `abButtonId`, `abDeepLink` and `abExternalOpen` say how.
 * @param {string} href @param {boolean} isTransient @param {string | undefined} button @param {string | undefined} baseURL
 * @returns {Deed | null}
 */
function linkDeed(href, isTransient, button, baseURL) {
  const url = parsedURL(href) ?? (baseURL === undefined ? null : parsedRelative(href, baseURL));
  if (url === null) return allowsDeepLink(href) && href.startsWith("/") ? clicked({ type: "deepLink", url: href }, false, button) : null;
  const place = url.host || url.pathname.replace(/^\/+/, "");
  if (["matinee:", "appboy:"].includes(url.protocol) && place === "close") return words.close?.([]) ?? null;
  if (["matinee:", "appboy:"].includes(url.protocol) && place === "customEvent") {
    const { name, ...properties } = Object.fromEntries(url.searchParams);
    return words.logEvent?.([name, properties]) ?? null;
  }
  const pressed = button ?? buttonOf(url.searchParams.get("abButtonId") ?? undefined);
  const isDeep = url.searchParams.get("abDeepLink") === "true" || !allowsPage(url.href);
  const isOutside = isTransient || url.searchParams.get("abExternalOpen") === "true";
  for (const name of ["abButtonId", "abDeepLink", "abExternalOpen"]) url.searchParams.delete(name);
  const action = isDeep ? { type: "deepLink", url: url.href } : { type: "open", url: url.href, inApp: !isOutside };
  return allows(action) ? clicked(action, isTransient, pressed) : null;
}

/** @param {ClickAction} action @param {boolean} isTransient @param {string | undefined} button @returns {Deed} */
const clicked = (action, isTransient, button) => ({ tell: { kind: "clicked", click: { action, isTransient, button } } });

/** @param {string} href @param {string} base */
function parsedRelative(href, base) {
  try {
    return new URL(href, base);
  } catch {
    return null;
  }
}
