/** A game played elsewhere: one line to tell what is seen, the table as it is, advice, beliefs, and a list that can be corrected. */

import { AdminField } from "./admin.js";
import { choices } from "./advise-choices.js";
import { EntryList } from "./advise-list.js";
import { post } from "./api.js";
import { beliefTable } from "./beliefs.js";
import "./board.js";
import { decisionTable } from "./decision.js";
import { fill, h } from "./dom.js";
import { optionsForm } from "./options.js";
import { riskWords } from "./table-advice.js";
import { isCard, shown } from "./words.js";

const KEY = "facedown.advise.";
const CARD = /^(10|[2-9tjqka])([cdsh♣♦♠♥])$/i;
const THINK = [["0.3", "a moment"], ["1", "1 second"], ["3", "3 seconds"], ["10", "10 seconds"]];

/** @typedef {{text: string, words: string}} Entry what was told, and what it was */
/** @typedef {{options: string, seat: number, seconds: string, start: Record<string, any>, entries: Entry[]}} Kept */

/** @param {string} game @returns {Kept | null} */
function kept(game) {
  try {
    return JSON.parse(localStorage.getItem(KEY + game) ?? "null");
  } catch {
    return null;
  }
}

/** How many entries a game has that was not finished. @param {string} game */
export function begun(game) {
  return kept(game)?.entries?.length ?? 0;
}

export class AdviseGame {
  /** @param {any} game @param {HTMLElement} main */
  constructor(game, main) {
    this.game = game;
    this.main = main;
    /** @type {Kept} */
    this.told = { options: "", seat: 0, seconds: "1", start: {}, entries: [], ...kept(game.name) };
    this.sure = 0; // entries that the server has taken
    /** @type {any} */
    this.answer = null;
    this.busy = false;
    /** @type {Set<string>} cards of a hand that are clicked so far */
    this.chosen = new Set();
    this.admin = new AdminField(() => this.ask());
    this.input = h("input", { id: "entry", class: "entry-input", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "send", "aria-describedby": "refused", oninput: () => this.typed() });
    this.expects = h("label", { for: "entry", class: "expects" }, "Loading…");
    this.refused = h("p", { id: "refused", class: "problem", role: "alert", hidden: true });
    this.state = h("span", { class: "muted", role: "status" });
    this.starts = h("span", { class: "row" });
    this.picks = h("div", { class: "picks" });
    this.advice = h("section", { class: "panel", id: "advice", "aria-live": "polite" });
    this.board = /** @type {any} */ (document.createElement("card-board"));
    this.table = h("section", { class: "panel table-panel", id: "table", hidden: true }, this.board);
    this.beliefBody = h("div");
    this.beliefs = h("details", { class: "panel", id: "beliefs", hidden: true, open: matchMedia("(min-width: 861px)").matches, ontoggle: () => this.infer() },
      h("summary", {}, h("h2", {}, "Where the cards may lie")), this.beliefBody);
    this.list = new EntryList(this);
  }

  start() {
    const undo = h("button", { type: "button", id: "undo", onclick: () => this.undo() }, "Undo");
    this.undoButton = undo;
    fill(this.main,
      h("div", { class: "spread" }, h("h1", {}, "Advisor: ", this.game.name), this.settings()),
      this.admin.element,
      h("div", { class: "columns advise-columns" },
        h("div", {},
          h("section", { class: "panel tell" },
            h("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.tell(this.input.value); } },
              h("div", { class: "spread" }, this.expects, this.state), h("div", { class: "row entry-row" }, this.input, h("button", { class: "primary" }, "Tell"), undo)),
            this.refused, this.picks),
          this.table),
        h("div", {}, this.advice, this.list.element)),
      this.beliefs);
    this.ask();
    if (matchMedia("(pointer: fine)").matches) this.input.focus();
  }

  settings() {
    const seat = h("select", { "aria-label": "your seat", onchange: () => this.change({ seat: Number(seat.value) }) },
      Array.from({ length: this.game.seats }, (_, number) => h("option", { value: number, selected: number === this.told.seat }, `you are seat ${number}`)));
    const seconds = h("select", { "aria-label": "how long to think", onchange: () => this.change({ seconds: seconds.value }) },
      THINK.map(([value, words]) => h("option", { value, selected: value === this.told.seconds }, `thinks for ${words}`)));
    const options = optionsForm(this.game.options, this.told.options);
    options.addEventListener("change", () => this.change({ options: options.value, start: {} }));
    return h("div", { class: "row" }, seat, this.starts, seconds,
      this.game.options.length > 0 && h("details", { class: "menu" }, h("summary", {}, "Options"), h("div", { class: "menu-body advise-options" }, options)),
      h("button", { type: "button", id: "new", onclick: () => this.change({ entries: [], start: {} }) }, "New game"));
  }

