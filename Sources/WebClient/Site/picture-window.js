// The picture in a small window of its own, above other programs, in browsers that have it.

/** What Safari calls it, on phones at least. */
const appleMode = "picture-in-picture";

/** @param {any} video @returns {boolean} whether this browser can */
export function hasPictureWindow(video) {
  if (typeof video.requestPictureInPicture === "function") return document.pictureInPictureEnabled;
  return video.webkitSupportsPresentationMode?.(appleMode) === true;
}

/** @param {any} video @returns {boolean} whether its picture is there now */
export function isInPictureWindow(video) {
  return document.pictureInPictureElement === video || video.webkitPresentationMode === appleMode;
}

/** @param {any} video @param {boolean} isThere puts its picture there, or takes it back */
export async function putIntoPictureWindow(video, isThere) {
  if (isThere === isInPictureWindow(video) || !hasPictureWindow(video)) return;
  if (typeof video.requestPictureInPicture !== "function") video.webkitSetPresentationMode(isThere ? appleMode : "inline");
  else if (isThere) await video.requestPictureInPicture();
  else await document.exitPictureInPicture();
}

/** @param {HTMLVideoElement} video @param {() => void} hear when it moves, by the window's own buttons too */
export function watchPictureWindow(video, hear) {
  for (const name of ["enterpictureinpicture", "leavepictureinpicture", "webkitpresentationmodechanged"]) {
    video.addEventListener(name, hear);
  }
}
