// The arrows of a remote control: they move the focus to what lies that way.

/** What can have the focus, and is seen. */
const stops = "button:not(:disabled), a[href]:not(.skip), input:not(:disabled), select:not(:disabled), [tabindex='0']";

/** @typedef {"ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight"} Arrow */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/**
 * How far a box lies that way, the way aside added; Infinity if it does not.
 * @param {Box} from @param {Box} to @param {Arrow} arrow @returns {number}
 */
export function distance(from, to, arrow) {
  const isUpright = arrow === "ArrowUp" || arrow === "ArrowDown";
  const ahead = arrow === "ArrowDown" ? to.top - from.bottom : arrow === "ArrowUp" ? from.top - to.bottom
    : arrow === "ArrowRight" ? to.left - from.right : from.left - to.right;
  // Neighbours may overlap by their borders.
  if (ahead < -4) return Infinity;
  const aside = isUpright ? Math.max(to.left - from.right, from.left - to.right, 0)
    : Math.max(to.top - from.bottom, from.top - to.bottom, 0);
  const middle = isUpright ? (to.left + to.right - from.left - from.right) / 2 : (to.top + to.bottom - from.top - from.bottom) / 2;
  return Math.max(ahead, 0) + aside + Math.abs(middle) * 0.1;
}

/** @param {HTMLElement} from @param {HTMLElement[]} stops @param {Arrow} arrow @returns {HTMLElement | undefined} the one to go to */
function nearest(from, stops, arrow) {
  const place = from.getBoundingClientRect();
  let [best, least] = [/** @type {HTMLElement | undefined} */ (undefined), Infinity];
  for (const one of stops) {
    const far = distance(place, one.getBoundingClientRect(), arrow);
    if (far < least) [best, least] = [one, far];
  }
  return best;
}

/** @param {HTMLElement} text @param {string} key @returns {boolean} whether there is more of it that way */
function scrolls(text, key) {
  if (key === "ArrowUp") return text.scrollTop > 0;
  return key === "ArrowDown" && text.scrollTop + text.clientHeight + 1 < text.scrollHeight;
}

/** A window as wide as a television: there the arrows are all there is, because a remote control has no Tab key. */
const isTelevision = () => matchMedia("(min-width: 1600px)").matches;

/** @param {KeyboardEvent} event @returns {boolean} whether what has the focus needs this arrow itself */
function isTaken(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return true;
  // Without a focus the player takes the arrows, and elsewhere they scroll.
  if (target === document.body) return !isTelevision() || target.classList.contains("watching");
  if (target.closest("[role=menu], .grip")) return true;
  if (target.matches("[role=log], .scroller, .queue") && scrolls(target, event.key)) return true;
  const isAlong = event.key === "ArrowLeft" || event.key === "ArrowRight";
  if (target instanceof HTMLSelectElement) return isAlong || !isTelevision();
  if (!(target instanceof HTMLInputElement)) return false;
  // A slider lies across, and so does a text: up and down lead out of them, on a television.
  return isAlong || (target.type === "range" && !isTelevision()) || target.type === "number";
}

/** @param {Element} one @returns {boolean} */
function isSeen(one) { return one.getBoundingClientRect().width > 0 && getComputedStyle(one).visibility !== "hidden"; }

/** @param {Element} one @param {Element} from @returns {boolean} whether it is out of sight in a list that scrolls */
function isScrolledAway(one, from) {
  const list = one.closest(".queue, .media");
  if (list === null || list.contains(from)) return false;
  const [box, shown] = [one.getBoundingClientRect(), list.getBoundingClientRect()];
  return box.bottom <= shown.top || box.top >= shown.bottom;
}

/** @param {HTMLElement} from @returns {Element} that the arrows stay in: the dialog on top, or the page */
function roomOf(from) {
  const dialog = from.closest("dialog[open]") ?? [...document.querySelectorAll("dialog[open]")].at(-1);
  return dialog ?? (from === document.body ? document.querySelector("main") : null) ?? document.body;
}

/** Listens for the arrows, for as long as the page is open. */
export function followArrows() {
  document.addEventListener("keydown", (event) => {
    const arrow = /** @type {Arrow} */ (event.key);
    if (!arrow.startsWith("Arrow") || isTaken(event)) return;
    const from = /** @type {HTMLElement} */ (event.target);
    const room = roomOf(from);
    const seen = [.../** @type {NodeListOf<HTMLElement>} */ (room.querySelectorAll(stops))]
      .filter((one) => one !== from && isSeen(one) && !isScrolledAway(one, from));
    // A dialog that has the focus itself lies behind all its stops, and so in no direction from them.
    const best = from === document.body || from === room ? seen[0] : nearest(from, seen, arrow);
    if (best === undefined) return;
    event.preventDefault();
    best.focus();
    best.scrollIntoView({ block: "nearest" });
  });
}
