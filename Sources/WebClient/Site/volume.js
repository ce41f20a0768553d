// How loud the film is for its viewer: a button that turns the sound off and on, and a slider.

import { iconButton, make, relabel } from "./dom.js";
import { text } from "./texts.js";

/** Where the browser keeps how loud it was, from 0 to 1, and whether it was off. */
const [volumePlace, mutedPlace] = ["matinee.volume", "matinee.muted"];

/** @returns {number} */
function keptVolume() {
  const kept = Number(localStorage.getItem(volumePlace) ?? "1");
  return kept >= 0 && kept <= 1 ? kept : 1;
}

export class Volume {
  button = iconButton("sound", "", () => this.turn());
  slider = make("input", { type: "range", class: "loudness", min: "0", max: "1", step: "0.05", value: "1" });
  #video;
  /** The last volume that was to be heard. */ #heard = keptVolume() || 1;

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this.#video = video;
    [video.volume, video.muted] = [keptVolume(), localStorage.getItem(mutedPlace) === "true"];
    this.slider.addEventListener("input", () => {
      video.volume = Number(this.slider.value);
      video.muted = video.volume === 0;
    });
    // At the end of a way down, which passes what is hardly heard.
    this.slider.addEventListener("change", () => { this.#heard = video.volume || this.#heard; });
    video.addEventListener("volumechange", () => {
      this.label();
      try {
        localStorage.setItem(volumePlace, String(video.volume));
        localStorage.setItem(mutedPlace, String(video.muted));
      } catch {
        // The browser has no more room: it forgets how loud it was.
      }
    });
  }

  /** Turns the sound off or on; on as loud as it was. */
  turn() {
    const isSilent = this.#isSilent;
    if (isSilent && this.#video.volume === 0) this.#video.volume = this.#heard;
    this.#video.muted = !isSilent;
  }

  label() {
    const isSilent = this.#isSilent;
    relabel(this.button, text(isSilent ? "unmute" : "mute"), isSilent ? "silent" : "sound");
    this.slider.value = String(this.#video.muted ? 0 : this.#video.volume);
    this.slider.setAttribute("aria-label", text("volume"));
  }

  get #isSilent() { return this.#video.muted || this.#video.volume === 0; }
}
