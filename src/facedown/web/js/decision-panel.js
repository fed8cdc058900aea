/** One decision: the candidates, both verdicts, and what other agents say beside it. */

import { Analysis } from "./analysis.js";
import { askForm } from "./asking.js";
import { decisionTable } from "./decision.js";
import { fill, h } from "./dom.js";
import { verdicts } from "./grades.js";
import { valueText } from "./measure.js";
import { shown } from "./words.js";

/** @typedef {import("./analysis.js").Judged} Judged */
/** @typedef {import("./measure.js").Measure} Measure */

/** @typedef {{key: string, moves: number, body: (fields: any) => any}} Place where a decision is made; `body` asks about it */

export class DecisionPanel {
  /**
   * @param {{game: string, agents: any, agent?: string}} options
   */
  constructor({ game, agents, agent }) {
    this.title = h("h2", {}, "Decision");
    this.told = h("div", { class: "decision-told" });
    this.beside = h("div", { class: "answers" });
    this.form = askForm({ game, agents, agent, label: "Ask", onask: (asked) => this.ask(asked) });
    this.asking = h("details", { class: "ask-again" }, h("summary", {}, "Ask another agent, or with another seed"), this.form.element);
    this.element = h("section", { class: "panel", id: "decision" }, this.title, this.told, this.beside, this.asking);
    /** @type {Place | null} */
    this.place = null;
    /** The answers that belong to the game's analysis. @type {(HTMLElement | null)[]} */
    this.own = [];
    /** Answers by the place they are about. @type {Map<string, Analysis[]>} */
    this.answers = new Map();
  }

  /**
   * Show a decision.
   * @param {Place | null} place null where nobody can be asked
   * @param {{title: string, words?: string, judged?: Judged | null, measure?: Measure | null, by?: string, again?: Judged | null, againMeasure?: Measure | null}} given
   */
  show(place, { title, words = "", judged = null, measure = null, by = "", again = null, againMeasure = null }) {
    this.place = place;
    this.title.textContent = title;
    this.asking.hidden = place === null;
    fill(this.told,
      words ? h("p", { class: "muted" }, words) : null,
      judged && measure ? verdicts(judged, measure) : null);
    this.own = [
      judged && measure ? h("div", { class: "answer" }, answer(by, judged, measure)) : null,
      again && againMeasure ? h("div", { class: "answer" }, answer("The recorded agent, its recorded seed", again, againMeasure)) : null,
    ];
    this.drawAnswers();
  }

  /** @param {{agent: string, seed: number}} asked */
  ask({ agent, seed }) {
    if (!this.place) return;
    const { key, body } = this.place;
    const found = new Analysis(() => this.drawAnswers());
    this.answers.set(key, [found, ...(this.answers.get(key) ?? [])]);
    Object.assign(found, { asked: `${agent}, seed ${seed}` });
    found.start(body({ agent, seed }));
    this.drawAnswers();
  }

  drawAnswers() {
    const answers = this.place ? (this.answers.get(this.place.key) ?? []) : [];
    fill(this.beside, this.own, answers.map((one) => this.drawAnswer(one)));
  }

  /** @param {any} found */
  drawAnswer(found) {
    const judged = [...found.decisions.values()][0];
    const remove = h("button", { class: "small", type: "button", "aria-label": `Remove the answer of ${found.asked}`, onclick: () => this.forget(found) }, "×");
    if (judged && found.measure) return h("div", { class: "answer" }, answer(found.asked, judged, found.measure, remove), openCards(judged, found.measure));
    const words = found.error || (found.done ? "There was nothing to decide." : "is thinking …");
    return h("div", { class: "answer" }, h("div", { class: "spread" }, h("h3", {}, found.asked), remove), h("p", { class: found.error ? "error" : "muted", role: "status" }, words));
  }

  /** @param {Analysis} found */
  forget(found) {
    found.clear();
    for (const [key, all] of this.answers) this.answers.set(key, all.filter((one) => one !== found));
    this.drawAnswers();
  }
}

/** What is best with all cards open. @param {Judged} judged @param {Measure} measure */
function openCards({ hindsight }, measure) {
  if (!hindsight) return null;
  return h("p", {}, h("span", { class: "muted" }, `With all cards open${hindsight.exact ? ", exact" : ""}: `), `${shown(hindsight.best)}, ${valueText(measure, hindsight.value)}`);
}

/** The candidates of who was asked. @param {string} by @param {Judged} judged @param {Measure} measure @param {any} [remove] */
function answer(by, judged, measure, remove = null) {
  const { decision, played } = judged;
  const sure = judged.identical === true ? h("p", { class: "identical" }, "✓ searched again: identical to the recorded decision") : judged.identical === false ? h("p", { class: "error" }, "✗ searched again: not what was recorded") : null;
  const head = h("div", { class: "spread" }, h("h3", {}, by), remove);
  if (!decision.candidates?.length) return h("div", {}, head, sure, h("p", { class: "muted" }, decision.reason ?? `Plays ${shown(decision.text ?? "")}, without a search.`));
  return h("div", {}, head, sure, decisionTable(decision, measure, { played }));
}
