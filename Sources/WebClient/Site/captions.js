// Subtitles over the film: files of the server's beside it, as tracks that the browser draws.

import { iconButton, make, relabel } from "./dom.js";
import { listSubtitles, openMedia } from "./media.js";
import { openMenu } from "./menu.js";
import { MatineeError } from "./requests.js";
import { language, text } from "./texts.js";

/** Where the browser keeps the name of the subtitles that are shown. */
const place = "matinee.captions";

/** @param {string} name as `en`, from a file's name @returns {string} for people */
function labelOf(name) {
  if (name === "") return text("captions");
  try {
    return new Intl.DisplayNames([language()], { type: "language" }).of(name) ?? name;
  } catch (error) {
    // No language has such a code.
    if (error instanceof RangeError) return name;
    throw error;
  }
}

/** A button, which is there for films with subtitles, and the menu that chooses among them. */
export class Captions {
  button = iconButton("captions", "", () => this.#open());
  #video;
  /** @type {{name: string, src: string}[]} of the film that is on */ #found = [];
  /** @type {HTMLTrackElement | null} the only one, because browsers choose among several by themselves */ #track = null;
  /** @type {string | null} the name of those that are shown, if the film has them */ #shown = localStorage.getItem(place);
  /** Those that were shown last. */ #last = this.#shown;
  /** How often another film was on: the answers for an earlier one come too late. */ #turns = 0;

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this.#video = video;
    this.button.hidden = true;
  }

  /**
   * Takes the subtitles of another film, or of another session, in which their addresses are others.
   * @param {import("./client.js").Client} client @param {string | undefined} url of the film
   */
  async turnTo(client, url) {
    const turn = this.#turns += 1;
    this.#found = [];
    this.#show();
    if (url === undefined) return;
    try {
      const files = await listSubtitles(client, url);
      const sources = await Promise.all(files.map((file) => openMedia(client, file.url)));
      if (turn !== this.#turns) return;
      this.#found = files.map(({ name }, index) => ({ name, src: sources[index] }));
    } catch (error) {
      // A film is watched without its subtitles rather than not at all.
      if (!(error instanceof MatineeError) && !(error instanceof TypeError)) throw error;
    }
    this.#show();
  }

  /** Shows those that were shown last, or else the first ones; or none. */
  turn() {
    const next = this.#found.find(({ name }) => name === this.#last) ?? this.#found[0];
    if (next !== undefined) this.#choose(this.#chosen === undefined ? next.name : null);
  }

  label() { relabel(this.button, text("captions"), "captions"); }

  #open() {
    const choices = this.#found.map(({ name }) => (
      { name: labelOf(name), isChosen: name === this.#shown, act: () => this.#choose(name) }));
    openMenu(this.button, text("captions"),
      [{ name: text("captionsOff"), isChosen: this.#chosen === undefined, act: () => this.#choose(null) }, ...choices]);
  }

  get #chosen() { return this.#found.find(({ name }) => name === this.#shown); }

  /** @param {string | null} name */
  #choose(name) {
    this.#shown = name;
    this.#last = name ?? this.#last;
    this.#show();
    try {
      if (name === null) localStorage.removeItem(place);
      else localStorage.setItem(place, name);
    } catch {
      // The browser has no more room: it forgets what was shown.
    }
  }

  #show() {
    this.button.hidden = this.#found.length === 0;
    const chosen = this.#chosen;
    this.#track?.remove();
    this.#track = chosen === undefined ? null
      : make("track", { kind: "subtitles", src: chosen.src, label: labelOf(chosen.name), srclang: chosen.name });
    if (this.#track === null) return;
    this.#video.append(this.#track);
    this.#track.track.mode = "showing";
  }
}
