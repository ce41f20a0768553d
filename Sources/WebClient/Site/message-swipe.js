// A swipe that moves a message towards its edge, and away if it is far or fast enough.

/** How far a finger goes before it is no tap; px. */
const slop = 10;
/** As Braze's: either is enough; px, and px a second. */
const enough = { travel: 25, speed: 60 };

/** Begins nothing on what keeps its touches. */
export const controls = "a, button, input, select, textarea, label, video, audio, iframe, [role=switch], [data-interactive]";

/**
 * Lets a finger, or a mouse, move an element.
 * @param {HTMLElement} element
 * @param {{direction: () => 1 | -1 | 0, away: () => void}} wishes 1 is down, -1 up, 0 not at all
 * @returns {() => boolean} whether the last touch was a swipe, and so is no click
 */
export function listenForSwipes(element, { direction, away }) {
  /** @type {{y: number, time: number, id: number} | null} */ let start = null;
  let wasSwipe = false;
  const travel = (/** @type {PointerEvent} */ event) => (event.clientY - (start?.y ?? 0)) * direction();
  element.addEventListener("pointerdown", (event) => {
    wasSwipe = false;
    const isOnControl = event.target instanceof Element && event.target.closest(controls) !== null;
    if (direction() === 0 || isOnControl || !event.isPrimary || event.button !== 0) return;
    start = { y: event.clientY, time: event.timeStamp, id: event.pointerId };
  });
  element.addEventListener("pointermove", (event) => {
    if (start === null || event.pointerId !== start.id) return;
    const way = travel(event);
    if (Math.abs(way) > slop && !wasSwipe) {
      wasSwipe = true;
      element.setPointerCapture(event.pointerId);
      element.classList.add("swiped");
    }
    // Away from its edge it only gives a little.
    if (wasSwipe) element.style.setProperty("--swipe", `${(way > 0 ? way : way / 8) * direction()}px`);
  });
  const end = (/** @type {PointerEvent} */ event) => {
    if (start === null || event.pointerId !== start.id) return;
    const way = travel(event);
    const speed = way / Math.max(event.timeStamp - start.time, 1) * 1_000;
    start = null;
    element.classList.remove("swiped");
    if (event.type === "pointerup" && way > slop && (way > enough.travel || speed >= enough.speed)) return away();
    element.style.removeProperty("--swipe");
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  return () => wasSwipe;
}
