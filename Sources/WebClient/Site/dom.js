// Small words for building the page.

/**
 * Makes an element. Properties that begin with `on` are listeners, those with a dash or named
 * `role`, `for` and `class` are attributes, and the others are properties.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [properties]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.includes("-") || ["role", "for", "class", "list"].includes(name)) {
      element.setAttribute(name, String(value));
    } else /** @type {any} */ (element)[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => /** @type {Node | string} */ (child)));
  return element;
}

/** @type {Record<string, string>} outlines in a box of 24 */
const outlines = {
  play: "M7 4.5v15l12.5-7.5z", pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  back: "M12 5V2L7 6.5 12 11V8a5.5 5.5 0 1 1-5.5 5.5h-3A8.500 8.500 0 1 0 12 5z",
  forward: "M12 5V2l5 4.500-5 4.500V8a5.500 5.500 0 1 0 5.500 5.500h3A8.500 8.500 0 1 1 12 5z",
  sound: "M4 9v6h4l5 4.500v-15L8 9zm12-.8v7.600a4.300 4.300 0 0 0 0-7.600zm0-4.200v2.200a6.200 6.200 0 0 1 0 11.600V20a8.300 8.300 0 0 0 0-16z",
  silent: "M4 9v6h4l5 4.500v-15L8 9zm16.500.9-1.400-1.400L17 10.600l-2.100-2.100-1.400 1.400 2.100 2.100-2.100 2.100 1.400 1.400 2.100-2.100 2.100 2.100 1.400-1.400-2.100-2.100z",
  captions: "M3 5h18v14H3zm2 2v10h14V7zm2 6h6v2H7zm8 0h2v2h-2z",
  screen: "M4 9V4h5v2H6v3zm11-5h5v5h-2V6h-3zM4 15h2v3h3v2H4zm14 0h2v5h-5v-2h3z",
  close: "M6.400 5 5 6.400 10.600 12 5 17.600 6.400 19 12 13.400 17.600 19 19 17.600 13.400 12 19 6.400 17.600 5 12 10.600z",
  up: "M12 7 5.500 13.500l1.400 1.400L12 9.800l5.100 5.100 1.400-1.400z", down: "m12 17 6.500-6.500-1.400-1.400L12 14.200 6.900 9.100l-1.400 1.400z",
  bin: "M9 3h6l1 2h4v2H4V5h4zM6 8.500h12L17 21H7z", gear: "M19.400 13a7.700 7.700 0 0 0 0-2l2-1.600-2-3.400-2.400 1a7.500 7.500 0 0 0-1.700-1L15 3.500h-4L10.600 6a7.500 7.500 0 0 0-1.700 1l-2.400-1-2 3.400 2 1.600a7.700 7.700 0 0 0 0 2l-2 1.600 2 3.400 2.400-1a7.500 7.500 0 0 0 1.700 1l.4 2.500h4l.4-2.500a7.500 7.500 0 0 0 1.700-1l2.400 1 2-3.400zM13 15.200a3.200 3.200 0 1 1 0-6.400 3.200 3.200 0 0 1 0 6.400z",
  link: "M10.600 13.400a4 4 0 0 1 0-5.700l3-3a4 4 0 0 1 5.700 5.700l-1.700 1.600-1.400-1.400 1.700-1.700a2 2 0 0 0-2.900-2.800l-3 3a2 2 0 0 0 0 2.900zm2.800-2.800a4 4 0 0 1 0 5.700l-3 3a4 4 0 0 1-5.700-5.700l1.700-1.600 1.400 1.400-1.700 1.700a2 2 0 0 0 2.900 2.800l3-3a2 2 0 0 0 0-2.900z",
  go: "m9.500 5-1.400 1.400 5.600 5.600-5.600 5.600 1.400 1.400 7-7z",
  aside: "M3 5h18v6h-2V7H5v10h6v2H3zm10 8h8v6h-8z",
  share: "M18 16a3 3 0 0 0-2.100.900l-7-4.100a3 3 0 0 0 0-1.600l7-4.100A3 3 0 1 0 15 5l.1.700-7 4.100a3 3 0 1 0 0 4.400l7 4.100A3 3 0 1 0 18 16z",
  clock: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm-1 3v5.600l4.300 2.600 1-1.700-3.300-2V7z",
  more: "M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm0 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm0 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  grip: "M9 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm6 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM9 10a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm6 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM9 16a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm6 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  smile: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM8.500 8a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zm7 0a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zM7 14a5.500 5.500 0 0 0 10 0z",
  bell: "M12 2a1.500 1.500 0 0 0-1.500 1.500v.700A6.500 6.500 0 0 0 5.500 10.500V16L4 18v1h16v-1l-1.500-2v-5.500a6.500 6.500 0 0 0-5-6.300v-.700A1.500 1.500 0 0 0 12 2zm-2.200 18.500a2.250 2.250 0 0 0 4.400 0z",
  chat: "M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4.500V17a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z",
  file: "M5 2h9l5 5v15H5zm8 1.500V8h4.500z",
  shuffle: "M4 6h3.500l9 10H18v-3l4 4-4 4v-3h-2.400l-9-10H4zm0 10h2.600l2.200-2.400 1.300 1.500L7.500 18H4zm10-6.900L15.600 6H18V3l4 4-4 4V8h-1.500l-1.200 2.600z",
  repeat: "M7 5h10V2l4 4-4 4V7H7v4H5V7a2 2 0 0 1 2-2zm10 14H7v3l-4-4 4-4v3h10v-4h2v4a2 2 0 0 1-2 2z",
  send: "M3 20.500V14l9-2-9-2V3.500L22 12z", check: "m9.500 18-6-6 1.900-1.900 4.100 4.100 9.100-9.100L20.500 7z",
};

