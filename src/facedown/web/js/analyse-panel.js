/** The analysis of a whole game: begun, its progress, and how each player did; and the check of the record. */

import { askForm } from "./asking.js";
import { fill, h } from "./dom.js";
import { gradeLegend } from "./grades.js";
import { summary } from "./summary.js";
import { counted } from "./words.js";

/** @typedef {import("./replay-game.js").Replay} Replay */
/** @typedef {import("./analysis.js").Analysis} Analysis */

export class AnalysePanel {
  /** @param {Replay} replay @param {any} agents */
  constructor(replay, agents) {
    this.replay = replay;
    this.hindsight = h("input", { type: "checkbox", checked: true });
    this.form = askForm(
      { game: replay.game, agents, label: "Analyse", primary: true, onask: (asked) => replay.analyse({ ...asked, hindsight: this.hindsight.checked }) },
      h("label", { class: "row" }, this.hindsight, "with hindsight"));
    this.progress = h("div", { class: "progress", role: "status" });
    this.checked = h("div", { role: "status" });
    this.checker = h("button", { type: "button", onclick: () => replay.check() }, "Check the record");
    this.element = h("section", { class: "panel", id: "analyse" },
      h("h2", {}, "Analysis"), this.form.element, this.progress,
      h("div", { class: "row check-row" }, this.checker, this.checked));
    this.players = h("section", { class: "panel", id: "summary", hidden: true });
    this.drawn = "";
  }

  draw() {
    const { analysis, recheck } = this.replay;
    this.form.busy(analysis.running);
    this.checker.disabled = recheck.running;
    fill(this.progress, progressOf(analysis, analysis.done ? `${analysis.facts.agent}, seed ${analysis.facts.seed}: ${counted(analysis.facts.total, "decision")}.` : ""));
    fill(this.checked, recheck.done ? checkWords(recheck) : progressOf(recheck, ""));
    this.drawSummary();
  }

  drawSummary() {
    const { analysis, labels, steps } = this.replay;
    const { measure } = analysis;
    const players = measure && analysis.facts?.players;
    this.players.hidden = !players;
    const state = players ? analysis.facts.id : "";
    if (this.drawn === state) return;
    this.drawn = state;
    const download = h("a", { class: "button", href: `/api/analyses/${analysis.facts?.id}`, download: `analysis-${analysis.facts?.id}.json` }, "Analysis as JSON");
    if (players) fill(this.players, h("div", { class: "spread" }, h("h2", {}, "Skill and luck"), download), summary(players, labels, measure, steps[steps.length - 1].deal), gradeLegend());
  }
}

/** @param {Analysis} analysis @param {string} done */
function progressOf(analysis, done) {
  if (analysis.error) return h("p", { class: "error", role: "alert" }, analysis.error);
  if (!analysis.running) return done ? h("p", { class: "muted" }, done) : null;
  const { total } = analysis.facts;
  const left = analysis.secondsLeft;
  const words = `${analysis.decisions.size} of ${total}${left === null ? "" : `, about ${Math.max(1, Math.round(left))} s left`}`;
  return h("label", { class: "row" }, h("progress", { max: total, value: analysis.decisions.size }), words);
}

/** @param {Analysis} recheck */
function checkWords(recheck) {
  const all = [...recheck.decisions.values()];
  const [same, other] = [all.filter((one) => one.identical === true), all.filter((one) => one.identical === false)];
  const asked = same.length + other.length;
  const reasons = new Set(all.filter((one) => one.identical === null).map((one) => one.decision.reason).filter(Boolean));
  const rest = all.length - asked ? ` ${counted(all.length - asked, "decision")} cannot be searched again${reasons.size ? `: ${[...reasons].join("; ")}` : "."}` : "";
  if (!asked) return h("p", {}, `Nothing was checked.${rest}`);
  const words = `${same.length} of ${counted(asked, "decision")} searched again ${same.length === 1 ? "is" : "are"} identical.`;
  return h("p", {}, h("strong", { class: other.length ? "bad-words" : "good-words" }, `${other.length ? "✗" : "✓"} ${words}`),
    other.length ? ` The first that is not: action ${other[0].moves + 1}.` : "", rest);
}
