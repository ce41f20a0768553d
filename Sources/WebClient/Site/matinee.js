/**
 * Watch together in a browser: the client of the native protocol as a library.
 *
 * ```js
 * import { Client, Identity, readLink } from "./matinee.js";
 *
 * const identity = new Identity();
 * const { device, token } = await identity.device("ann", "friday");
 * const client = new Client({
 *   url: `wss://${location.host}/ws`, user: "ann", device, token,
 *   credential: () => identity.credential("ann"),
 * });
 *
 * // A page that is loaded again is the same device, and goes on where it was.
 * const keep = () => identity.keepDevice({ user: "ann", group: "friday", device, token: client.token });
 * client.addEventListener("connection", keep);
 *
 * const video = document.createElement("video");
 * document.body.append(video);
 * client.attach(video);                               // it follows the group from now on
 * client.addEventListener("session", ({ detail: session }) => {
 *   console.log(session === null ? client.lastReason : session.activity.metadata?.title);
 * });
 * client.addEventListener("needsGesture", () => {
 *   video.onclick = () => client.player?.unlock();    // the browser wants a tap before it plays
 * });
 * client.start();
 *
 * const { group, key } = readLink(location);          // /friday#KEY
 * await client.joinGroup(group ?? "friday", key);
 * await client.watch({ url: "https://example.org/film.mp4" });   // or join what is offered, by itself
 * await client.play();                                // for everybody, at the same instant
 * ```
 *
 * The element's own controls work, too: what a person does with them becomes a wish to the group.
 *
 * All times are whole microseconds. A *host time* is the page's monotonic clock, an *instant* the
 * group's time, a *position* a time in the media.
 */
export { perform } from "./actions.js";
export { addAttachment, loadAttachment, removeAttachment } from "./attachments.js";
export { Client } from "./client.js";
export { ClockEstimate, ClockQuality, ClockSample, ClockSchedule, RoundTrips, hostNow } from "./clock.js";
export { Connection, backOff } from "./connection.js";
export { Countdown } from "./countdown.js";
export { DriftBands, DriftController } from "./drift.js";
export { ElementPlayer } from "./element-player.js";
export { Follower } from "./follower.js";
export { Identity, makeCredential, makeLink, readLink, readToken } from "./identity.js";
export { LearnedCost, SeekBudget } from "./learning.js";
export { listMedia, openMedia } from "./media.js";
export { MessageElement } from "./message-element.js";
export { withoutDarkThemes } from "./message-model.js";
export { MessagePresenter } from "./message-presenter.js";
export { MessageScreen } from "./message-screen.js";
export { Presenter } from "./messages.js";
export { GroupMirror, SessionMirror } from "./mirror.js";
export { PlayerSide } from "./player-side.js";
export { background, resumePush, startPush, stopPush, watchSubscription } from "./push.js";
export { Queue, itemOf } from "./queue.js";
export { MatineeError, PendingRequests } from "./requests.js";
export { ReadyStart, countdownLength } from "./ready-start.js";
export { SkewEstimate } from "./skew.js";
export { LocalLine, positionAt } from "./timeline.js";
export { Tray } from "./tray.js";
