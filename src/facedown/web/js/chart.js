/** Figures with intervals as drawings: below each other, as they narrow, and how often each score came. */

import { svg } from "./dom.js";
import { estimateText } from "./estimate.js";
import { niceTicks } from "./graph.js";

/** @typedef {import("./estimate.js").Estimate} Estimate */
/** @typedef {[number, number]} Reach */

const ROW = 46;
const LETTER = 6.9; // about the width of a letter of the labels
const LEFT = 44;
const SIDE = 10;
let drawings = 0;

/** A drawing that is as wide as its place, and is made again when that changes: its letters keep their size. */
export class FitChart extends HTMLElement {
  /** @param {(width: number) => SVGElement} draw */
  show(draw) {
    this.draw = draw;
    this.redraw();
  }

  connectedCallback() {
    this.watching = new ResizeObserver(() => this.redraw());
    this.watching.observe(this);
  }

  disconnectedCallback() {
    this.watching?.disconnect();
  }

  redraw() {
    const width = Math.round(this.clientWidth);
    if (this.draw && width) this.replaceChildren(this.draw(width));
  }
}
customElements.define("fit-chart", FitChart);

/** @param {(width: number) => SVGElement} draw @returns {FitChart} */
export function chart(draw) {
  const made = /** @type {FitChart} */ (document.createElement("fit-chart"));
  made.show(draw);
  return made;
}

/**
 * Figures below each other, each with its interval as a line; one without a bound is an arrow.
 * @param {{label: string, estimate: Estimate}[]} rows
 * @param {{title: string, axis: string, reach?: Reach | null}} words
 * @param {number} width
 */
export function forest(rows, { title, axis, reach = null }, width) {
  const ticks = niceTicks(...(reach ?? reachOf(rows.map(({ estimate }) => estimate))), width < 480 ? 4 : 7);
  const at = scale(ticks, SIDE, width - SIDE);
  const bottom = ROW * rows.length + 4;
  const drawn = rows.flatMap(({ label, estimate }, place) => {
    const y = ROW * place + 31;
    const text = estimateText(estimate);
    return [
      words(0, ROW * place + 15, shortened(label, (width - 16) / LETTER - text.length), "chart-name"),
      words(width, ROW * place + 15, text, "chart-number", "end"),
      svg("path", { class: "chart-mark", d: `M${at(estimate.low ?? -Infinity)} ${y}H${at(estimate.high ?? Infinity)}` }),
      endOf(at(estimate.low ?? -Infinity), y, estimate.low === null ? -1 : 0),
      endOf(at(estimate.high ?? Infinity), y, estimate.high === null ? 1 : 0),
      svg("circle", { class: "chart-dot", cx: at(estimate.value), cy: y, r: 5 }),
    ];
  });
  const told = rows.map(({ label, estimate }) => `${label}: ${estimateText(estimate)}`).join("; ");
  return picture(title, told, width, bottom + 38, [
    ticks.map((tick) => svg("path", { class: tick === 0 ? "chart-zero" : "chart-grid", d: `M${at(tick)} 0V${bottom}` })),
    drawn, below(ticks, at, bottom, axis, width)]);
}

/**
 * How far a plot of figures reaches, zero with it.
 * @param {Estimate[]} estimates
 * @returns {Reach}
 */
export function reachOf(estimates) {
  const ends = estimates.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  return [Math.min(0, ...ends), Math.max(0, ...ends)];
}

/** @typedef {{first: string, second: string, at: number[], values: number[], lows: (number | null)[], highs: (number | null)[]}} Running */

/**
 * A difference as it changed with the number of deals, and its interval as a band.
 * @param {Running} line
 * @param {number} width
 */
export function running({ first, second, at: deals, values, lows, highs }, width) {
  const height = 190;
  const settled = Math.min(Math.max(2, Math.floor(deals.length / 10)), deals.length - 1); // the first intervals are too wide to be drawn
  const ends = [...lows.slice(settled), ...highs.slice(settled), ...values.slice(1), 0].filter((end) => end !== null);
  const ticks = niceTicks(Math.min(...ends), Math.max(...ends), 4);
  const right = wholeTicks(deals[0], deals[deals.length - 1], width < 480 ? 4 : 8);
  const across = scale([deals[0], Math.max(deals[deals.length - 1], deals[0] + 1)], LEFT, width - SIDE);
  const up = scale(ticks, height - 6, 8);
  const line = (/** @type {(number | null)[]} */ ys, /** @type {number} */ lost) => ys.map((y, place) => `${across(deals[place])} ${up(y ?? lost)}`);
  const area = [...line(highs, Infinity), ...line(lows, -Infinity).reverse()];
  const last = values.length - 1;
  return picture(`Lead of ${first} less that of ${second}, deal by deal`,
    `After ${deals[last]} deals ${round(values[last])}, 95 % interval ${round(lows[last])} to ${round(highs[last])}`, width, height + 34, [
      gridUp(ticks, up, width),
      svg("path", { class: "chart-band", d: `M${area.join("L")}Z` }),
      svg("path", { class: "chart-mark", d: `M${line(values, 0).join("L")}` }),
      below(right, across, height - 6, "deals", width)]);
}