  get names() {
    return Array.from({ length: this.game.seats }, (_, seat) => (seat === this.told.seat ? "You" : `Seat ${seat}`));
  }

  // --- Telling ----------------------------------------------------------------------------------------------------------

  /** @param {Partial<Kept>} changes */
  change(changes) {
    Object.assign(this.told, changes);
    this.sure = Math.min(this.sure, this.told.entries.length);
    this.keep();
    this.ask();
  }

  keep() {
    localStorage.setItem(KEY + this.game.name, JSON.stringify(this.told));
  }

  /** What somebody typed: cards one by one, so that each can be corrected; anything else as it is. @param {string} text */
  tell(text) {
    const words = text.trim().split(/[\s,;]+/).filter(Boolean);
    const kind = this.answer?.expects.kind;
    const split = kind === "action" && words.length > 1 && words.every((word) => CARD.test(word));
    this.add(split ? words : text.trim() ? [text.trim()] : []);
  }

  /** @param {string[]} texts */
  add(texts) {
    if (!texts.length) return;
    const first = this.answer?.expects.words ?? "";
    this.told.entries.push(...texts.map((text, place) => ({ text, words: place ? "" : first })));
    this.input.value = "";
    this.chosen.clear();
    this.keep();
    this.ask();
    this.input.focus({ preventScroll: true });
  }

  undo() {
    const last = this.told.entries.pop();
    if (!last) return;
    this.change({});
    this.input.value = last.text;
    this.input.select();
    this.input.focus();
  }

  /** Cards that are typed are marked among those to be clicked. */
  typed() {
    if (this.refused.hidden === false) this.refused.hidden = true;
  }

  /** A card of several is clicked, or the one thing that is wanted. @param {string} text */
  pick(text) {
    const { kind, count } = this.answer.expects;
    if ((kind !== "hand" && kind !== "cards") || count <= 1) return this.add([text]);
    if (!isCard(text)) { // of which there are several alike
      this.input.value = this.input.value ? `${this.input.value}, ${text}` : text;
      return this.input.value.split(",").length === count && this.add([this.input.value]);
    }
    if (!this.chosen.delete(text)) this.chosen.add(text);
    this.input.value = [...this.chosen].join(" ");
    if (this.chosen.size === count) return this.add([this.input.value]);
    for (const button of this.picks.querySelectorAll("button[data-card]")) button.setAttribute("aria-pressed", String(this.chosen.has(button.dataset.card)));
  }

  // --- Asking -----------------------------------------------------------------------------------------------------------

  /** What a request says. @param {string[]} entries */
  wish(entries) {
    const { options, seat, seconds, start } = this.told;
    return { game: options ? `${this.game.name}:${options}` : this.game.name, seat, start, entries, seconds: Number(seconds) };
  }

  /** Ask about all that was told; what is told meanwhile is asked about afterwards. */
  async ask() {
    this.again = true;
    if (this.busy) return;
    this.busy = true;
    while (this.again) {
      this.again = false;
      this.state.textContent = "thinking…";
      await this.askOnce([...this.told.entries]).catch((error) => this.refuse(error.message));
    }
    this.busy = false;
    this.state.textContent = "";
    await this.infer();
  }

  /** What the others' play suggests takes longer, so it is asked for when nobody waits for an answer. */
  async infer() {
    const about = this.answer;
    if (this.busy || !about?.beliefs || about.beliefs.inferred || about.inferred || !this.beliefs.open) return;
    about.inferred = true;
    const entries = this.told.entries.slice(0, this.sure).map(({ text }) => text);
    const told = await post("/api/advice", { ...this.wish(entries), seconds: 0.01, inference: "policy" }, this.admin.token).catch(() => null);
    if (this.answer !== about || !told?.beliefs) return;
    about.beliefs = told.beliefs;
    this.drawBeliefs();
  }

  /** @param {Entry[]} entries */
  async askOnce(entries) {
    this.list.show(this.told.entries);
    try {
      const answer = await post("/api/advice", this.wish(entries.map(({ text }) => text)), this.admin.token);
      this.admin.keep();
      this.taken(entries, answer);
    } catch (/** @type {any} */ error) {
      if (this.admin.wanted(error)) throw error;
      this.notTaken(entries, error);
    }
  }