/** @param {string} name @returns {SVGElement} a picture that screen readers pass over */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", outlines[name] ?? "");
  picture.append(path);
  return picture;
}

/**
 * A button that shows only a picture.
 * @param {string} picture @param {string} label @param {() => void} press @param {string} [look]
 */
export function iconButton(picture, label, press, look = "quiet") {
  return make("button", { type: "button", class: `icon ${look}`, title: label, "aria-label": label,
    "data-picture": picture, onclick: press }, icon(picture));
}

/**
 * Names such a button. What is as it was stays: a picture that is replaced while it is pressed takes the click with it.
 * @param {HTMLButtonElement} button @param {string} label @param {string} picture
 */
export function relabel(button, label, picture) {
  if (button.title !== label) {
    button.title = label;
    button.setAttribute("aria-label", label);
  }
  if (button.dataset.picture === picture) return;
  button.dataset.picture = picture;
  button.replaceChildren(icon(picture));
}

/**
 * Gives the focus back to what opened something, or to what was drawn in its place meanwhile, by its `data-key`.
 * @param {Element | null} opener
 */
export function refocus(opener) {
  const key = opener?.getAttribute("data-key") ?? null;
  const again = opener?.isConnected || key === null ? opener : document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (again instanceof HTMLElement) again.focus();
}

/**
 * Draws a part of the page anew. What had the focus keeps it, by its `data-key`, or gives it to what stands in its
 * place then.
 * @param {HTMLElement} part @param {() => void} draw
 */
export function keepFocus(part, draw) {
  const keyed = () => [.../** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll("[data-key]"))];
  const before = keyed();
  const place = before.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  draw();
  if (place < 0 || before[place] === document.activeElement) return;
  const after = keyed();
  const again = after.find((one) => one.dataset.key === before[place].dataset.key);
  const next = again ?? after[Math.min(place, after.length - 1)];
  // What is where it was scrolls nothing: a person may look elsewhere meanwhile.
  next?.focus({ preventScroll: next === again && after[place] === next });
}

/** A part of the page that draws itself anew when the language or the client's state changes. */
export class View extends HTMLElement {
  /** @type {import("./client.js").Client | null} */ #client = null;
  #draws = false;
  #redraw = () => this.drawSoon();

  get client() { return this.#client; }
  set client(client) {
    this.#client = client;
    for (const name of this.causes) client?.addEventListener(name, this.#redraw);
    this.drawSoon();
  }

  /** @returns {string[]} the client's events after which it is drawn */
  get causes() { return ["session", "change", "group", "connection", "eligibility", "groupKey", "audience"]; }

  connectedCallback() {
    document.addEventListener("language", this.#redraw);
    this.drawSoon();
  }

  disconnectedCallback() { document.removeEventListener("language", this.#redraw); }

  /** Draws once, however much changes in this turn. */
  drawSoon() {
    if (this.#draws) return;
    this.#draws = true;
    queueMicrotask(() => {
      this.#draws = false;
      this.draw();
    });
  }

  draw() {}

  /**
   * Replaces what is here; the focus stays where it was. What is here already stays in its place, because a list that
   * is open closes when it is taken out.
   * @param {...(Node | string | null | false)} children
   */
  put(...children) {
    const kept = children.flatMap((child) => (child === null || child === false ? [] : [child]));
    keepFocus(this, () => {
      for (const old of [...this.childNodes].filter((one) => !kept.includes(one))) old.remove();
      for (const [index, child] of kept.entries()) {
        const there = this.childNodes[index] ?? null;
        if (there !== child) this.insertBefore(typeof child === "string" ? new Text(child) : child, there);
      }
    });
  }
}

/**
 * Draws a dialog of the page anew; a message that stands in it stays.
 * @param {HTMLDialogElement} dialog @param {...Node} children
 */
export function redraw(dialog, ...children) {
  keepFocus(dialog, () => {
    for (const old of [...dialog.children].filter((one) => one.localName !== "m-message")) old.remove();
    dialog.prepend(...children);
  });
}

/** @param {string} message for a few seconds */
export function toast(message) {
  const place = document.getElementById("toasts");
  const note = make("p", { class: "toast" }, message);
  place?.append(note);
  for (const old of [...(place?.children ?? [])].slice(0, -3)) old.remove();
  setTimeout(() => note.remove(), 4000);
}