/**
 * How many games of an agent had which score; `most` is the top of the scale, the same for several that are compared.
 * @param {{agent: string, start: number, width: number, counts: number[], mean: number}} bars
 * @param {number} most
 * @param {number} width
 */
export function histogram({ agent, start, width: bin, counts, mean }, most, width) {
  const height = 110;
  const end = start + bin * counts.length;
  const across = scale([start, end], LEFT, width - SIDE);
  const ticks = niceTicks(0, most, 3).filter(Number.isInteger);
  const up = scale([0, Math.max(most, ticks[ticks.length - 1])], height - 6, 12);
  const drawn = counts.map((count, place) => {
    const [left, right] = [across(start + place * bin), across(start + (place + 1) * bin)];
    const gap = right - left > 4 ? 1 : 0;
    return count ? svg("rect", { class: "chart-bar", x: left + gap, y: up(count), width: right - left - 2 * gap, height: height - 6 - up(count) }) : null;
  });
  return picture(`Scores of ${agent}`, `mean ${round(mean)}, ${counts.reduce((sum, count) => sum + count, 0)} games`, width, height + 34, [
    gridUp(ticks, up, width), drawn,
    svg("path", { class: "chart-mean", d: `M${across(mean)} 6V${height - 6}` }),
    below(niceTicks(start, end, width < 480 ? 5 : 10).filter((tick) => tick >= start && tick <= end), across, height - 6, "score", width)]);
}

// --- Parts ------------------------------------------------------------------------------------------------------------

/** @param {string} title @param {string} told @param {number} width @param {number} height @param {any[]} parts */
function picture(title, told, width, height, parts) {
  const id = `drawing-${(drawings += 1)}`;
  return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-labelledby": `${id}-title`, "aria-describedby": `${id}-told` },
    svg("title", { id: `${id}-title` }, title), svg("desc", { id: `${id}-told` }, told), parts.flat(2));
}

/** Numbers to places, those beyond the ends at the ends. @param {number[]} ticks @param {number} begin @param {number} end */
function scale(ticks, begin, end) {
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  return (/** @type {number} */ value) => Number((begin + ((Math.min(Math.max(value, low), high) - low) / (high - low)) * (end - begin)).toFixed(1));
}

/** @param {number} x @param {number} y @param {string} text @param {string} kind @param {string | null} [anchor] */
function words(x, y, text, kind, anchor = null) {
  return svg("text", { class: kind, x, y, "text-anchor": anchor }, text);
}

/** The end of an interval: a stroke, or an arrow where there is none. @param {number} x @param {number} y @param {number} open */
function endOf(x, y, open) {
  return svg("path", { class: "chart-mark", d: open ? `M${x - 6 * open} ${y - 5}L${x} ${y}L${x - 6 * open} ${y + 5}` : `M${x} ${y - 4}V${y + 4}` });
}

/** @param {number[]} ticks @param {(value: number) => number} up @param {number} width */
function gridUp(ticks, up, width) {
  return ticks.flatMap((tick) => [
    svg("path", { class: tick === 0 ? "chart-zero" : "chart-grid", d: `M${LEFT} ${up(tick)}H${width - SIDE}` }),
    words(LEFT - 6, up(tick) + 4, round(tick), "chart-number", "end")]);
}

/** @param {number[]} ticks @param {(value: number) => number} at @param {number} bottom @param {string} axis @param {number} width */
function below(ticks, at, bottom, axis, width) {
  return [...ticks.map((tick) => words(Math.min(Math.max(at(tick), 8), width - 12), bottom + 16, round(tick), "chart-number", "middle")),
    words(width / 2, bottom + 32, axis, "chart-number", "middle")];
}

/** @param {number} first @param {number} last @param {number} count */
function wholeTicks(first, last, count) {
  return niceTicks(first, last, count).filter((tick) => Number.isInteger(tick) && tick >= first && tick <= last);
}

/** @param {number | null} value */
function round(value) {
  return value === null ? "∞" : String(Number(value.toFixed(2))).replace("-", "−");
}

/** @param {string} text @param {number} room in letters */
function shortened(text, room) {
  return text.length <= room ? text : `${text.slice(0, Math.max(1, Math.floor(room) - 1))}…`;
}
