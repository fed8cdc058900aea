/** How each player did in a game: luck and skill apart, in the game's units. */

import { h } from "./dom.js";
import { bare } from "./grades.js";
import { costText, unitName, valueText } from "./measure.js";
import { signed } from "./page.js";

/** @typedef {import("./measure.js").Measure} Measure */

/**
 * @param {any[]} players
 * @param {string[]} labels
 * @param {Measure} measure
 * @param {number} deals
 */
export function summary(players, labels, measure, deals) {
  const whole = { ...measure, zero: deals * measure.zero }; // values of a match are added up over its deals
  const columns = ["player", "accuracy", "skill: lost by own play", "by hindsight", "luck", "expected", "result", "agreed"];
  const figure = (/** @type {any} */ content) => h("td", { class: "number" }, content ?? "–");
  const row = (/** @type {any} */ one) => h("tr", {},
    h("th", { scope: "row" }, labels[one.seat]),
    figure(one.accuracy === null ? null : `${one.accuracy.toFixed(0)} of 100`),
    figure(one.priced ? `−${costText(measure, one.regret)} ± ${bare(measure, one.regret_half)}` : null),
    figure(one.hindsight_regret === null ? null : `−${costText(measure, one.hindsight_regret)}`),
    figure(one.luck === null ? null : gain(measure, one.luck)),
    figure(one.expected === null ? null : valueText(whole, one.expected)),
    figure(one.result === null ? null : valueText(whole, one.result)),
    figure(`${one.agreed} of ${one.decisions}`));
  return h("div", {},
    h("div", { class: "scroll-x", tabindex: 0, role: "region", "aria-label": "Skill and luck of each player" },
      h("table", { class: "figures summary" },
        h("thead", {}, h("tr", {}, columns.map((name, index) => h("th", { scope: "col", class: index ? "number" : "" }, name)))),
        h("tbody", {}, players.map(row)))),
    explained(measure, deals));
}

/** A change of reward, positive where it is good for the player. @param {Measure} measure @param {number} change */
function gain(measure, change) {
  const value = Math.abs(measure.scale) * change;
  return measure.unit === "win" ? `${signed(100 * value)} %` : signed(value, measure.unit === "reward" ? 3 : 1);
}

/** @param {Measure} measure @param {number} deals */
function explained(measure, deals) {
  return h("p", { class: "muted" },
    `In ${unitName(measure)}${deals > 1 ? `, added up over ${deals} deals` : ""}. `,
    "Expected is what the search expected at the player's first decision; skill is what the player's own actions cost against the search's, with a 95 % interval; ",
    "luck is all the rest: how the hidden cards lay, and what the others did. Result = expected + luck − what own play lost. ",
    "Accuracy is 100 where every action was the best; agreed counts the actions that the search would have played itself.");
}
