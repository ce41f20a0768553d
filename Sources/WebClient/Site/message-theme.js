// Colours of campaigns as CSS, readable whatever their authors chose.

/** @typedef {import("./message-model.js").Theme} Theme */
/** @typedef {{red: number, green: number, blue: number, alpha: number}} Color 0 to 255, and 0 to 1 */

/** What WCAG 2.2 asks of a text's contrast (1.4.3). */
const readable = 4.5;
const black = { red: 20, green: 18, blue: 22, alpha: 1 };
const white = { red: 255, green: 255, blue: 255, alpha: 1 };
/** What is behind texts without a campaign's choice, as in `messages.css`. */
export const grounds = {
  light: { message: white, well: { red: 239, green: 235, blue: 230, alpha: 1 }, accent: { red: 180, green: 41, blue: 63, alpha: 1 } },
  dark: { message: { red: 30, green: 27, blue: 33, alpha: 1 }, well: { red: 47, green: 42, blue: 52, alpha: 1 },
    accent: { red: 201, green: 58, blue: 82, alpha: 1 } },
};

/** @param {string | undefined} text `#rrggbb` or `#aarrggbb` @returns {Color | undefined} */
export function colorOf(text) {
  const digits = /^#([0-9a-f]{2})?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? "");
  if (digits === null) return undefined;
  const [alpha = 255, red = 0, green = 0, blue = 0] = digits.slice(1).map((pair) => (pair === undefined ? undefined : parseInt(pair, 16)));
  return { red, green, blue, alpha: alpha / 255 };
}

/** @param {Color} color @returns {string} */
export const css = ({ red, green, blue, alpha }) =>
  (alpha === 1 ? `rgb(${red} ${green} ${blue})` : `rgb(${red} ${green} ${blue} / ${Math.round(alpha * 1_000) / 1_000})`);

/** @param {Color} color @param {Color} behind @returns {Color} */
function over(color, behind) {
  const mix = (/** @type {"red" | "green" | "blue"} */ part) => color[part] * color.alpha + behind[part] * (1 - color.alpha);
  return { red: mix("red"), green: mix("green"), blue: mix("blue"), alpha: 1 };
}

/** @param {Color} color @returns {number} as WCAG defines it */
function luminance({ red, green, blue }) {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {Color} one @param {Color} other @returns {number} 1 to 21 */
export function contrast(one, other) {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/**
 * A colour that can be read on another: the wished one if it can, or else black or white.
 * @param {Color | undefined} wished @param {Color} behind @returns {Color}
 */
export function readableOn(wished, behind) {
  if (wished !== undefined && contrast(over(wished, behind), behind) >= readable) return wished;
  return contrast(black, behind) >= contrast(white, behind) ? black : white;
}

/** Which variable each text's colour is.
 * @type {[keyof Theme, string][]} */
const texts = [["text", "ink"], ["headerText", "header"], ["closeButton", "close"]];

/**
 * The CSS variables of a message's theme; what it leaves out is the stylesheet's.
 * @param {Theme} theme @param {import("./message-model.js").ColorScheme} scheme @returns {Record<string, string>}
 */
export function messageColors(theme, scheme) {
  const own = colorOf(theme.background);
  const ground = grounds[scheme];
  const behind = own === undefined ? ground.message : over(own, ground.message);
  /** @type {Record<string, string>} */
  const colors = own === undefined ? {} : { background: css(own) };
  for (const [name, variable] of texts) {
    const wished = colorOf(theme[name]);
    if (wished !== undefined || own !== undefined) colors[variable] = css(readableOn(wished, behind));
  }
  const iconGround = colorOf(theme.iconBackground);
  if (iconGround !== undefined) colors["icon-background"] = css(iconGround);
  const icon = colorOf(theme.icon);
  const behindIcon = iconGround === undefined ? ground.well : over(iconGround, behind);
  if (icon !== undefined || iconGround !== undefined) colors.icon = css(readableOn(icon, behindIcon));
  const frame = colorOf(theme.frame);
  if (frame !== undefined) colors.frame = css(frame);
  return colors;
}

/**
 * The CSS variables of a button.
 * @param {Theme} theme @param {import("./message-model.js").ColorScheme} scheme
 * @param {boolean} isFirst whether it is the one with the accent's colour @returns {Record<string, string>}
 */
export function buttonColors(theme, scheme, isFirst) {
  /** @type {Record<string, string>} */
  const colors = {};
  const background = colorOf(theme.background);
  const text = colorOf(theme.text);
  if (background !== undefined) colors["button-background"] = css(background);
  const behind = background ?? grounds[scheme][isFirst ? "accent" : "well"];
  // One that is not opaque is on a ground that is not known here.
  const ink = behind.alpha === 1 ? readableOn(text, behind) : text;
  if (ink !== undefined && (text ?? background) !== undefined) colors["button-ink"] = css(ink);
  const border = colorOf(theme.border);
  if (border !== undefined) colors["button-border"] = css(border);
  return colors;
}

/** @param {HTMLElement} element @param {Record<string, string>} colors in the place of all from before */
export function paint(element, colors) {
  for (const name of Array.from(element.style)) if (name.startsWith("--message-own-")) element.style.removeProperty(name);
  for (const [name, color] of Object.entries(colors)) element.style.setProperty(`--message-own-${name}`, color);
}
