// Rows of a list dragged to another place, by mouse, pen or finger.

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
    if (row === null || row.parentElement === null || down.button !== 0) return;
    down.preventDefault();
    grip.focus();
    const rows = /** @type {HTMLElement[]} */ ([...row.parentElement.children]);
    const from = rows.indexOf(row);
    const start = row.offsetTop + row.offsetHeight / 2;
    let to = from;
    begin();
    row.classList.add("dragged");
    grip.setPointerCapture(down.pointerId);
    const over = new AbortController();
    const listen = (/** @type {"pointermove" | "pointerup" | "pointercancel" | "keydown"} */ name, /** @type {(event: any) => void} */ hear) =>
      grip.addEventListener(name, hear, { signal: over.signal });
    const finish = (/** @type {boolean} */ isDropped) => {
      over.abort();
      row.classList.remove("dragged");
      for (const one of rows) one.style.transform = "";
      if (isDropped && to !== from) drop(to);
      end();
    };
    listen("pointermove", (move) => {
      const way = move.clientY - down.clientY;
      to = placeAt(rows, from, start + way);
      show(rows, from, to, way);
    });
    listen("pointerup", () => finish(true));
    listen("pointercancel", () => finish(false));
    listen("keydown", (event) => { if (event.key === "Escape") finish(false); });
  });
}
