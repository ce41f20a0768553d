// The film on a lock screen and at a keyboard's media keys (W3C Media Session).

/** How far a key goes if the browser does not say, in seconds. */
const step = 10;

/**
 * @typedef {object} Shown
 * @property {string} title
 * @property {string} group
 * @property {boolean} isRunning
 * @property {boolean} maySteer
 * @property {boolean} hasNext
 */

/**
 * What the keys do; positions and distances are in seconds.
 * @typedef {object} KeyDeeds
 * @property {() => void} play
 * @property {() => void} pause
 * @property {(distance: number) => void} move
 * @property {(position: number) => void} seek
 * @property {() => void} next
 */

/** What the browser shows and hears, where it has this. */
export class MediaKeys {
  #session;
  /** @type {Partial<Record<MediaSessionAction, MediaSessionActionHandler>>} */ #deeds;
  #told = "";

  /** @param {KeyDeeds} deeds @param {MediaSession | undefined} [session] the browser's */
  constructor({ play, pause, move, seek, next }, session = navigator.mediaSession) {
    this.#session = session;
    this.#deeds = {
      play, pause, nexttrack: next,
      seekbackward: ({ seekOffset }) => move(-(seekOffset ?? step)),
      seekforward: ({ seekOffset }) => move(seekOffset ?? step),
      seekto: ({ seekTime }) => { if (typeof seekTime === "number") seek(seekTime); } };
  }

  /** @param {Shown | null} shown null without a film */
  show(shown) {
    const told = JSON.stringify(shown);
    if (this.#session === undefined || told === this.#told) return;
    this.#told = told;
    this.#session.metadata = shown === null ? null : new MediaMetadata({ title: shown.title, artist: shown.group });
    this.#session.playbackState = shown === null ? "none" : shown.isRunning ? "playing" : "paused";
    for (const [action, deed] of /** @type {[MediaSessionAction, MediaSessionActionHandler][]} */ (Object.entries(this.#deeds))) {
      this.#hear(action, shown?.maySteer === true && (action !== "nexttrack" || shown.hasNext) ? deed : null);
    }
  }

  /** @param {MediaSessionAction} action @param {MediaSessionActionHandler | null} deed */
  #hear(action, deed) {
    try {
      this.#session?.setActionHandler(action, deed);
    } catch (error) {
      // A browser refuses those that it does not know.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}
