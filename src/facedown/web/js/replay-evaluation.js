/** The evaluation over the game: what each player could expect, decision by decision, and what the open cards say. */

import { fill, h } from "./dom.js";
import { lineGraph, seriesSign } from "./graph.js";
import { unitName } from "./measure.js";

/** @typedef {import("./replay-game.js").Replay} Replay */
/** @typedef {import("./graph.js").Series} Series */

export class Evaluation {
  /** @param {Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.host = h("div", { class: "graph-host" });
    this.legend = h("div", { class: "row graph-legend" });
    this.element = h("section", { class: "panel", id: "evaluation", hidden: true },
      h("h2", {}, "Evaluation over the game"), this.host, this.legend,
      h("p", { class: "muted" }, "Solid: what the search expected of the player's best action, by what the player could know. Dashed: the same with all cards open. A click goes to the decision."));
    /** Seats that are shown. @type {Set<number> | null} */
    this.shown = null;
    this.open = true; // whether the lines with open cards are drawn
    new ResizeObserver(() => this.draw()).observe(this.host);
  }

  draw() {
    const { analysis, labels, steps, last, at } = this.replay;
    this.element.hidden = !analysis.measure || analysis.decisions.size === 0;
    if (this.element.hidden) return;
    const measure = /** @type {import("./measure.js").Measure} */ (analysis.measure);
    this.shown ??= new Set(labels.length > 2 && this.replay.viewer !== null && this.replay.viewer >= 0 ? [this.replay.viewer] : labels.keys());
    const factor = measure.unit === "win" ? 100 : 1;
    const series = labels.flatMap((label, seat) => (this.shown?.has(seat) ? this.linesOf(label, seat, measure, factor) : []));
    const marks = steps.filter((step, moves) => moves > 0 && step.deal !== steps[moves - 1].deal && moves < last).map((step) => ({ x: step.moves, label: `deal ${step.deal}` }));
    this.drawLegend();
    fill(this.host, lineGraph({
      series, marks, current: at, reach: [0, last], width: Math.max(300, this.host.clientWidth), height: 240,
      label: `Evaluation of ${series.length} lines over ${last} actions, in ${unitName(measure)}; the list of actions leads to each decision`,
      text: (value) => (measure.unit === "win" ? `${value} %` : String(value)), unit: unitName(measure), across: "actions",
      onpick: (moves) => this.replay.go(moves),
    }));
  }

  /** @param {string} label @param {number} seat @param {import("./measure.js").Measure} measure @param {number} factor @returns {Series[]} */
  linesOf(label, seat, measure, factor) {
    const own = [...this.replay.analysis.decisions.values()].filter((one) => one.seat === seat).sort((one, other) => one.moves - other.moves);
    /** @param {number} value */
    const inUnits = (value) => factor * (measure.zero + measure.scale * value);
    /** @type {[number, number][]} */
    const known = own.flatMap((one) => (one.value === null ? [] : [[one.moves, inUnits(one.value)]]));
    /** @type {[number, number][]} */
    const open = own.flatMap((one) => (one.hindsight ? [[one.moves, inUnits(one.hindsight.value)]] : []));
    return [{ label, points: known, colour: seat }, ...(this.open && open.length ? [{ label: `${label}, open cards`, points: open, colour: seat, dashed: true }] : [])];
  }

  drawLegend() {
    if (this.legend.childElementCount) return;
    const toggle = (/** @type {any[]} */ content, /** @type {boolean} */ on, /** @type {(on: boolean) => void} */ set) =>
      h("button", { class: "small", type: "button", "aria-pressed": String(on), onclick: (/** @type {any} */ event) => {
        const now = event.currentTarget.getAttribute("aria-pressed") !== "true";
        event.currentTarget.setAttribute("aria-pressed", String(now));
        set(now);
        this.draw();
      } }, content);
    fill(this.legend,
      this.replay.labels.map((label, seat) => toggle([seriesSign(seat), label], Boolean(this.shown?.has(seat)), (on) => (on ? this.shown?.add(seat) : this.shown?.delete(seat)))),
      toggle([seriesSign(0, true), "all cards open"], this.open, (on) => (this.open = on)));
  }
}
