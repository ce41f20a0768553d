// The speed at which everybody watches: a button that says it, and the menu that changes it.

import { make } from "./dom.js";
import { openMenu } from "./menu.js";
import { speedText, text } from "./texts.js";

/** What players offer; the protocol has 0.25 to 4. */
const offered = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

/**
 * The offered speed after one, or before it.
 * @param {number} rate @param {1 | -1} way @returns {number} the same if there is none
 */
export function nextSpeed(rate, way) {
  const beyond = offered.filter((one) => (one - rate) * way > 0.001);
  return (way > 0 ? beyond[0] : beyond.at(-1)) ?? rate;
}

export class SpeedButton {
  element = make("button", { type: "button", class: "speed", "data-key": "speed", onclick: () => this.#open() });
  #rate = 1;
  #choose;

  /** @param {(rate: number) => void} choose */
  constructor(choose) { this.#choose = choose; }

  /** @param {number} rate the group's @param {boolean} mayChoose */
  show(rate, mayChoose) {
    this.#rate = rate;
    const name = text("speedOf", { rate: speedText(rate) });
    this.element.textContent = speedText(rate);
    this.element.title = name;
    this.element.setAttribute("aria-label", name);
    this.element.disabled = !mayChoose;
  }

  #open() {
    openMenu(this.element, text("speed"), offered.map((rate) => ({
      name: speedText(rate), isChosen: Math.abs(rate - this.#rate) < 0.001, act: () => this.#choose(rate) })));
  }
}
