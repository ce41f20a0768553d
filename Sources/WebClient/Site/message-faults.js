// Why a message cannot be shown: links into code, videos that are none, lists without items.

import { actionsOf, isControl, parsedURL, secureURL } from "./message-model.js";

/** @typedef {import("./message-model.js").InAppMessage} InAppMessage */

/**
 * What a view needs of a message beyond what every message has.
 * @typedef {object} Schema
 * @property {{key: string, type: "text" | "number" | "video", optional?: boolean}[]} [fields] of the extras
 * @property {"exact" | "lenient"} [items] how its text is read as a list, which then may not be empty
 * @property {boolean} [asksForPush] whether it is pointless once notifications are allowed
 */

/** Links that run or show their own content, or a file of the person's disk. */
const code = ["javascript", "data", "vbscript", "blob", "file", "about"];

/** @param {string} url @returns {boolean} whether a click may open this page */
export function allowsPage(url) {
  return /^https?:\/\/[^/?#]/i.test(url) && parsedURL(url) !== null && !/[\s\\]/.test(url);
}

/** @param {string} link @returns {boolean} whether a click may go there in the app: a path, or a scheme of its own */
export function allowsDeepLink(link) {
  // eslint-disable-next-line no-control-regex
  if (link === "" || /[\u0000-\u0020\u007f]/.test(link)) return false;
  const scheme = /^([^/?#:]*):/.exec(link)?.[1]?.toLowerCase();
  return scheme === undefined || (/^[a-z][a-z0-9+.-]*$/.test(scheme) && !code.includes(scheme));
}

/** @param {string} url @returns {boolean} whether a player may open it: over HTTP, here, or the name of a copy */
export function allowsVideo(url) {
  if (url === "" || url.length > 2_048) return false;
  const isWeb = /^[a-z][a-z0-9+.-]*:/i.test(url);
  if (!isWeb) return !url.startsWith("//") && !url.includes(":");
  const parts = /^(https?:|blob:)/i.test(url) ? parsedURL(url) : null;
  return parts !== null && parts.username === "" && parts.password === "";
}

/**
 * The items in a text; by a comma with space behind it, so that an item may have one, as in `1,000`.
 * @param {string} text @param {"exact" | "lenient"} [separation] @returns {string[]}
 */
export function itemsIn(text, separation = "exact") {
  const parts = text.split(separation === "exact" ? /,(?=\s|$)/ : ",");
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** @param {InAppMessage} message @returns {string | undefined} the attribute that keeps what a person chooses */
export function attributeOf({ extras }) {
  const key = extras.attribute_key;
  return typeof key === "string" && key !== "" ? key : undefined;
}

/**
 * Why a message cannot be shown in a view; null if it can.
 * @param {InAppMessage} message @param {string} view @param {Schema} schema @returns {string | null}
 */
export function faultOf(message, view, schema) {
  if (isControl(message)) return null;
  const chosen = message.extras.view_type;
  // A view that the author chose draws what it likes, and needs no text and no picture.
  const isAuthors = chosen === view && view !== "default";
  return (isAuthors ? null : bodyFault(message)) ?? linkFault(message) ?? schemaFault(message, schema);
}

/** @param {InAppMessage} message */
function bodyFault({ body }) {
  switch (body.type) {
    case "text": return (body.message ?? "") === "" && (body.header ?? "") === "" ? "there is no text" : null;
    case "image": return secureURL(body.image) === undefined ? "there is no image that can be loaded" : null;
    case "html": return (body.source ?? "") === "" ? "the page is empty" : null;
    default: return "there is nothing to show";
  }
}

/** @param {InAppMessage} message */
function linkFault(message) {
  const link = actionsOf(message).find((action) => !allows(action));
  return link === undefined ? null : `a click would lead to ${link.url}`;
}

/** @param {import("./actions.js").ClickAction} action @returns {boolean} whether its link, if any, may be opened */
export function allows({ type, url = "" }) {
  if (type === "open") return allowsPage(url);
  return type !== "deepLink" || allowsDeepLink(url);
}

/** @param {InAppMessage} message @param {Schema} schema */
function schemaFault({ extras, body }, schema) {
  for (const { key, type, optional } of schema.fields ?? []) {
    const value = extras[key];
    if (value === undefined && optional) continue;
    if (value === undefined) return `the extra ${key} is missing`;
    const isRight = type === "number" ? Number.isFinite(value)
      : typeof value === "string" && (type === "text" || allowsVideo(value));
    if (!isRight) return `the extra ${key} is something else than the view needs`;
  }
  if (schema.items === undefined || itemsIn(body.message ?? "", schema.items).length > 0) return null;
  return "the text lists no items";
}
