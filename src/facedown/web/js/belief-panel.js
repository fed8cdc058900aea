/** Beliefs at a position, loaded when somebody stays there for a moment, and remembered. */

import { ask } from "./admin-asking.js";
import { beliefTable } from "./beliefs.js";
import { fill, h } from "./dom.js";

const WAIT_MS = 200; // while somebody steps on, nothing is asked
const MOST_KEPT = 300;

export const ALIKE = "Several cards of this game look alike: there is no saying where one of them lies.";

/** @typedef {{key: string, body: (fields: any) => any}} BeliefPlace */

/** Whether several cards of a game look the same, so that nobody can say where one of them lies. @param {any[]} steps */
export function cardsLookAlike(steps) {
  return steps.some(({ table }) => table.zones.some((/** @type {any} */ zone) => zone.kind === "hand" && new Set(zone.cards).size < (zone.cards?.length ?? 0)));
}

export class BeliefPanel {
  /** @param {string[]} [labels] seats to choose from @param {() => void} [onchoose] */
  constructor(labels = [], onchoose = () => {}) {
    this.about = h("p", { class: "muted" });
    this.host = h("div", { class: "belief-host" });
    this.inference = h("input", { type: "checkbox", checked: true, onchange: () => this.ask() });
    this.chooser = h("select", { "aria-label": "Whose beliefs", hidden: !labels.length, onchange: onchoose },
      h("option", { value: "" }, "of the seat to act"), labels.map((label, seat) => h("option", { value: seat }, `of ${label}`)));
    this.element = h("section", { class: "panel", id: "beliefs" },
      h("div", { class: "spread" }, h("h2", {}, "Beliefs"),
        h("div", { class: "row" }, this.chooser, h("label", { class: "row" }, this.inference, "with what the play suggests"))),
      this.about, this.host);
    /** @type {Map<string, Promise<any>>} */
    this.kept = new Map();
    this.turn = 0;
    this.visible = false;
    new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      if (this.visible && this.waiting) this.ask();
    }, { rootMargin: "1500px" }).observe(this.element);
  }

  /** The seat that was chosen, if one was. @returns {number | null} */
  get chosen() {
    return this.chooser.value === "" ? null : Number(this.chooser.value);
  }

  /**
   * Show what a seat can know.
   * @param {{words: string, names: string[], now: BeliefPlace | null, before?: BeliefPlace | null}} given
   */
  show(given) {
    this.given = given;
    this.about.textContent = given.words;
    this.turn += 1;
    clearTimeout(this.timer);
    this.waiting = true;
    this.timer = setTimeout(() => this.visible && this.ask(), WAIT_MS);
  }

  async ask() {
    const mine = (this.turn += 1);
    const { now, before, names } = this.given ?? {};
    this.waiting = false;
    if (!now) return fill(this.host);
    this.host.setAttribute("aria-busy", "true");
    try {
      const [told, then] = await Promise.all([this.fetch(now), before ? this.fetch(before).catch(() => null) : null]);
      if (mine === this.turn) fill(this.host, beliefTable(told, names ?? [], { before: then }));
    } catch (error) {
      if (mine === this.turn) fill(this.host, h("p", { class: "muted", role: "status" }, /** @type {Error} */ (error).message));
    } finally {
      if (mine === this.turn) this.host.removeAttribute("aria-busy");
    }
  }

  /** @param {BeliefPlace} place @returns {Promise<any>} */
  fetch({ key, body }) {
    const inference = this.inference.checked ? "policy" : "none";
    const name = `${inference} ${key}`;
    const found = this.kept.get(name) ?? ask("/api/beliefs", body({ inference }));
    this.kept.set(name, found);
    found.catch(() => this.kept.delete(name));
    if (this.kept.size > MOST_KEPT) this.kept.delete(/** @type {string} */ (this.kept.keys().next().value));
    return found;
  }
}
