/** A long list of rows of one height, of which only those in sight are in the page, and the one with the focus. */

const BEYOND = 12; // rows above and below those in sight

/** @typedef {{row: HTMLElement | null, make: () => HTMLElement}} Entry */

/** @template {Entry} E */
export class RowWindow {
  /** @param {HTMLElement} list @param {HTMLElement} frame which scrolls it */
  constructor(list, frame) {
    this.list = list;
    this.frame = frame;
    /** @type {E[]} */
    this.entries = [];
    /** @type {E | null} */
    this.focused = null;
    /** @type {number | undefined} */
    this.due = undefined;
    frame.addEventListener("scroll", () => this.later(), { passive: true });
    new ResizeObserver(() => this.later()).observe(frame);
  }

  /** How high a row is. */
  get height() {
    return 2 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  /**
   * Take entries away and put others in their place.
   * @param {number} start @param {number} count @param {E[]} [added]
   */
  splice(start, count, added = []) {
    this.entries = [...this.entries.slice(0, start), ...added, ...this.entries.slice(start + count)];
    this.later();
  }

  /** Draw once for all that changes until the next picture. */
  later() {
    this.due ??= requestAnimationFrame(() => this.render());
  }

  /** Give an entry the focus of the list; `move` takes the keyboard there. @param {E} entry @param {boolean} [move] */
  focus(entry, move = true) {
    this.focused?.row?.setAttribute("tabindex", "-1");
    this.focused = entry;
    this.reveal(entry);
    entry.row?.setAttribute("tabindex", "0");
    if (move) entry.row?.focus({ preventScroll: true });
  }

  /** Scroll so far that an entry is in sight. @param {E} entry */
  reveal(entry) {
    const { height, frame } = this;
    this.list.style.setProperty("height", `${this.entries.length * height}px`);
    const top = height * this.entries.indexOf(entry);
    if (top < frame.scrollTop) frame.scrollTop = top;
    else if (top + height > frame.scrollTop + frame.clientHeight) frame.scrollTop = top + height - frame.clientHeight;
    this.render();
  }

  render() {
    cancelAnimationFrame(this.due ?? 0);
    this.due = undefined;
    const { height, frame, entries } = this;
    const first = Math.max(0, Math.floor(frame.scrollTop / height) - BEYOND);
    const last = Math.min(entries.length, Math.ceil((frame.scrollTop + frame.clientHeight) / height) + BEYOND);
    const wanted = entries.slice(first, last).map((entry, index) => this.placed(entry, first + index));
    const place = this.focused ? entries.indexOf(this.focused) : -1;
    if (place >= 0 && (place < first || place >= last)) wanted.splice(place < first ? 0 : wanted.length, 0, this.placed(entries[place], place));
    this.list.style.setProperty("height", `${entries.length * height}px`);
    this.put(wanted);
  }

  /** @param {E} entry @param {number} index */
  placed(entry, index) {
    entry.row ??= entry.make();
    entry.row.style.setProperty("--row", String(index));
    return entry.row;
  }

  /** Have these rows in the list; those that stay are not touched, so that the focus stays. @param {HTMLElement[]} rows */
  put(rows) {
    const kept = new Set(rows);
    for (const row of [...this.list.children]) if (!kept.has(/** @type {HTMLElement} */ (row))) row.remove();
    let next = this.list.firstElementChild;
    for (const row of rows) {
      if (row === next) next = next.nextElementSibling;
      else this.list.insertBefore(row, next);
    }
  }
}
