/** The analysis board: one game, step by step, with what searches think of it. */

import { admin } from "./admin-asking.js";
import { AnalysePanel } from "./analyse-panel.js";
import { Analysis } from "./analysis.js";
import { get, post } from "./api.js";
import { ALIKE, BeliefPanel, cardsLookAlike } from "./belief-panel.js";
import { finishedTrick } from "./board.js";
import { DecisionPanel } from "./decision-panel.js";
import { fill, h } from "./dom.js";
import { fail } from "./page.js";
import { recordBody } from "./records.js";
import { ActionList } from "./replay-actions.js";
import { Controls } from "./replay-controls.js";
import { Evaluation } from "./replay-evaluation.js";
import { seatLabels, sentence } from "./replay-words.js";
import { TreePanel } from "./tree-panel.js";
import { shown } from "./words.js";

/** @typedef {import("./records.js").RecordWish} RecordWish */

/** Show a game. @param {HTMLElement} main @param {RecordWish} record */
export async function showGame(main, record) {
  const hash = new URLSearchParams(location.hash.slice(1));
  const view = hash.get("view");
  const viewer = view === null || view === "" ? null : Number(view);
  const [told, agents] = await Promise.all([post("/api/steps", recordBody(record, { seat: viewer })), get("/api/agents")]);
  const replay = new Replay(record, told, viewer, agents);
  fill(main, replay.element);
  replay.draw();
  replay.go(Number(hash.get("step") ?? 0));
  const id = hash.get("analysis");
  if (id && !((await replay.analysis.resume(id)) && replay.analysis.facts.game === told.game)) replay.analysis.clear(); // gone, or of another game
  replay.onAnalysis();
}

export class Replay {
  /** @param {RecordWish} record @param {any} told @param {number | null} viewer @param {any} agents */
  constructor(record, told, viewer, agents) {
    this.record = record;
    this.viewer = viewer;
    this.told = told;
    this.game = told.game;
    this.labels = seatLabels(told.names);
    this.at = -1;
    this.alike = cardsLookAlike(told.steps);
    /** Positions by viewer. @type {Map<number | null, any>} */
    this.seen = new Map([[viewer, told]]);
    /** @type {number | undefined} */
    this.due = undefined;
    this.analysis = new Analysis(() => this.onNews());
    this.recheck = new Analysis(() => this.onNews());
    this.board = /** @type {any} */ (h("card-board", { id: "table" }));
    this.controls = new Controls(this);
    this.actions = new ActionList(this);
    this.analyser = new AnalysePanel(this, agents);
    this.evaluation = new Evaluation(this);
    this.decision = new DecisionPanel({ game: this.game, agents });
    this.beliefs = new BeliefPanel(this.labels, () => this.drawBeliefs());
    this.tree = new TreePanel({ game: this.game, agents, names: this.labels });
    this.link = h("a", { class: "button" }, "Use this position");
    this.element = this.layout();
  }

  get steps() {
    return /** @type {any[]} */ (this.told.steps);
  }

  get last() {
    return this.steps.length - 1;
  }

  get ending() {
    return this.told.ending ?? this.told.outcome?.words ?? "";
  }

  layout() {
    const { told } = this;
    const scores = this.labels.map((label, seat) => `${label}: ${told.scores[seat]}`).join(", ");
    const title = typeof this.record === "number" ? `${told.game}, game ${this.record}` : told.game;
    return h("div", { class: "replay" },
      h("div", { class: "spread replay-head" },
        h("div", {}, h("h1", {}, title), h("p", { class: "muted", id: "scores" }, `${scores}${told.lower_is_better ? " (fewer is better)" : ""}. ${sentence(this.ending)}`)),
        h("div", { class: "row" }, h("a", { class: "button", href: "/replay" }, "All games"), this.link, this.downloadLink())),
      admin.element,
      h("div", { class: "replay-columns" },
        h("div", {}, h("section", { class: "panel board-panel" }, this.board, this.controls.element), this.evaluation.element, this.decision.element),
        h("div", {}, this.analyser.element, this.actions.element)),
      this.analyser.players, this.beliefs.element, this.tree.element);
  }

  downloadLink() {
    const stored = typeof this.record === "number";
    const href = stored ? `/api/records/${this.record}` : URL.createObjectURL(new Blob([`${this.record}\n`], { type: "application/json" }));
    return h("a", { class: "button", href, download: stored ? `game-${this.record}.json` : "game.json" }, "Record as JSON");
  }

  /** All that does not change from step to step. */
  draw() {
    this.controls.draw();
    this.actions.draw();
  }

  // --- Stepping ---

  /** @param {number} at */
  go(at) {
    const goal = Math.max(0, Math.min(this.last, Number.isInteger(at) ? at : 0));
    if (goal === this.at) return;
    this.at = goal;
    this.drawStep();
  }

