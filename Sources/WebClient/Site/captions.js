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

/**
 * What a server that is away, or has nothing of it, does not give: a film is watched without its subtitles then.
 * @template Value
 * @param {Promise<Value>} answer @returns {Promise<Value | null>}
 */
async function orNone(answer) {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MatineeError || error instanceof TypeError) return null;
    throw error;
  }
}

/** A button, which is there for films with subtitles, and the menu that chooses among them. */
export class Captions {
  button = iconButton("captions", "", () => this.#open());
  #video;
  /** @type {import("./client.js").Client | null} */ #client = null;
  /** @type {{name: string, url: string}[]} of the film that is on */ #found = [];
  /** @type {HTMLTrackElement | null} the only one, because browsers choose among several by themselves */ #track = null;
  /** @type {string | null} the name of those that are shown, if the film has them */ #shown = localStorage.getItem(place);
  /** Those that were shown last. */ #last = this.#shown;
  /** How often other ones were wanted: the answers for earlier ones come too late. */ #turns = 0;

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
    [this.#client, this.#found] = [client, []];
    void this.#show();
    const turn = this.#turns;
    const found = url === undefined ? null : await orNone(listSubtitles(client, url));
    if (found === null || turn !== this.#turns) return;
    this.#found = found;
    await this.#show();
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
    void this.#show();
    try {
      if (name === null) localStorage.removeItem(place);
      else localStorage.setItem(place, name);
    } catch {
      // The browser has no more room: it forgets what was shown.
    }
  }

  async #show() {
    this.button.hidden = this.#found.length === 0;
    this.#track?.remove();
    this.#track = null;
    const [turn, chosen, client] = [this.#turns += 1, this.#chosen, this.#client];
    if (chosen === undefined || client === null) return;
    const src = await orNone(openMedia(client, chosen.url));
    if (src === null || turn !== this.#turns) return;
    this.#track = make("track", { kind: "subtitles", src, label: labelOf(chosen.name), srclang: chosen.name });
    this.#video.append(this.#track);
    this.#track.track.mode = "showing";
  }
}
