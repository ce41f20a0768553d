// The page's own settings, all kept in this browser.

import { View, iconButton, make, redraw } from "./dom.js";
import { language, setLanguage, spoken, text } from "./texts.js";

/** Follows the person's choice of light or dark. */
export function applyTheme() {
  const theme = localStorage.getItem("matinee.theme") ?? "system";
  document.documentElement.dataset.theme = theme;
}

/** The bounds of a sound's delay, in milliseconds: what loudspeakers and televisions add. */
const [leastDelay, mostDelay] = [-500, 1000];

/** @returns {number} how much later than the picture the person hears the sound, in milliseconds */
export function soundDelay() {
  const kept = Number(localStorage.getItem("matinee.delay") ?? "0");
  return Math.min(Math.max(Number.isFinite(kept) ? kept : 0, leastDelay), mostDelay);
}

/** A button, and the dialog that it opens. */
export class SettingsView extends View {
  #dialog = make("dialog", { class: "card settings" });
  #button = iconButton("gear", "", () => this.#dialog.showModal());
  /** @type {(milliseconds: number) => void} */ ondelay = () => {};
  /** @type {(() => void) | null} forgets the name, if there is one */ onrename = null;
  /** @type {(() => void) | null} lets another device of the person in, where names have owners */ onpair = null;

  /** @override */
  draw() {
    this.#dialog.setAttribute("aria-label", text("settings"));
    redraw(this.#dialog,
      make("div", { class: "head" }, make("h2", {}, text("settings")),
        iconButton("close", text("close"), () => this.#dialog.close())),
      this.#choice("language", text("language"), spoken.map(({ code, name }) => [code, name]), language(),
        (code) => setLanguage(code === "de" ? "de" : "en")),
      this.#choice("theme", text("theme"),
        [["system", text("themeSystem")], ["light", text("themeLight")], ["dark", text("themeDark")]],
        localStorage.getItem("matinee.theme") ?? "system", (theme) => {
          localStorage.setItem("matinee.theme", theme);
          applyTheme();
        }),
      this.#delay(),
      ...(this.onpair === null ? [] : [make("button", { type: "button", onclick: () => {
        this.#dialog.close();
        this.onpair?.();
      } }, text("addDevice"))]),
      ...(this.onrename === null ? [] : [make("button", {
        type: "button", onclick: () => this.onrename?.() }, text("changeName"))]));
    this.#button.title = text("settings");
    this.#button.setAttribute("aria-label", text("settings"));
    if (this.childElementCount === 0) this.append(this.#button, this.#dialog);
  }

  /**
   * @param {string} key @param {string} label @param {[string, string][]} choices
   * @param {string} chosen @param {(value: string) => void} choose
   */
  #choice(key, label, choices, chosen, choose) {
    const field = make("select", { id: key, "data-key": key, onchange: () => choose(field.value) },
      ...choices.map(([value, name]) => make("option", { value, selected: value === chosen }, name)));
    return make("div", { class: "choice" }, make("label", { for: key }, label), field);
  }

  #delay() {
    const field = make("input", {
      id: "delay", "data-key": "delay", type: "number", min: `${leastDelay}`, max: `${mostDelay}`, step: "10",
      value: `${soundDelay()}`, "aria-describedby": "delay-hint",
      onchange: () => {
        localStorage.setItem("matinee.delay", field.value);
        field.value = `${soundDelay()}`;
        this.ondelay(soundDelay());
      } });
    return make("div", { class: "choice" }, make("label", { for: "delay" }, text("soundDelay")), field,
      make("p", { class: "hint", id: "delay-hint" }, text("soundDelayHint")));
  }
}

customElements.define("m-settings", SettingsView);