  /** @param {Entry[]} entries @param {any} answer */
  taken(entries, answer) {
    for (const entry of entries.slice(this.sure)) {
      const found = answer.played.findLast((/** @type {[number, string]} */ [, text]) => text === cardName(entry.text));
      if (found) entry.words = this.names[found[0]];
    }
    this.sure = entries.length;
    this.refused.hidden = true;
    this.before = this.answer?.beliefs ?? null;
    this.answer = answer;
    this.keep();
    this.draw();
  }

  /** The server says that an entry cannot be: it goes back to the line with the reason. @param {Entry[]} entries @param {any} error */
  notTaken(entries, error) {
    const place = error.details?.entry;
    if (typeof place !== "number" || !entries[place]) throw error;
    const rest = this.told.entries.splice(place);
    this.sure = Math.min(this.sure, place);
    this.keep();
    this.input.value = rest.map(({ text }) => text).join(" ");
    this.refuse(error.message);
    this.again ||= this.answer === null; // after a reload nothing is known yet
    this.list.show(this.told.entries);
  }

  /** @param {string} words */
  refuse(words) {
    this.refused.hidden = false;
    this.refused.textContent = words;
  }

  /** Correct an entry, if it can be; `keep` is how many entries are left then. @param {number} index @param {string} text @param {number} [keep] */
  async correct(index, text, keep = this.told.entries.length) {
    const entries = this.told.entries.slice(0, keep).map((entry, place) => (place === index ? { ...entry, text } : entry));
    await post("/api/advice", { ...this.wish(entries.map((entry) => entry.text)), seconds: 0.05 }, this.admin.token);
    this.sure = 0;
    this.change({ entries });
  }

  // --- Showing ----------------------------------------------------------------------------------------------------------

  draw() {
    const { expects, view } = this.answer;
    this.expects.textContent = expects.kind === "over" ? "The game is over." : `Tell ${expects.words}`;
    this.input.placeholder = expects.kind === "hand" ? "qs 10h a♠ …" : "";
    this.drawStarts();
    fill(this.picks, !this.answer.legal.length && choices(this.answer, this.chosen, (text) => this.pick(text)));
    this.table.hidden = !view;
    if (view) this.board.show({ table: view.table, names: this.names, bottom: this.told.seat, legal: this.answer.legal, choose: this.answer.legal.length ? (/** @type {string} */ text) => this.add([text]) : null });
    fill(this.advice, h("h2", {}, "Advice"), this.adviceParts());
    this.drawBeliefs();
    this.list.show(this.told.entries);
    this.undoButton.disabled = !this.told.entries.length;
  }

  /** What differs from deal to deal of a match: which one this is. */
  drawStarts() {
    if (this.starts.contains(document.activeElement)) return;
    fill(this.starts, Object.entries(this.answer.start).map(([name, values]) => {
      const select = h("select", { "aria-label": name, "data-start": name, onchange: () => this.change({ start: { ...this.told.start, [name]: values[select.value] } }) },
        values.map((/** @type {any} */ value, /** @type {number} */ place) => h("option", { value: place, selected: (this.told.start[name] ?? values[0]) === value }, `${name} ${value}`)));
      return select;
    }));
  }

  drawBeliefs() {
    const { beliefs } = this.answer;
    this.beliefs.hidden = !beliefs;
    if (beliefs) fill(this.beliefBody, beliefTable(beliefs, this.names, { before: this.before }));
  }

  adviceParts() {
    const { advice, expects, view } = this.answer;
    if (!advice) return h("p", { class: "muted" }, expects.kind === "over" ? overWords(view) : expects.kind === "hand" ? "It comes when you have told your hand and it is your turn." : "It comes when it is your turn.");
    const actions = advice.actions?.length ? advice.actions : [advice.action];
    const reasons = advice.reasons ?? {};
    return [
      h("div", { class: "spread" },
        h("p", { class: "advised", "data-advice": actions.join(" ") }, actions.map(shown).join(" ")),
        h("button", { type: "button", id: "play-it", onclick: () => this.add(actions) }, "I play it")),
      [reasons.best, reasons.next].filter(Boolean).map((words) => h("p", {}, shown(words))),
      Object.entries(advice.risks ?? {}).map(([risk, shares]) => h("p", {}, riskWords(risk, shares))),
      decisionTable(advice.decision, advice.measure),
    ];
  }
}

/** A card as the server writes it; nothing else is changed. @param {string} text */
function cardName(text) {
  const [, rank, suit] = CARD.exec(text) ?? [];
  return rank ? `${rank.toUpperCase().replace("10", "T")}${"CDSH"["♣♦♠♥".indexOf(suit)] ?? suit.toUpperCase()}` : text;
}

/** @param {any} view */
function overWords(view) {
  return `The game is over: ${view.outcome?.words || view.scores.join(", ")}`;
}
