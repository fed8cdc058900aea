/** Grades of actions: as signs, in words, and by colour. */

import { h } from "./dom.js";
import { costText, valueText } from "./measure.js";
import { shown } from "./words.js";

/** @typedef {import("./analysis.js").Judged} Judged */
/** @typedef {import("./measure.js").Measure} Measure */

/** @type {Record<string, string>} */
const SIGNS = { only: "!", inaccuracy: "?!", mistake: "?", blunder: "??" };
const MISTAKE = 0.05; // of all that a reward can be: what every other action must cost for an only good one

/** @type {Record<string, string>} */
const WORDS = { only: "the only good action", best: "best", good: "good", inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" };

/** The grade by what could be known: `only` where every other action would have been a mistake. @param {Judged} judged @param {Measure | null} measure */
export function knownGrade(judged, measure) {
  if (judged.grade !== "best" || !judged.agreed) return judged.grade;
  const tried = judged.decision.candidates.filter((/** @type {any} */ one) => one.visits);
  const next = Math.max(...tried.slice(1).map((/** @type {any} */ one) => one.mean));
  const span = measure?.unit === "win" ? 1 / Math.abs(measure.scale) : 1;
  return tried.length > 1 && tried[0].mean - next >= MISTAKE * span ? "only" : "best";
}

/** A sign for a grade that deserves one. @param {string | null} grade @param {"known" | "hindsight"} by */
export function gradeSign(grade, by) {
  if (!grade || !(grade in SIGNS)) return null;
  return h("span", { class: `grade ${grade} ${by}`, title: `${WORDS[grade]}, ${byWords(by)}`, "aria-hidden": "true" }, SIGNS[grade]);
}

/** @param {string | null} grade */
export function gradeWords(grade) {
  return grade ? WORDS[grade] : "not judged";
}

/** @param {"known" | "hindsight"} by */
function byWords(by) {
  return by === "known" ? "by what could be known" : "by hindsight";
}

/** What is said of an action in the list, for screen readers. @param {Judged} judged @param {Measure | null} measure */
export function gradesSpoken(judged, measure) {
  const parts = [];
  if (judged.grade) parts.push(`${gradeWords(knownGrade(judged, measure))} by what could be known`);
  if (judged.hindsight?.grade) parts.push(`${gradeWords(judged.hindsight.grade)} by hindsight`);
  return parts.join(", ");
}

/** Both verdicts on an action, side by side. @param {Judged} judged @param {Measure} measure */
export function verdicts(judged, measure) {
  const { hindsight } = judged;
  const best = judged.decision.candidates?.[0];
  const known = knownGrade(judged, measure);
  return h("dl", { class: "verdicts" },
    verdict("By what could be known", known, "known", judged.regret, judged.regret_half, measure,
      best ? `best: ${shown(best.text)}, ${valueText(measure, best.mean)}` : (judged.decision.reason ?? "")),
    hindsight ? verdict(`By hindsight${hindsight.exact ? ", exact" : ""}`, hindsight.grade, "hindsight", hindsight.regret, hindsight.regret_half, measure,
      `best: ${shown(hindsight.best)}, ${valueText(measure, hindsight.value)}`) : null);
}

/**
 * @param {string} title @param {string | null} grade @param {"known" | "hindsight"} by
 * @param {number | null} regret @param {number} half @param {Measure} measure @param {string} best
 */
function verdict(title, grade, by, regret, half, measure, best) {
  const cost = regret ? `costs ${costText(measure, regret)}${half ? ` ± ${bare(measure, half)}` : ""}` : null;
  return h("div", { class: "verdict", "data-grade": grade, "data-by": by },
    h("dt", {}, title),
    h("dd", {}, h("strong", { class: `grade-words ${grade ?? ""}` }, grade ? gradeWords(grade) : "no figure"), " ", gradeSign(grade, by)),
    cost ? h("dd", {}, cost) : null,
    h("dd", { class: "muted" }, best));
}

/** A width in units, without their name. @param {Measure} measure @param {number} half */
export function bare(measure, half) {
  const width = Math.abs(measure.scale) * half;
  return measure.unit === "win" ? `${(100 * width).toFixed(1)} %` : width.toFixed(measure.unit === "reward" ? 3 : 1);
}

/** What the signs mean, and both ways to judge, in a sentence each. */
export function gradeLegend() {
  return h("div", { class: "legend muted" },
    h("p", {}, h("strong", {}, "By what could be known: "), "what the action cost against the best one, as a search sees it that knows only what the player knew; this is skill."),
    h("p", {}, h("strong", {}, "By hindsight: "), "what it cost as the cards really lay, by exact solution or by a search with all cards open; what no player could know is luck."),
    h("p", { class: "row" },
      Object.keys(SIGNS).map((grade) => h("span", {}, gradeSign(grade, "known"), ` ${WORDS[grade]}`)),
      h("span", {}, gradeSign("mistake", "hindsight"), " with a dotted frame: by hindsight")));
}