  /** To the next decision, or the one before, of the seat looked from, or of any. @param {1 | -1} way */
  goToDecision(way) {
    const own = (/** @type {any} */ step) => step.choice !== false && step.to_move !== null && (this.viewer === null || this.viewer < 0 || step.to_move === this.viewer);
    for (let at = this.at + way; at >= 0 && at <= this.last; at += way) if (own(this.steps[at])) return this.go(at);
  }

  /** Look with other eyes. @param {number | null} viewer */
  async look(viewer) {
    try {
      const told = this.seen.get(viewer) ?? (await post("/api/steps", recordBody(this.record, { seat: viewer })));
      this.seen.set(viewer, told);
      this.viewer = viewer;
      this.told = told;
      this.draw();
      this.drawStep();
    } catch (error) {
      this.controls.draw();
      fail(error);
    }
  }

  drawStep() {
    const step = this.steps[this.at];
    Object.assign(this.board.dataset, { moves: step.moves, toMove: step.to_move ?? "", over: String(step.to_move === null) });
    this.board.show({ table: step.table, names: this.labels, bottom: Math.max(0, this.viewer ?? 0), last: this.at > 0 ? finishedTrick(this.steps[this.at - 1].table, step.played, step.table) : null });
    this.link.hidden = !step.position;
    this.link.href = `/position?${new URLSearchParams({ game: this.game, position: step.position ?? "" })}`;
    this.controls.mark();
    this.actions.mark();
    this.evaluation.draw();
    this.drawDecision();
    this.drawBeliefs();
    this.remember();
  }

  // --- What searches think ---

  /** @param {{agent: string, seed: number, hindsight: boolean}} asked */
  analyse(asked) {
    return this.analysis.start(recordBody(this.record, asked));
  }

  check() {
    return this.recheck.start(recordBody(this.record, { agent: "recorded" }));
  }

  /** Draw once for all decisions that come until the next picture. */
  onNews() {
    this.due ??= requestAnimationFrame(() => this.onAnalysis());
  }

  onAnalysis() {
    this.due = undefined;
    this.analyser.draw();
    this.actions.grade();
    this.evaluation.draw();
    this.drawDecision();
    this.remember();
  }

  drawDecision() {
    const { at } = this;
    const { to_move: mover, choice } = this.steps[at];
    const secret = this.viewer !== null && mover !== this.viewer;
    if (mover === null || at === this.last) return this.decision.show(null, { title: "Decision", words: this.ending });
    const title = `Decision of ${this.labels[mover]}`;
    if (secret) return this.decision.show(null, { title, words: "What another seat considered would show its cards. Look from its seat, or with all cards open." });
    const played = `It played ${shown(this.steps[at + 1].played.action)}.`;
    if (choice === false) return this.decision.show(null, { title, words: `${played} There was no choice.` });
    const { analysis, recheck } = this;
    const [judged, again] = [analysis.decisions.get(at) ?? null, recheck.decisions.get(at)];
    const place = { key: String(at), moves: at, body: (/** @type {any} */ fields) => recordBody(this.record, { ...fields, moves: [at], hindsight: true }) };
    const words = judged ? played : analysis.running ? `${played} Not judged yet.` : `${played} Analyse the game, or ask an agent about this decision.`;
    this.decision.show(place, { title, words, judged, measure: analysis.measure, by: analysis.facts ? `${analysis.facts.agent}, seed ${analysis.facts.seed}` : "", again, againMeasure: recheck.measure });
  }

  /** For whom beliefs are told: the seat looked from, the one chosen, or the one to act. */
  believer() {
    if (this.viewer !== null && this.viewer >= 0) return this.viewer;
    return this.beliefs.chosen ?? this.steps[this.at].to_move;
  }

  drawBeliefs() {
    const { at, record } = this;
    const seat = this.believer();
    this.beliefs.chooser.hidden = this.viewer !== null && this.viewer >= 0;
    const place = (/** @type {number} */ moves) => ({ key: `${moves} ${seat}`, body: (/** @type {any} */ fields) => recordBody(record, { moves, seat, ...fields }) });
    if (this.alike) this.beliefs.show({ words: ALIKE, names: this.labels, now: null });
    else if (seat === null) this.beliefs.show({ words: "The game is over: nobody has anything to guess.", names: this.labels, now: null });
    else this.beliefs.show({ words: `What ${this.labels[seat]} can know about the cards it does not see, after ${at} actions.`, names: this.labels, now: place(at), before: at > 0 ? place(at - 1) : null });
    const mover = this.steps[at].to_move;
    const hidden = mover === null || at === this.last || (this.viewer !== null && mover !== this.viewer);
    this.tree.show(hidden ? null : recordBody(record, { moves: at, seat: mover }),
      hidden ? "No search here: it is nobody's turn whose cards you look at." : `A search of ${this.labels[mover]} after ${at} actions.`);
  }

  /** The address leads back here. */
  remember() {
    const hash = new URLSearchParams({ step: String(this.at) });
    if (this.viewer !== null) hash.set("view", String(this.viewer));
    if (this.analysis.facts) hash.set("analysis", this.analysis.facts.id);
    history.replaceState(null, "", `#${hash}`);
  }
}
