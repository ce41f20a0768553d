// In-app messages as values: the defaults of their kinds, and what can be asked of each.

/** @typedef {import("./actions.js").ClickAction} ClickAction */
/** @typedef {"portrait" | "landscape"} Orientation */
/** @typedef {"light" | "dark"} ColorScheme */
/** @typedef {"top" | "bottom" | "dialog" | "fullScreen" | "invisible"} Surface */
/** @typedef {{url: string, alternativeText?: string}} Picture */

/**
 * Colours as the protocol has them, `#rrggbb` or `#aarrggbb`; one that is absent is the view's own.
 * @typedef {{background?: string, text?: string, headerText?: string, icon?: string,
 *   iconBackground?: string, closeButton?: string, border?: string, frame?: string}} Theme
 */

/** @typedef {{light?: Theme, dark?: Theme}} Themes */
/** @typedef {{id: string, text: string, clickAction?: ClickAction, themes?: Themes}} Button */

/**
 * What a message shows.
 * @typedef {object} Body
 * @property {string} type `text`, `image`, `html` or `empty`
 * @property {string} [header]
 * @property {string} [message]
 * @property {string} [icon]
 * @property {Picture} [image]
 * @property {Picture} [landscapeImage]
 * @property {string} [headerAlignment] `leading`, `center` or `trailing`
 * @property {string} [messageAlignment]
 * @property {string} [source] of a page
 * @property {string} [baseURL]
 * @property {boolean} [allowsScripts]
 */

/**
 * A message with all that its kind leaves out.
 * @typedef {object} InAppMessage
 * @property {string} message its id, which is one delivery's
 * @property {string} kind
 * @property {{id: string, name: string, variant: string, user: string, test?: boolean}} [campaign]
 *   absent: the app's own, of which the server hears nothing
 * @property {Surface} surface
 * @property {Body} body
 * @property {ClickAction} [clickAction]
 * @property {Button[]} buttons
 * @property {{after: number | null, bySwipe: boolean, byButton: boolean, byTapOutside: boolean}} closing
 * @property {"any" | Orientation} orientation
 * @property {Themes} themes
 * @property {boolean} animatesIn
 * @property {boolean} animatesOut
 * @property {Record<string, unknown>} extras
 * @property {string} [language] BCP 47
 * @property {"onPresent" | "explicit" | {afterVisible: number}} impression
 * @property {string} [session] the session it belongs to, whose media it shows if it has a video
 */

const inSight = { afterVisible: 3_000_000 };
const byButton = { after: null, bySwipe: false, byButton: true, byTapOutside: false };
const outside = { ...byButton, byTapOutside: true };

/** @param {number} after µs */
const passing = (after) => ({ after, bySwipe: true, byButton: false, byTapOutside: false });

/**
 * The defaults of Protocol.md's table.
 * @type {Record<string, Pick<InAppMessage, "surface" | "closing" | "impression">>}
 */
const kinds = {
  slideup: { surface: "bottom", closing: passing(5_000_000), impression: "onPresent" },
  modal: { surface: "dialog", closing: byButton, impression: "onPresent" },
  modalImage: { surface: "dialog", closing: byButton, impression: "onPresent" },
  full: { surface: "fullScreen", closing: byButton, impression: "onPresent" },
  fullImage: { surface: "fullScreen", closing: byButton, impression: "onPresent" },
  html: { surface: "fullScreen", closing: byButton, impression: "onPresent" },
  control: { surface: "invisible", closing: { ...byButton, byButton: false }, impression: "onPresent" },
  card: { surface: "dialog", closing: outside, impression: inSight },
  banner: { surface: "top", closing: passing(12_000_000), impression: inSight },
  imageOnly: { surface: "dialog", closing: outside, impression: inSight },
};

const surfaces = ["top", "bottom", "dialog", "fullScreen", "invisible"];
const bodies = ["text", "image", "html", "empty"];
const actionTypes = [
  "close", "open", "deepLink", "logEvent", "setAttribute", "requestPushPermission", "session", "sequence"];

/**
 * Fills in what a message leaves out.
 * @param {any} line @returns {InAppMessage | null} null if it has something that is not known here
 */
export function complete(line) {
  const kind = kinds[line.kind];
  if (kind === undefined || typeof line.message !== "string") return null;
  const { expires, seen, type, closing, ...own } = line;
  /** @type {InAppMessage} */
  const message = {
    animatesIn: true, animatesOut: true, orientation: "any", themes: {}, extras: {}, buttons: [],
    body: { type: "empty" }, surface: kind.surface, impression: kind.impression, ...own,
    closing: { ...kind.closing, ...closing } };
  if (closing?.after === "never") message.closing.after = null;
  const isKnown = surfaces.includes(message.surface) && bodies.includes(message.body.type)
    && ["any", "portrait", "landscape"].includes(message.orientation)
    && actionsOf(message).every((action) => actionTypes.includes(action?.type));
  return isKnown ? message : null;
}

/** @param {InAppMessage} message @returns {boolean} whether it is shown to nobody */
export const isControl = (message) => message.kind === "control" || message.surface === "invisible";

/** @param {InAppMessage} message @returns {boolean} whether it stands at an edge, beside the app */
export const isAtEdge = ({ surface }) => surface === "top" || surface === "bottom";

/** Languages that are written from right to left, as a terminal knows them, too. */
const rightToLeft = ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"];

