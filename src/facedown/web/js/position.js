/** Own positions: typed or pasted, drawn, analysed, and shared by their text in the address. */

import { admin } from "./admin-asking.js";
import { get, post } from "./api.js";
import { ALIKE, BeliefPanel, cardsLookAlike } from "./belief-panel.js";
import "./board.js";
import { DecisionPanel } from "./decision-panel.js";
import { fill, h } from "./dom.js";
import { say, startPage } from "./page.js";
import { keepRecord, recordsIn } from "./records.js";
import { TreePanel } from "./tree-panel.js";

const main = startPage("Position");

/** @typedef {{game: string, position: string}} Wanted */

class PositionPage {
  /** @param {any[]} games @param {any} agents @param {Wanted} wanted */
  constructor(games, agents, wanted) {
    this.agents = agents;
    this.games = games;
    this.game = h("input", { list: "games", value: wanted.game, required: true, spellcheck: "false", autocapitalize: "off", "aria-describedby": "problem" });
    this.text = h("textarea", { rows: 5, spellcheck: "false", required: true, "aria-describedby": "problem", value: wanted.position,
      placeholder: "hearts/1 hands=… trick=…, a view, or a record in JSON" });
    this.problem = h("p", { class: "error", id: "problem", role: "alert" });
    this.viewer = h("select", { onchange: () => this.look() });
    this.found = h("div", {});
    /** @type {string[]} */
    this.names = [];
    fill(main,
      h("h1", {}, "Analyse a position"),
      h("form", { class: "panel position-form", onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.show();
      } },
      h("datalist", { id: "games" }, games.map((game) => h("option", { value: game.name }))),
      h("label", { class: "field" }, h("span", {}, "Game, with its options if it has others than usual"), this.game),
      h("label", { class: "field" }, h("span", {}, "Position, view or record"), this.text),
      this.problem,
      h("div", { class: "row" },
        h("button", { class: "primary", type: "submit" }, "Show"),
        h("button", { type: "button", onclick: () => this.copy() }, "Copy link"),
        h("button", { type: "button", onclick: () => this.example() }, "An example"))),
      admin.element, this.found);
  }

  /** @returns {Wanted} */
  get wanted() {
    return { game: this.game.value.trim(), position: this.text.value.trim() };
  }

  get address() {
    return `${location.origin}/position?${new URLSearchParams(this.wanted)}`;
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.address);
      say("The link is copied.");
    } catch {
      say(this.address);
    }
  }

  /** A position from the middle of the newest game. */
  async example() {
    const { game } = this.wanted;
    try {
      const [newest] = await get(`/api/records?limit=1&game=${encodeURIComponent(game)}`);
      if (!newest) throw new Error(`No game of ${game} is finished yet: play one, then any step of its replay gives a position.`);
      const told = await post("/api/steps", { record: newest.id });
      this.text.value = told.steps[Math.floor(told.steps.length / 2)].position;
      await this.show();
    } catch (error) {
      this.problem.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** Show what was typed. */
  async show() {
    const { position, game } = this.wanted;
    this.problem.textContent = "";
    try {
      if (position.startsWith("{")) return this.openRecord(position);
      const told = await post("/api/steps", { game, position, seat: null });
      history.replaceState(null, "", this.address);
      this.draw(told, game, position);
    } catch (error) {
      this.problem.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {string} text */
  openRecord(text) {
    const [record] = recordsIn(text);
    if (!keepRecord(record.text)) throw new Error("expected a shorter record, got one that this browser cannot keep");
    location.href = "/replay#step=0";
  }

  /** @param {any} told @param {string} game @param {string} position */
  draw(told, game, position) {
    const [step] = told.steps;
    const seats = step.table.sides.length;
    this.names = Array.from({ length: seats }, (_, seat) => `seat ${seat}`);
    this.isView = step.table.seat !== null;
    this.shownAs = { game, position };
    this.step = step;
    this.board = h("card-board", { id: "table", "data-moves": step.moves, "data-to-move": step.to_move ?? "", "data-over": String(step.to_move === null) });
    const choices = [["", "all cards open"], ...this.names.map((name, seat) => [String(seat), `as ${name} sees it`])];
    this.viewer.replaceChildren(...choices.map(([value, words]) => h("option", { value }, words)));
    const decision = new DecisionPanel({ game, agents: this.agents });
    const beliefs = new BeliefPanel();
    const tree = new TreePanel({ game, agents: this.agents, names: this.names });
    const said = step.to_move === null ? (told.outcome?.words ?? "The game is over.") : `${this.names[step.to_move]} is to act.`;
    fill(this.found,
      h("section", { class: "panel board-panel" }, this.board, h("div", { class: "spread" }, h("p", {}, said), this.isView ? null : h("label", { class: "row" }, "View", this.viewer))),
      decision.element, beliefs.element, tree.element);
    this.board.show({ table: step.table, names: this.names, bottom: step.table.seat ?? 0 });
    this.fillPanels(decision, beliefs, tree, said);
  }

  /** @param {DecisionPanel} decision @param {BeliefPanel} beliefs @param {TreePanel} tree @param {string} said */
  fillPanels(decision, beliefs, tree, said) {
    const { step, shownAs, isView } = this;
    const mover = step.to_move;
    const believer = isView ? step.table.seat : mover;
    const own = { ...shownAs, seat: believer };
    const { names } = this;
    const canAsk = mover !== null && (!isView || believer === mover);
    const place = { key: "0", moves: 0, body: (/** @type {any} */ fields) => ({ ...shownAs, ...fields, hindsight: !isView }) };
    decision.show(canAsk ? place : null, { title: "Decision", words: canAsk ? "" : said });
    if (canAsk) decision.ask({ agent: "best:iterations=1000", seed: 0 });
    decision.asking.open = canAsk;
    if (cardsLookAlike([step])) beliefs.show({ words: ALIKE, names, now: null });
    else beliefs.show({ words: believer === null ? said : `What ${names[believer]} can know about the cards it does not see.`, names,
      now: believer === null ? null : { key: "0", body: (/** @type {any} */ fields) => ({ ...own, ...fields }) } });
    tree.show(canAsk ? own : null, canAsk ? `A search of ${names[mover]}.` : said);
  }

  /** Look with other eyes. */
  async look() {
    const seat = this.viewer.value === "" ? null : Number(this.viewer.value);
    try {
      const { steps } = await post("/api/steps", { ...this.shownAs, seat });
      this.board.show({ table: steps[0].table, names: this.names, bottom: seat ?? 0 });
    } catch (error) {
      this.problem.textContent = /** @type {Error} */ (error).message;
    }
  }
}

async function start() {
  const asked = new URLSearchParams(location.search);
  const wanted = { game: asked.get("game") ?? "hearts", position: asked.get("position") ?? "" };
  const [games, agents] = await Promise.all([get("/api/games"), get("/api/agents")]);
  const page = new PositionPage(games, agents, wanted);
  if (wanted.position) await page.show();
}

start().catch((error) => fill(main, h("h1", {}, "Position"), h("p", { class: "error", role: "alert" }, error.message)));
