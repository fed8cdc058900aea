/** What may be told next, to be clicked: cards by suit, or other actions, seats and facts. */

import { cardButton } from "./cards.js";
import { h } from "./dom.js";
import { isCard, shown, suitName } from "./words.js";

const SUITS = "CDSH";
const RANKS = "AKQJT98765432";

/**
 * @param {any} answer what the server told
 * @param {Set<string>} chosen cards of several that are wanted
 * @param {(text: string) => void} choose
 * @returns {HTMLElement | null}
 */
export function choices({ expects, possible, cards }, chosen, choose) {
  if (expects.kind === "seat") return buttons(expects.values.map((/** @type {any} */ seat) => [`seat ${seat}`, String(seat)]), choose);
  const texts = expects.kind === "fact" ? expects.values.map(valueText) : [...cards, ...possible];
  if (!texts.length) return null;
  if (!texts.every(isCard)) return buttons(texts.map((/** @type {string} */ text) => [shown(text), text]), choose);
  const several = (expects.kind === "hand" || expects.kind === "cards") && expects.count > 1;
  return h("div", { class: "card-grid" }, [...SUITS].map((suit) => suitRow(suit, texts.filter((/** @type {string} */ text) => text[1] === suit), several ? chosen : null, choose)));
}

/** @param {string} suit @param {string[]} cards @param {Set<string> | null} chosen @param {(text: string) => void} choose */
function suitRow(suit, cards, chosen, choose) {
  const ordered = cards.toSorted((one, other) => RANKS.indexOf(one[0]) - RANKS.indexOf(other[0]));
  return cards.length > 0 && h("div", { class: "card-row", role: "group", "aria-label": suitName(suit) },
    ordered.map((card) => cardButton(card, { pressed: chosen ? chosen.has(card) : null, onclick: () => choose(card) })));
}

/** @param {[string, string][]} pairs words and what they tell @param {(text: string) => void} choose */
function buttons(pairs, choose) {
  return h("div", { class: "row" }, pairs.map(([words, text]) => h("button", { type: "button", class: "small", "data-action": text, onclick: () => choose(text) }, words)));
}

/** @param {any} value of a fact */
function valueText(value) {
  return Array.isArray(value) ? value.join(" ") : String(value);
}
