/** A table as an element: drawn from the table's data, with no knowledge of any game; what is drawn follows from the kinds of zones. */

import { claimChoices, claimsTable, plainActions } from "./board-claims.js";
import { battlefield } from "./board-field.js";
import { actionBar, factsLine, otherActions, ownHand } from "./board-parts.js";
import { morph } from "./morph.js";
import { plainTable } from "./board-plain.js";
import { trickTable } from "./board-tricks.js";
import { firstZone } from "./board-zones.js";
import { moves } from "./settings.js";

export { finishedTrick, laid, lastTrick } from "./board-zones.js";

const MOVE_MS = 260; // how long a card is on its way
const SWEEP_MS = 320;

/** @typedef {import("./board-parts.js").Scene} Scene */

export class Board extends HTMLElement {
  constructor() {
    super();
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {{card: string | null, index: number} | null} where the keyboard was */
    this.focused = null;
    this.addEventListener("click", (event) => this.onClick(event));
    this.addEventListener("keydown", (event) => this.onKey(event));
    this.addEventListener("focusin", (event) => this.remember(event.target));
  }

  /**
   * Draw a table; called again for each change. With `choose`, what is in `legal` are buttons.
   * @param {{table: any, names: string[], bottom?: number, legal?: Iterable<string>, choose?: ((text: string) => void) | null, chosen?: Set<string>, marked?: Set<string>, last?: any, actions?: Scene["actions"], toggles?: boolean, note?: string, revealed?: Scene["revealed"]}} given
   */
  show({ table, names, bottom = 0, legal = [], choose = null, chosen = new Set(), marked = new Set(), last = null, actions = [], toggles = false, note = "", revealed = null }) {
    const from = moves() ? this.spots() : null;
    const before = this.lying();
    this.scene = { table, names, bottom, legal: new Set(legal), choose, chosen, marked, last, actions, toggles, note, revealed };
    const held = this.contains(document.activeElement);
    morph(this, [
      drawing(this.scene), ...present(ownHand(this.scene)), ...present(actionBar(this.scene, plainActions(this.scene, otherActions(this.scene)))),
      ...present(claimChoices(this.scene)), factsLine(this.scene),
    ]);
    if (from && this.scene) this.moveCards(from, before);
    if (held || this.focused) this.focusAgain(held);
  }

  /** Where things are: own cards by text, seats by number. */
  spots() {
    /** @type {Map<string, DOMRect>} */
    const found = new Map();
    for (const one of this.querySelectorAll("[data-card], .hand [data-shown]")) {
      found.set(/** @type {HTMLElement} */ (one).dataset.card ?? /** @type {HTMLElement} */ (one).dataset.shown ?? "", one.getBoundingClientRect());
    }
    for (const one of this.querySelectorAll("[data-place]")) found.set(`@${/** @type {HTMLElement} */ (one).dataset.place}`, one.getBoundingClientRect());
    return found;
  }

  /** The cards that lie in the trick. @returns {Set<string>} */
  lying() {
    return new Set([...this.querySelectorAll(".laid")].map((one) => /** @type {HTMLElement} */ (one).dataset.shown ?? ""));
  }

  /** Let new cards of the trick come from who played them. @param {Map<string, DOMRect>} from @param {Set<string>} before */
  moveCards(from, before) {
    for (const one of this.querySelectorAll(".laid")) {
      const card = /** @type {HTMLElement} */ (one);
      if (before.has(card.dataset.shown ?? "")) continue;
      const source = from.get(card.dataset.shown ?? "") ?? from.get(`@${card.dataset.by}`);
      if (source) slide(card, source, false, MOVE_MS);
    }
  }

  /** Let the trick go to who has taken it. @param {number} seat @returns {Promise<any>} */
  sweep(seat) {
    const goal = this.querySelector(`[data-place="${seat}"]`)?.getBoundingClientRect();
    if (!goal || !moves()) return Promise.resolve();
    return Promise.all([...this.querySelectorAll(".laid")].map((card) => slide(/** @type {HTMLElement} */ (card), goal, true, SWEEP_MS)));
  }

  /** A card or an action of the scene as it is now. @param {MouseEvent} event */
  onClick(event) {
    const button = /** @type {Element} */ (event.target).closest("button[data-card], button[data-action]");
    if (!(button instanceof HTMLButtonElement) || !this.scene) return;
    const text = button.dataset.card ?? button.dataset.action ?? "";
    const own = button.dataset.card ? undefined : this.scene.actions.find((one) => one.action === text);
    if (own) own.onclick();
    else this.scene.choose?.(text);
  }

  // --- Keyboard ------------------------------------------------------------------------------------------------------

  /** What can be chosen. @returns {HTMLButtonElement[]} */
  choices() {
    return /** @type {HTMLButtonElement[]} */ ([...this.querySelectorAll("button[data-card], button[data-action]")]);
  }

  /** @param {EventTarget | null} target */
  remember(target) {
    const button = /** @type {HTMLElement} */ (target);
    const index = this.choices().indexOf(/** @type {HTMLButtonElement} */ (button));
    if (index >= 0) this.focused = { card: button.dataset.card ?? button.dataset.action ?? null, index };
  }

  /** The keyboard stays where it was when the table is drawn again. @param {boolean} held */
  focusAgain(held) {
    if (!this.focused || (!held && document.activeElement !== document.body)) return;
    const all = this.choices();
    const same = all.find((one) => (one.dataset.card ?? one.dataset.action) === this.focused?.card && !one.disabled);
    const place = this.focused.index;
    const near = all.filter((one) => !one.disabled).toSorted((one, other) => Math.abs(all.indexOf(one) - place) - Math.abs(all.indexOf(other) - place))[0];
    (same ?? near)?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const open = this.choices().filter((one) => !one.disabled);
    const place = open.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (!step || place < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    open[(place + step + open.length) % open.length].focus();
  }
}

/** What fits the kinds of zones. @param {Scene} scene @returns {HTMLElement} */
function drawing(scene) {
  if (firstZone(scene.table, "trick")) return trickTable(scene);
  if (firstZone(scene.table, "board")) return battlefield(scene);
  return firstZone(scene.table, "claims") ? claimsTable(scene) : plainTable(scene);
}

/** @param {Node | null} node */
function present(node) {
  return node ? [node] : [];
}

/**
 * Move an element from another place to its own, or away from it.
 * @param {HTMLElement} card @param {DOMRect} place @param {boolean} away @param {number} duration
 */
function slide(card, place, away, duration) {
  const own = card.getBoundingClientRect();
  const x = place.x + place.width / 2 - own.x - own.width / 2;
  const y = place.y + place.height / 2 - own.y - own.height / 2;
  const there = { translate: `${x}px ${y}px`, opacity: away ? 0 : 1 };
  const here = { translate: "0 0", opacity: 1 };
  const moving = card.animate(away ? [here, there] : [there, here], { duration, easing: "cubic-bezier(.2,.7,.3,1)", fill: away ? "forwards" : "none" });
  return moving.finished.catch(() => null);
}

customElements.define("card-board", Board);
