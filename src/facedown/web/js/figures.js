/** Figures of tournaments and competitions: each with its interval, as texts, tables and plots. */

import { chart, forest, histogram, running } from "./chart.js";
import { fill, h } from "./dom.js";
import { estimateText } from "./estimate.js";
import { say } from "./page.js";
import { counted } from "./words.js";

/** An agent's text, which may be broken after a colon or a comma. @param {string} text */
export function agentText(text) {
  return h("code", { class: "agent" }, text.split(/(?<=[,:])/).flatMap((part, place) => (place ? [h("wbr"), part] : [part])));
}

/** A p as it is printed. @param {number | null} p */
function chance(p) {
  return p === null ? "–" : p < 0.001 ? "< 0.001" : p.toFixed(3);
}

/**
 * A table that may be wider than its place.
 * @param {string} caption
 * @param {string[]} columns
 * @param {any[][]} rows whose first cell is a heading
 * @param {number} [texts] how many of the first columns are texts
 */
export function figureTable(caption, columns, rows, texts = 1) {
  const kind = (/** @type {number} */ place) => (place < texts ? null : "number");
  return h("div", { class: "scroll-x", tabindex: 0, role: "region", "aria-label": caption },
    h("table", { class: "figures" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, columns.map((column, place) => h("th", { scope: "col", class: kind(place) }, column)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, place) => (place ? h("td", { class: kind(place) }, cell) : h("th", { scope: "row" }, cell))))))));
}

/** @param {any[]} standings @param {boolean | null} [lower] whether fewer points are better */
export function standingsTable(standings, lower = null) {
  const forfeits = standings.some((one) => one.forfeits);
  const columns = ["agent", "lead", "wins", "score", "Elo", "games", ...(forfeits ? ["forfeits"] : [])];
  const better = lower === null ? "" : `; ${lower ? "fewer" : "more"} points are better`;
  return figureTable(`The best lead first${better}`, columns, standings.map((one) => [
    agentText(one.agent), estimateText(one.lead), [estimateText(one.wins), h("br"), h("small", {}, `par ${(100 * one.par).toFixed(1)} %`)],
    estimateText(one.score).replace("+", ""), one.elo ? estimateText(one.elo) : "–", one.games, ...(forfeits ? [one.forfeits] : []),
  ]));
}

/** @param {any[]} comparisons */
export function comparisonsTable(comparisons) {
  return figureTable("Every two on the deals where both played", ["lead of", "difference", "p", "Holm’s p", "deals"],
    comparisons.map(({ first, second, difference, p_adjusted }) => [[agentText(first), " less ", agentText(second)], estimateText(difference), chance(difference.p), chance(p_adjusted), difference.count]));
}

/** Leads as a plot. @param {any[]} standings @param {import("./chart.js").Reach | null} [reach] */
export function leadPlot(standings, reach = null) {
  return figure("Mean lead with its 95 % interval",
    chart((width) => forest(standings.map((one) => ({ label: one.agent, estimate: one.lead })), { title: "Lead of each agent", axis: "lead", reach }, width)));
}

/** Elo as a plot. @param {any[]} standings */
export function eloPlot(standings) {
  const rows = standings.filter((one) => one.elo).map((one) => ({ label: one.agent, estimate: one.elo }));
  return rows.length > 0 && figure("Elo with its 95 % interval", chart((width) => forest(rows, { title: "Elo of each agent", axis: "Elo" }, width)));
}

const TOLD = 12; // rows of a table beside a plot

/** How a difference narrowed. @param {import("./chart.js").Running} line */
export function runningPlot(line) {
  const step = Math.max(1, Math.ceil(line.at.length / TOLD));
  const places = line.at.map((_, place) => place).filter((place) => (line.at.length - 1 - place) % step === 0);
  const estimate = (/** @type {number} */ place) => ({ value: line.values[place], low: line.lows[place], high: line.highs[place], count: line.at[place], unit: "deals", rate: false, p: null });
  return figure(["Lead of ", agentText(line.first), " less that of ", agentText(line.second), ", with its 95 % interval"],
    chart((width) => running(line, width)),
    inFigures(() => figureTable("Lead of the first less the second", ["deals", "difference"], places.map((place) => [line.at[place], estimateText(estimate(place))]))));
}

/** @param {any} bars @param {number} most */
export function scorePlot(bars, most) {
  const rows = () => bars.counts.map((/** @type {number} */ count, /** @type {number} */ place) => [binText(bars, place), count]).filter((/** @type {any[]} */ row) => row[1]);
  return figure(["Games by score of ", agentText(bars.agent), `; the line is the mean, ${bars.mean.toFixed(2)}`],
    chart((width) => histogram(bars, most, width)), inFigures(() => figureTable("Games by score", ["score", "games"], rows())));
}

/** @param {any} bars @param {number} place */
function binText({ start, width }, place) {
  const from = start + place * width;
  if (width === 1) return String(Math.round(from + 0.5));
  return `${from} to ${from + width}`.replaceAll("-", "−");
}

/** @param {any} caption @param {...any} parts */
function figure(caption, ...parts) {
  return h("figure", {}, h("figcaption", {}, caption), parts);
}

/** A table that is made when it is asked for. @param {() => Node} make */
function inFigures(make) {
  const body = h("div");
  return h("details", { class: "in-figures", ontoggle: () => body.firstChild ?? fill(body, make()) }, h("summary", {}, "In figures"), body);
}

/** A section of a page; nothing without content. @param {string} title @param {...any} parts */
export function section(title, ...parts) {
  return h("section", { class: "panel" }, h("h2", {}, title), parts);
}

/** Names and values. @param {[string, any][]} rows those without a value are left out */
export function facts(rows) {
  return h("dl", { class: "facts" }, rows.filter(([, value]) => value !== null && value !== undefined && value !== "").flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/** A command with a button that copies it. @param {string} command */
export function commandText(command) {
  const copy = () => navigator.clipboard.writeText(command).then(() => say("Copied."), () => say("The browser does not let this page copy.", "error"));
  return h("div", { class: "command" }, h("code", {}, command),
    navigator.clipboard && h("button", { type: "button", class: "small", onclick: copy }, "Copy"));
}

/** @param {string} run */
export function downloads(run) {
  const path = `/api/runs/${encodeURIComponent(run)}`;
  return h("ul", { class: "plain downloads" },
    [["games.csv", "CSV", "a row for each seat of each game"], ["games.jsonl", "JSON lines", "the records, as facedown export writes them"], ["report.html", "HTML", "the report with its plots"]].map(([file, name, words]) =>
      h("li", {}, h("a", { href: `${path}/${file}`, download: "", "data-download": file }, name), " ", h("span", { class: "muted" }, words),
        file === "report.html" && [" · ", h("a", { href: `${path}/${file}` }, "show")])));
}

/** A time of the server, as the reader's place writes it. @param {string | null} text */
export function timeText(text) {
  return text ? h("time", { datetime: text }, new Date(text).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })) : "";
}

/** `123 of 600 games`. @param {{games: number | null, games_played: number}} one */
export function gamesText({ games, games_played: played }) {
  return games === null || games === played ? counted(played, "game") : `${played} of ${counted(games, "game")}`;
}
