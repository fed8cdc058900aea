/** Lines over the course of a game, as a drawing: values by the number of actions, one line for each series. */

import { svg } from "./dom.js";

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {[number, number][]} points
 * @property {number} [colour] which of the colours of seats; by default its place in the list
 * @property {boolean} [dashed]
 */

/**
 * @typedef {object} Graph
 * @property {Series[]} series
 * @property {string} label what a screen reader says
 * @property {[number, number]} [reach] the first and the last x; by default those of the points
 * @property {number} [width]
 * @property {number} [height]
 * @property {number | null} [current] the x that is marked
 * @property {{x: number, label: string}[]} [marks] lines down to the axis, such as where a deal begins
 * @property {(x: number) => void} [onpick] called with the x of the point that is nearest to a click
 * @property {(value: number) => string} [text] a value of the vertical axis
 * @property {string} [unit] what the vertical axis counts
 * @property {string} [across] what the horizontal axis counts
 */

const LEFT = 46;
const RIGHT = 10;
const TOP = 20;
const BOTTOM = 34;
const SHAPES = ["M-3 0A3 3 0 1 0 3 0A3 3 0 1 0-3 0Z", "M-2.7-2.7H2.7V2.7H-2.7Z", "M0-3.6L3.4 2.6H-3.4Z", "M0-4L3.6 0L0 4L-3.6 0Z"];

/**
 * @param {Graph} graph
 * @returns {SVGSVGElement}
 */
export function lineGraph(graph) {
  const { series, label, width = 640, height = 220, current = null, marks = [], onpick, text = String, unit = "", across = "" } = graph;
  const all = series.flatMap((one) => one.points);
  const [first, last] = graph.reach ?? ends(all.map(([x]) => x));
  const ticks = niceTicks(...ends(all.map(([, y]) => y)), 5);
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const right = width - RIGHT;
  const base = height - BOTTOM;
  /** @param {number} x */
  const atX = (x) => LEFT + ((right - LEFT) * (x - first)) / Math.max(1, last - first);
  /** @param {number} y */
  const atY = (y) => base - ((base - TOP) * (y - low)) / (high - low);
  const drawn = svg("svg", { class: `graph${onpick ? " pickable" : ""}`, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    svg("text", { class: "graph-text", x: 0, y: 11 }, unit),
    ticks.map((y) => [
      svg("line", { class: y === 0 ? "graph-zero" : "graph-grid", x1: LEFT, x2: right, y1: atY(y), y2: atY(y) }),
      svg("text", { class: "graph-text", x: LEFT - 6, y: atY(y) + 4, "text-anchor": "end" }, text(y)),
    ]).flat(),
    wholeTicks(first, last, width / 80).map((x) => svg("text", { class: "graph-text", x: atX(x), y: base + 15, "text-anchor": "middle" }, x)),
    svg("text", { class: "graph-text", x: right, y: height - 4, "text-anchor": "end" }, across),
    marks.map((mark) => markLine(mark, atX(mark.x), base)),
    series.map((one, index) => drawSeries(one, one.colour ?? index, atX, atY)),
    current === null ? null : svg("line", { class: "graph-current", x1: atX(current), x2: atX(current), y1: TOP, y2: base }));
  if (onpick) drawn.addEventListener("click", (/** @type {MouseEvent} */ event) => pick(event, drawn, width, all, atX, onpick));
  return drawn;
}

/** The sign of a series in a legend. @param {number} colour @param {boolean} [dashed] */
export function seriesSign(colour, dashed = false) {
  return svg("svg", { class: `graph-sign seat-colour-${colour % SHAPES.length}`, viewBox: "-12 -5 24 10", "aria-hidden": "true" },
    svg("path", { class: `graph-line${dashed ? " dashed" : ""}`, d: "M-12 0H12" }),
    dashed ? null : svg("path", { class: "graph-point", d: SHAPES[colour % SHAPES.length] }));
}

/** @param {{x: number, label: string}} mark @param {number} x @param {number} base */
function markLine(mark, x, base) {
  return svg("g", {}, svg("line", { class: "graph-mark", x1: x, x2: x, y1: TOP, y2: base }), svg("text", { class: "graph-text", x: x + 3, y: TOP - 4 }, mark.label));
}

/** @param {Series} series @param {number} colour @param {(x: number) => number} atX @param {(y: number) => number} atY */
function drawSeries(series, colour, atX, atY) {
  const places = series.points.map(([x, y]) => [atX(x), atY(y)]);
  const path = places.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  const shape = SHAPES[colour % SHAPES.length];
  return svg("g", { class: `seat-colour-${colour % SHAPES.length}` },
    svg("path", { class: `graph-line${series.dashed ? " dashed" : ""}`, d: path }),
    series.dashed ? null : places.map(([x, y]) => svg("path", { class: "graph-point", d: shape, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` })));
}

/**
 * @param {MouseEvent} event @param {SVGSVGElement} drawn @param {number} width
 * @param {[number, number][]} points @param {(x: number) => number} atX @param {(x: number) => void} onpick
 */
function pick(event, drawn, width, points, atX, onpick) {
  const box = drawn.getBoundingClientRect();
  const at = ((event.clientX - box.left) * width) / box.width;
  let nearest = points[0]?.[0];
  for (const [x] of points) if (Math.abs(atX(x) - at) < Math.abs(atX(nearest) - at)) nearest = x;
  if (nearest !== undefined) onpick(nearest);
}

/** @param {number[]} values @returns {[number, number]} */
function ends(values) {
  return values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
}

/**
 * Round numbers that reach over a range, about as many as wished.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
export function niceTicks(low, high, count) {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10);
  const ticks = [];
  for (let at = Math.floor(low / step); ; at += 1) {
    ticks.push(Number((at * step).toPrecision(12)));
    if (at * step >= high && ticks.length > 1) return ticks;
  }
}

/** @param {number} first @param {number} last @param {number} count */
function wholeTicks(first, last, count) {
  return niceTicks(first, last, count).filter((x) => Number.isInteger(x) && x >= first && x <= last);
}
