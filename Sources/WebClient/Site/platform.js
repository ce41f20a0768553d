// What the presenter of messages has to know of the browser.

/** @typedef {import("./surroundings.js").PlatformState} PlatformState */

const dark = "(prefers-color-scheme: dark)";
const still = "(prefers-reduced-motion: reduce)";
/** What the presenter of messages need not know of: buttons that are inputs. */
const noText = ["button", "checkbox", "radio", "range", "file", "color", "submit", "reset", "image"];

/** @returns {import("./message-model.js").ColorScheme} the page's own, or else the system's */
function colorScheme() {
  const schemes = getComputedStyle(document.documentElement).colorScheme.split(" ");
  if (schemes.includes("dark") !== schemes.includes("light")) return schemes.includes("dark") ? "dark" : "light";
  return matchMedia(dark).matches ? "dark" : "light";
}

/** @returns {boolean} whether the person writes somewhere else than in a message */
function isWriting() {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused.closest("m-message") !== null) return false;
  if (focused instanceof HTMLInputElement) return !noText.includes(focused.type);
  return focused instanceof HTMLTextAreaElement || focused.isContentEditable;
}

/**
 * @param {boolean} hasDisplay whether there is anything to show messages on
 * @param {string} [screen] the app's name for what it shows now
 * @returns {PlatformState}
 */
export function readPlatform(hasDisplay, screen) {
  return {
    width: innerWidth, height: innerHeight, colorScheme: colorScheme(), hasDisplay, screen,
    supportedOrientations: ["portrait", "landscape"], isVisible: !document.hidden,
    isTextInputFocused: isWriting(), reducesMotion: matchMedia(still).matches,
    hasPushPermission: globalThis.Notification?.permission === "granted" };
}

/**
 * @param {() => void} hear when any of it may be different
 * @param {AbortSignal} signal ends it
 */
export function watchPlatform(hear, signal) {
  const soon = () => setTimeout(hear);
  for (const name of ["resize", "pageshow"]) addEventListener(name, hear, { signal });
  // The focus is between two elements while these are told; and who types may be somewhere else since.
  for (const name of ["focusin", "focusout", "pointerup", "keyup"]) document.addEventListener(name, soon, { signal });
  document.addEventListener("visibilitychange", hear, { signal });
  for (const query of [dark, still]) matchMedia(query).addEventListener("change", hear, { signal });
  const observer = new MutationObserver(hear);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "class", "style"] });
  signal.addEventListener("abort", () => observer.disconnect());
}
