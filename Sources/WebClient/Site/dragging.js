// Rows of a list dragged to another place, by mouse, pen or finger.

/** How near the pointer comes to a long list's edge before it scrolls, in CSS pixels. */
const edge = 24;
/** How far such a list scrolls in a turn, CSS pixels, and how long a turn is, ms. */
const [mostAtOnce, turn] = [12, 16];

/** @param {HTMLElement[]} rows @param {number} from @param {number} y of the pointer @returns {number} the place there */
function placeAt(rows, from, y) {
  const middles = rows.map((row) => row.offsetTop + row.offsetHeight / 2);
  const others = middles.filter((_, index) => index !== from);
  return others.filter((middle) => middle < y).length;
}

/** @param {HTMLElement[]} rows @param {number} from @param {number} to @param {number} way of the pointer, in CSS pixels */
function show(rows, from, to, way) {
  const height = rows[from].offsetHeight;
  rows.forEach((row, index) => {
    const isBetween = index !== from && index >= Math.min(from, to) && index <= Math.max(from, to);
    const shift = index === from ? way : isBetween ? (to > from ? -height : height) : 0;
    row.style.transform = shift === 0 ? "" : `translateY(${shift}px)`;
  });
}

/**
 * Lets a grip drag its row; `begin` and `end` are told, and `drop` gets the new place, if there is one.
 * @param {HTMLElement} grip
 * @param {{begin: () => void, end: () => void, drop: (to: number) => void}} hooks
 */
export function makeDraggable(grip, { begin, end, drop }) {
  grip.addEventListener("pointerdown", (down) => {
    const row = grip.closest("li");
    const list = row?.parentElement ?? null;
    if (row === null || list === null || down.button !== 0) return;
    down.preventDefault();
    grip.focus();
    const rows = /** @type {HTMLElement[]} */ ([...list.children]);
    const from = rows.indexOf(row);
    const start = row.offsetTop + row.offsetHeight / 2;
    const scrolled = list.scrollTop;
    const [highest, lowest] = [rows[0].offsetTop - row.offsetTop, rows[rows.length - 1].offsetTop - row.offsetTop];
    let [to, y] = [from, down.clientY];
    begin();
    row.classList.add("dragged");
    grip.setPointerCapture(down.pointerId);
    const over = new AbortController();
    const listen = (/** @type {"pointermove" | "pointerup" | "pointercancel" | "keydown"} */ name, /** @type {(event: any) => void} */ hear) =>
      grip.addEventListener(name, hear, { signal: over.signal });
    const finish = (/** @type {boolean} */ isDropped) => {
      over.abort();
      clearInterval(turns);
      row.classList.remove("dragged");
      for (const one of rows) one.style.transform = "";
      if (isDropped && to !== from) drop(to);
      end();
    };
    const follow = () => {
      const way = y - down.clientY + list.scrollTop - scrolled;
      to = placeAt(rows, from, start + way);
      show(rows, from, to, Math.min(Math.max(way, highest), lowest));
    };
    // Beyond the list's edges there may be more of it, also for a pointer that is held still there.
    const turns = setInterval(() => {
      if (!grip.isConnected) return finish(false);
      if (y === down.clientY) return;
      const { top, bottom } = list.getBoundingClientRect();
      const beyond = y < down.clientY ? Math.min(y - top - edge, 0) : Math.max(y - bottom + edge, 0);
      if (beyond === 0) return;
      list.scrollTop += Math.min(Math.max(beyond / 4, -mostAtOnce), mostAtOnce);
      follow();
    }, turn);
    listen("pointermove", (move) => {
      y = move.clientY;
      follow();
    });
    listen("pointerup", () => finish(true));
    listen("pointercancel", () => finish(false));
    listen("keydown", (event) => { if (event.key === "Escape") finish(false); });
  });
}
