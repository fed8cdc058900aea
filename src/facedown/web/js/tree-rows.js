/** Rows of a tree of a search. */

import { h } from "./dom.js";
import { unitName, valueText } from "./measure.js";
import { counted, shown, spoken } from "./words.js";

/** @typedef {import("./tree.js").Item} Item */
/** @typedef {import("./measure.js").Measure} Measure */

const DEEPEST = 24; // levels that are indented

/** The names of the columns. @param {Measure | null} measure */
export function treeHead(measure) {
  return h("div", { class: "tree-head", "aria-hidden": "true" },
    h("span", { class: "tree-action" }, "action"),
    h("span", {}, "visits"), h("span", {}, "share"), h("span", {}, measure ? unitName(measure) : "mean"), h("span", {}, "available"));
}

/** The row of a node. @param {Item} item @param {string[]} names @param {Measure | null} measure @returns {HTMLElement} */
export function treeRow(item, names, measure) {
  const { told, twin } = item;
  const value = typeof told.mean !== "number" ? "" : measure ? valueText(measure, told.mean) : told.mean.toFixed(3);
  const seat = told.seat === null || told.seat === undefined ? "" : (names[told.seat] ?? `seat ${told.seat}`);
  const row = h("div", {
    role: "treeitem", class: `tree-row${told.on_line ? " on-line" : ""}${twin ? " twin" : ""}`, tabindex: -1,
    "data-node": told.node, "aria-level": item.level, "aria-posinset": item.place,
    "aria-setsize": item.parent ? item.parent.told.children : 1,
    "aria-expanded": told.children && !twin ? String(item.open) : null,
    title: item.failure || null,
    "aria-label": spokenRow(item, seat, value),
  },
  h("span", { class: "tree-action" },
    h("span", { class: "tree-twist" }),
    h("strong", {}, item.parent ? shown(told.text) : "now"), " ",
    h("small", {}, seat),
    told.on_line && item.parent ? h("span", { class: "line-sign", title: "on the expected line" }, "★") : null,
    twin ? h("span", { class: "twin-link" }, "shown elsewhere ↗") : null),
  h("span", {}, grouped(told.visits)),
  h("span", {}, item.parent ? percent(told.share) : ""),
  h("span", {}, value),
  h("span", {}, told.available === null || told.available === undefined ? "" : grouped(told.available)));
  row.style.setProperty("--share", item.parent ? String(Math.round(100 * told.share)) : "0");
  row.style.setProperty("--level", String(Math.min(item.level - 1, DEEPEST)));
  return row;
}

/** The row that loads more. @param {Item} item @param {number} page @returns {HTMLElement} */
export function moreRow(item, page) {
  const row = h("div", {
    role: "treeitem", class: "tree-row more", tabindex: -1, "aria-level": item.level + 1,
    "aria-posinset": item.items.length + 1, "aria-setsize": item.told.children,
  }, h("span", { class: "tree-action" }, h("span", { class: "tree-twist" }), `show ${Math.min(page, item.more)} more of ${grouped(item.more)}`));
  row.style.setProperty("--level", String(Math.min(item.level, DEEPEST)));
  return row;
}

/** @param {Item} item @param {string} seat @param {string} value */
function spokenRow({ told, twin, parent }, seat, value) {
  if (!parent) return `The position now, ${counted(told.visits, "visit")}`;
  const parts = [`${spoken(told.text)}${seat ? ` by ${seat}` : ""}`, `${counted(told.visits, "visit")}, ${percent(told.share)}`, value];
  if (told.available !== null && told.available !== undefined) parts.push(`available ${told.available} times`);
  if (told.on_line) parts.push("on the expected line");
  if (twin) parts.push("shown elsewhere: Enter goes there");
  return parts.filter(Boolean).join(", ");
}

/** @param {number} share */
function percent(share) {
  return share > 0 && share < 0.005 ? "<1 %" : `${Math.round(100 * share)} %`;
}

/** @param {number} count */
function grouped(count) {
  return count.toLocaleString("en");
}
