/** What was told, entry by entry; each can be corrected. */

import { fill, h } from "./dom.js";
import { shown } from "./words.js";

export class EntryList {
  /** @param {import("./advise-game.js").AdviseGame} game */
  constructor(game) {
    this.game = game;
    /** @type {number | null} the entry that is being corrected */
    this.open = null;
    this.body = h("ol", { class: "entries", id: "entries" });
    this.element = h("section", { class: "panel" }, h("h2", {}, "What you told"), this.body);
  }

  /** @param {import("./advise-game.js").Entry[]} entries */
  show(entries) {
    if (this.open !== null && this.open >= entries.length) this.open = null;
    if (this.open !== null) return; // somebody is typing there
    fill(this.body, entries.map((entry, index) => this.row(entry, index)));
    if (!entries.length) fill(this.body, h("li", { class: "muted none" }, "Nothing yet."));
    this.body.scrollTop = this.body.scrollHeight;
  }

  /** @param {import("./advise-game.js").Entry} entry @param {number} index */
  row({ text, words }, index) {
    const button = h("button", { type: "button", class: "small", "data-entry": index, "aria-label": `Correct entry ${index + 1}: ${text}`, onclick: () => this.edit(row, text, index) }, shown(text));
    const row = h("li", {}, button, words && h("span", { class: "muted" }, words));
    return row;
  }

  /** @param {HTMLElement} row @param {string} text @param {number} index */
  edit(row, text, index) {
    this.open = index;
    const input = h("input", { value: text, "aria-label": `Entry ${index + 1}`, autocomplete: "off", spellcheck: "false" });
    const problem = h("div", { class: "problem", role: "alert" });
    const done = () => {
      this.open = null;
      this.show(this.game.told.entries);
      this.body.querySelector(`[data-entry="${index}"]`)?.focus();
    };
    const send = (/** @type {number | undefined} */ keep) => this.game.correct(index, input.value, keep).then(done, (error) => this.tell(problem, error, index, send));
    fill(row, h("form", { class: "row", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); send(undefined); }, onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && done() },
      input, h("button", { class: "small" }, "Correct"), h("button", { type: "button", class: "small", onclick: done }, "Cancel")), problem);
    input.select();
    input.focus();
  }

  /** Why it cannot be; where only what follows cannot be any more, that can be dropped. @param {HTMLElement} problem @param {any} error @param {number} index @param {(keep: number) => void} drop */
  tell(problem, error, index, drop) {
    const place = error.details?.entry;
    if (typeof place !== "number" || place <= index) return fill(problem, error.message);
    const entries = this.game.told.entries;
    fill(problem, h("p", {}, `Then entry ${place + 1}, ${shown(entries[place].text)}, cannot be: ${error.message}`),
      h("button", { type: "button", class: "small", onclick: () => drop(place) }, `Correct it, and take back what follows from entry ${place + 1} on`));
  }
}
