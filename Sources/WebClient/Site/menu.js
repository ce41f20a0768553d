// A menu at a button: arrow keys, Home, End and Escape, as the ARIA practices have it.

import { make, refocus } from "./dom.js";

/**
 * @typedef {object} MenuItem
 * @property {string} name
 * @property {() => void} act
 * @property {string} [confirm] asked for in the item itself, which is then pressed once more
 * @property {boolean} [isChosen] of items of which one is in force: whether it is this one
 */

/** @param {HTMLElement} menu @param {KeyboardEvent} event moves the focus among the items */
function walk(menu, event) {
  const items = /** @type {HTMLElement[]} */ ([...menu.children]);
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  /** @type {Record<string, number>} */
  const goals = { ArrowDown: (at + 1) % items.length, ArrowUp: (at + items.length - 1) % items.length,
    Home: 0, End: items.length - 1 };
  if (event.key === "Tab" || event.key === "Escape") {
    event.preventDefault();
    return close(menu);
  }
  const goal = goals[event.key];
  if (goal === undefined) return;
  event.preventDefault();
  items[goal].focus();
}

/** @param {HTMLElement} menu */
function close(menu) { /** @type {any} */ (menu).hidePopover(); }

/** @param {HTMLElement} menu @param {MenuItem} item */
function itemButton(menu, { name, act, confirm, isChosen }) {
  let isAsked = confirm === undefined;
  const role = isChosen === undefined ? "menuitem" : "menuitemradio";
  const button = make("button", { type: "button", role, "aria-checked": isChosen, tabIndex: -1, onclick: () => {
    if (isAsked) {
      close(menu);
      return act();
    }
    isAsked = true;
    button.textContent = confirm ?? name;
    button.classList.add("grave");
  } }, name);
  return button;
}

/**
 * Opens a menu at a button, to which the focus returns, even if it was drawn anew meanwhile.
 * @param {HTMLElement} anchor @param {string} label @param {MenuItem[]} items
 */
export function openMenu(anchor, label, items) {
  const menu = make("div", { class: "menu", role: "menu", "aria-label": label });
  menu.setAttribute("popover", "auto");
  menu.append(...items.map((item) => itemButton(menu, item)));
  menu.addEventListener("keydown", (event) => walk(menu, event));
  menu.addEventListener("toggle", (event) => {
    if (/** @type {any} */ (event).newState !== "closed") return;
    const holdsFocus = menu.contains(document.activeElement) || document.activeElement === document.body;
    menu.remove();
    if (holdsFocus) refocus(anchor);
  });
  // Within the main part, since everything on a page lies in one of its landmarks.
  (document.querySelector("main") ?? document.body).append(menu);
  /** @type {any} */ (menu).showPopover();
  const [place, size] = [anchor.getBoundingClientRect(), menu.getBoundingClientRect()];
  const below = place.bottom + 4 + size.height <= innerHeight ? place.bottom + 4 : place.top - 4 - size.height;
  menu.style.setProperty("--left", `${Math.max(8, Math.min(place.right - size.width, innerWidth - size.width - 8))}px`);
  menu.style.setProperty("--top", `${Math.max(8, below)}px`);
  /** @type {HTMLElement | null} */ (menu.querySelector("[aria-checked=true]") ?? menu.firstElementChild)?.focus();
}