/** @param {string} language @returns {boolean} whether it is written from right to left */
export const isRightToLeft = (language) => rightToLeft.includes((language.split("-")[0] ?? "").toLowerCase());

/** @param {InAppMessage} message @returns {boolean} whether it is a page of HTML */
export const isPage = (message) => message.body.type === "html";

/**
 * Whether it shows what its session watches: with a video of its own, or as the app's own. Other messages
 * of a session belong to it, and are shown beside its player like any other.
 * @param {InAppMessage} message @returns {boolean}
 */
export const isPlayer = ({ session, campaign, extras }) => session !== undefined
  && (campaign === undefined || typeof extras.video_url === "string");

/** @param {InAppMessage} message @returns {{url: string, title?: string} | undefined} its own video */
export function videoOf({ extras: { video_url: url, video_title: title } }) {
  return typeof url === "string" ? { url, title: typeof title === "string" ? title : undefined } : undefined;
}

/** @param {InAppMessage} message @param {string} id @returns {Button | undefined} the first of that label */
export const buttonOf = (message, id) => message.buttons.find((button) => button.id === id);

/** @param {"any" | Orientation} wish @param {Orientation} orientation */
export const stands = (wish, orientation) => wish === "any" || wish === orientation;

/** @param {ClickAction} action @returns {ClickAction[]} those of a sequence, one by one */
export function leavesOf(action) {
  return action?.type === "sequence" ? (action.actions ?? []).flatMap(leavesOf) : [action];
}

/** @param {InAppMessage} message @returns {ClickAction[]} everything that a click on it can do */
export function actionsOf(message) {
  const own = message.clickAction === undefined ? [] : [message.clickAction];
  return [...own, ...message.buttons.flatMap(({ clickAction }) => (clickAction ? [clickAction] : []))]
    .flatMap(leavesOf);
}

/** @param {Themes | undefined} themes @param {ColorScheme} scheme @returns {Theme} */
export function themeFor(themes, scheme) {
  return (scheme === "dark" ? themes?.dark ?? themes?.light : themes?.light) ?? {};
}

/** @param {InAppMessage} message @returns {InAppMessage} without its dark colours, and its buttons' */
export function withoutDarkThemes(message) {
  const light = (/** @type {Themes | undefined} */ themes) => ({ light: themes?.light });
  return { ...message, themes: light(message.themes),
    buttons: message.buttons.map((button) => ({ ...button, themes: light(button.themes) })) };
}

/** @param {InAppMessage} message @returns {InAppMessage} */
export function withoutThemes(message) {
  return { ...message, themes: {}, buttons: message.buttons.map((button) => ({ ...button, themes: {} })) };
}

/**
 * A message under the identity of another.
 * @param {InAppMessage} message @param {InAppMessage} other @returns {InAppMessage}
 */
export function adopting(message, other) {
  return { ...message, message: other.message, campaign: other.campaign, session: other.session };
}

/**
 * Whether two messages look the same to a person: of one campaign, or two equal ones of the app's.
 * @param {InAppMessage} one @param {InAppMessage} other
 */
export function looksLike(one, other) {
  if (one.campaign && other.campaign) return one.campaign.id === other.campaign.id;
  if (one.campaign || other.campaign) return false;
  return sorted(adopting(one, other)) === sorted(other);
}

/** @param {unknown} value @returns {string} the same for equal values, whatever their order */
export function sorted(value) {
  return JSON.stringify(value, (_, part) => part?.constructor !== Object ? part
    : Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** @param {string} url @param {string} [base] of one that is relative @returns {URL | null} */
export function parsedURL(url, base) {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}

/**
 * The address of a picture if it may be loaded: only https; authors leave spaces at its ends.
 * @param {Picture | undefined} picture @returns {string | undefined}
 */
export function secureURL(picture) {
  const url = picture?.url.replaceAll(" ", "");
  return url !== undefined && /^https:\/\/[^/?#]/i.test(url) && parsedURL(url) !== null ? url : undefined;
}

/** @typedef {{image?: string, landscapeImage?: string}} Assets */

/** @param {InAppMessage} message @returns {Assets} what has to be loaded before it is shown */
export function assetsOf({ body }) {
  if (body.type !== "text" && body.type !== "image") return {};
  return { image: secureURL(body.image), landscapeImage: secureURL(body.landscapeImage) };
}

/**
 * Puts a session's video in the place of the message's own.
 * @param {InAppMessage} message @param {{url: string, title?: string}} media @returns {InAppMessage}
 */
export function showing(message, { url, title }) {
  const extras = { ...message.extras };
  // Without a title of its own the video gets none, because the message's is another video's.
  if (title !== undefined) extras.video_title = title;
  else if (extras.video_url !== url) delete extras.video_title;
  return { ...message, extras: { ...extras, video_url: url } };
}

/**
 * Takes what a newer delivery of the same campaign says, because it may name the video; images stay,
 * because others are not loaded.
 * @param {InAppMessage} message @param {InAppMessage | undefined} newer @returns {InAppMessage}
 */
export function sayingAs(message, newer) {
  const isOfOne = message.campaign !== undefined && message.campaign.id === newer?.campaign?.id;
  if (!isOfOne || newer === undefined || message.body.type !== "text" || newer.body.type !== "text") return message;
  const { header, message: words } = newer.body;
  return { ...message, body: { ...message.body, header, message: words }, language: newer.language };
}
