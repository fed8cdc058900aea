/** What a search expects, in the game's own units, as the terminal shows it. */

import { signed } from "./page.js";

/** @typedef {{unit: "win" | "lead" | "score" | "reward", scale: number, zero: number, name: string}} Measure */

/**
 * A mean reward in units: `61 % to win`, `+4.2 points ahead` without the noun.
 * @param {Measure} measure
 * @param {number} mean
 * @param {number | null} [half] half of a 95 % interval
 */
export function valueText(measure, mean, half = null) {
  const value = measure.zero + measure.scale * mean;
  const width = half === null ? null : Math.abs(measure.scale) * half;
  if (measure.unit === "win") return withWidth((100 * value).toFixed(0), width === null ? null : (100 * width).toFixed(0), " %");
  if (measure.unit === "reward") return withWidth(value.toFixed(3), width?.toFixed(3) ?? null, "");
  const text = measure.unit === "lead" ? signed(value) : value.toFixed(1);
  return withWidth(text, width?.toFixed(1) ?? null, "");
}

/** What a column of such values is called. @param {Measure} measure */
export function unitName(measure) {
  return { win: "chance to win", lead: "points ahead", score: "points", reward: `${measure.name} reward` }[measure.unit];
}

/**
 * What a choice gives away, by the difference of rewards.
 * @param {Measure} measure
 * @param {number} loss
 */
export function costText(measure, loss) {
  const cost = Math.abs(measure.scale) * loss;
  if (measure.unit === "win") return `${(100 * cost).toFixed(1)} %`;
  if (measure.unit === "reward") return cost.toFixed(3);
  return `${cost.toFixed(1)} points`;
}

/** @param {string} value @param {string | null} width @param {string} unit */
function withWidth(value, width, unit) {
  return `${value}${width === null ? "" : ` ± ${width}`}${unit}`;
}
