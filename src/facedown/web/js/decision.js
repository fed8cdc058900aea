/** What a search thought about a decision: its candidates as a table, and how much was searched. */

import { h } from "./dom.js";
import { costText, unitName, valueText } from "./measure.js";
import { shown } from "./words.js";

/** @type {import("./measure.js").Measure} */
const PLAIN = { unit: "reward", scale: 1, zero: 0, name: "mean" };
const SHOWN = 13;

/**
 * The candidates of a decision with what is expected of each; the one that was played is marked.
 * @param {any} decision
 * @param {import("./measure.js").Measure | null} [measure]
 * @param {{played?: string | null, onpick?: ((text: string) => void) | null}} [options]
 * @returns {HTMLElement}
 */
export function decisionTable(decision, measure = PLAIN, { played = null, onpick = null } = {}) {
  const candidates = decision?.candidates ?? [];
  if (!candidates.length) return h("p", { class: "decision muted" }, without(decision));
  const unit = measure ?? PLAIN;
  const rows = candidates.slice(0, SHOWN).map((/** @type {any} */ one) => row(one, decision, unit, played, onpick));
  return h("div", { class: "decision" },
    h("div", { class: "scroll-x" }, h("table", { class: "figures" },
      h("thead", {}, h("tr", {}, ["choice", unitName(unit), "costs", "visits", "could be tried"].map((title, place) => h("th", { scope: "col", class: place ? "number" : null }, title)))),
      h("tbody", {}, rows))),
    candidates.length > SHOWN && h("p", { class: "muted" }, `and ${candidates.length - SHOWN} more`),
    decision.line?.length > 0 && h("p", {}, h("span", { class: "muted" }, "Expected line: "), decision.line.map(shown).join(" ")),
    h("p", { class: "muted" }, about(decision)));
}

/** @param {any} one @param {any} decision @param {import("./measure.js").Measure} unit @param {string | null} played @param {((text: string) => void) | null} onpick */
function row(one, decision, unit, played, onpick) {
  const best = decision.candidates[0];
  const mine = played !== null && (one.text === played || one.text.split(" ").includes(played));
  const label = shown(one.text);
  const half = one.interval ? (one.interval[1] - one.interval[0]) / 2 : null;
  const share = one.visits / Math.max(1, decision.iterations);
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.min(1, share)));
  return h("tr", { class: mine ? "played" : null, "data-candidate": one.text },
    h("th", { scope: "row" }, onpick ? h("button", { type: "button", class: "small", onclick: () => onpick(one.text) }, label) : label, mine && h("span", { class: "tag-played" }, "played")),
    h("td", { class: "number" }, valueText(unit, one.mean, half)),
    h("td", { class: "number" }, one === best || best.mean - one.mean <= 0 ? "–" : costText(unit, best.mean - one.mean)),
    h("td", { class: "number visits" }, bar, `${one.visits}`),
    h("td", { class: "number" }, one.available ?? one.availability ?? ""));
}

/** @param {any} decision */
function without(decision) {
  if (!decision) return "There are no figures.";
  if (decision.forced) return `${shown(decision.text ?? "")} was the only choice: there was nothing to search.`;
  return `${shown(decision.text ?? "")}, without a search.`;
}

/** How much was searched. @param {any} decision */
export function about(decision) {
  const parts = [`${decision.iterations} iterations`];
  if (decision.seconds) parts.push(`${decision.seconds.toFixed(2)} s`);
  if (decision.worlds) parts.push(`${decision.worlds} worlds`);
  if (decision.depth_most) parts.push(`depth ${decision.depth_mean.toFixed(1)} on average, ${decision.depth_most} at most`);
  return `${parts.join(", ")}.`;
}
