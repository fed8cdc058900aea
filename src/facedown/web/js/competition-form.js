/** The form for a new competition: what is played by whom, and how many games that will be. */

import { AdminField } from "./admin.js";
import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { agentPicker, optionsForm, seedField, withSeed } from "./options.js";
import { counted } from "./words.js";

const OPEN = "open!";
const WAIT = 250; // milliseconds after the last change

/** @param {string} words @param {any} input @param {string} [more] */
function field(words, input, more = "") {
  return h("label", { class: "field" }, h("span", {}, words), input, more && h("small", {}, more));
}

/** @param {string} name @param {[string, string][]} choices */
function choice(name, choices) {
  return h("select", { name }, choices.map(([value, words]) => h("option", { value }, words)));
}

class Form {
  /** @param {any[]} games @param {any[]} agents */
  constructor(games, agents) {
    this.games = games;
    this.agents = agents;
    /** @type {{picker: any, row: HTMLElement}[]} */
    this.entrants = [];
    this.game = h("select", { name: "game", onchange: () => this.chosen() }, games.map(({ name }) => h("option", { value: name, selected: name === "hearts" }, name)));
    this.options = h("details", { class: "game-options" });
    this.list = h("div");
    this.deals = h("input", { type: "number", name: "deals", min: 1, max: 100_000, step: 1, value: 20, required: true });
    this.seconds = h("input", { type: "number", name: "move_seconds", min: 0.05, max: 86_400, step: "any", value: 60, required: true });
    this.seed = seedField();
    this.name = h("input", { name: "name", maxlength: 80, placeholder: "none", autocomplete: "off" });
    this.seating = choice("seating", [["all", "all seatings"], ["rotations", "rotations"]]);
    this.pairing = choice("pairing", [["round-robin", "round robin"], ["field", "first against rest"]]);
    this.admin = new AdminField();
    this.cost = h("p", { id: "cost", role: "status" });
    this.make = h("button", { type: "submit", class: "primary" }, "Start");
    this.element = h("form", { onsubmit: (/** @type {Event} */ event) => this.submit(event), oninput: () => this.changed(), onchange: () => this.changed() },
      h("fieldset", {}, field("Game", this.game), this.options),
      h("fieldset", {}, h("legend", {}, "Entrants"), this.list, h("div", { class: "row" }, h("button", { type: "button", class: "small", "data-add": "agent", onclick: () => this.add("easy") }, "Add an agent"), h("button", { type: "button", class: "small", "data-add": "open", onclick: () => this.add(OPEN) }, "Add an open place"))),
      h("div", { class: "fields" },
        field("Deals", this.deals, "each is played in every seating"), field("Who sits where", this.seating, "all, or turned round the table"), field("Who meets", this.pairing, "all each other, or the first each of the rest"),
        field("Seconds for an action", this.seconds, "a remote entrant that takes longer forfeits the game"), field("Seed", this.seed, "fixes the deals; is told when it is over"), field("Name", this.name)),
      this.admin.element, this.cost, this.make);
    this.chosen();
  }

  /** A game is chosen: its options, and agents that can play it. */
  chosen() {
    const game = this.games.find(({ name }) => name === this.game.value);
    this.own = optionsForm(game.options);
    fill(this.options, h("summary", {}, "Options of the game"), this.own);
    this.options.hidden = !game.options.length;
    const texts = this.entrants.length ? this.entrants.map(({ picker }) => picker.value) : ["normal", "easy"];
    this.entrants = [];
    fill(this.list);
    texts.forEach((text) => this.add(text));
  }

  /** @param {string} text */
  add(text) {
    const picker = agentPicker(this.game.value, this.agents, text, { extra: [[OPEN, "an open place, for a bot from elsewhere"]], label: `Entrant ${this.entrants.length + 1}` });
    const row = h("div", { class: "entrant" }, picker, h("button", { type: "button", class: "small", "aria-label": `Remove entrant ${this.entrants.length + 1}`, onclick: () => this.remove(row) }, "Remove"));
    this.entrants.push({ picker, row });
    this.list.append(row);
    this.changed();
  }

  /** @param {HTMLElement} row */
  remove(row) {
    this.entrants = this.entrants.filter((one) => one.row !== row);
    row.remove();
    this.changed();
  }

  /** What is asked for, as text. */
  wish() {
    const game = this.own?.value ? `${this.game.value}:${this.own.value}` : this.game.value;
    const entrants = this.entrants.map(({ picker }) => (picker.value === OPEN ? { open: true } : { agent: picker.value }));
    return withSeed({ game, entrants, deals: Number(this.deals.value), seating: this.seating.value, pairing: this.pairing.value, move_seconds: Number(this.seconds.value), name: this.name.value }, this.seed.value);
  }

  /** Something has changed: say what it will cost, or what is wrong. */
  changed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask("/api/competitions/cost").then((cost) => cost && this.tell(cost)), WAIT);
  }

  /** @param {{games: number, seatings: number}} cost */
  tell({ games, seatings }) {
    const waits = this.entrants.some(({ picker }) => picker.value === OPEN);
    this.cost.className = "";
    fill(this.cost, h("strong", {}, counted(games, "game")), `: ${counted(Number(this.deals.value), "deal")} in ${counted(seatings, "seating")} each.`, waits && " They begin when every open place is taken.");
  }

  /** @param {string} path @returns {Promise<any>} nothing where it was refused, and the form says why */
  async ask(path) {
    if (!this.element.checkValidity()) return null;
    const wish = this.wish();
    try {
      const told = await post(path, wish, this.admin.token);
      this.admin.keep();
      this.make.disabled = false;
      return wish === this.wish() ? told : null;
    } catch (/** @type {any} */ error) {
      this.cost.className = "problem";
      fill(this.cost, this.admin.wanted(error) && !this.admin.token ? "The administrator’s token is needed here." : error.message);
      return null;
    }
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    this.make.disabled = true;
    const made = await this.ask("/api/competitions");
    if (made) location.assign(`/competitions/${made.id}`);
    this.make.disabled = false;
  }
}

/** @param {any[]} games @param {any[]} agents */
export function newCompetition(games, agents) {
  return new Form(games, agents).element;
}
