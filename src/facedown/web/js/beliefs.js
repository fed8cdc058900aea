/** Where the unseen cards may lie: for each card and seat how likely, what changed, and how many worlds are left. */

import { h } from "./dom.js";
import { isCard, shown, spoken, suitName, suitSign } from "./words.js";

/** @typedef {{worlds: string, seats: any, seat?: number, cards: Record<string, number[]>, inferred?: Record<string, number[]> | null}} Beliefs */

const RANKS = "23456789TJQKA";
const SUITS = "CDSH";
const LEAST_CHANGE = 0.02; // of a probability that is worth telling
const LEAST_INFERRED = 0.06; // the same of one that is inferred from some hundred worlds
const MOST_CHANGES = 5; // that are told in words
const MOST_CARDS = 8; // that are told for a change

/**
 * A table of beliefs.
 * @param {Beliefs} beliefs
 * @param {string[]} names of the seats
 * @param {{before?: Beliefs | null}} [options] before: those of the position before
 * @returns {HTMLElement}
 */
export function beliefTable(beliefs, names, { before = null } = {}) {
  const cards = Object.keys(beliefs.cards).sort(inOrder);
  if (!cards.length) return h("p", { class: "muted" }, "No card is hidden from this seat.");
  const columns = columnsOf(beliefs, names);
  const groups = new Map();
  for (const card of cards) groups.set(groupOf(card), [...(groups.get(groupOf(card)) ?? []), card]);
  return h("div", { class: "beliefs" },
    h("p", {}, worldsText(beliefs.worlds), changeOfWorlds(beliefs, before)),
    changesInWords(beliefs, before, columns),
    h("p", { class: "muted" }, `How likely each seat holds a card, in percent: ${beliefs.inferred ? "counted exactly over all worlds that fit what was seen, and after → what the others' play suggests." : "counted exactly over all worlds that fit what was seen."}`),
    h("div", { class: "belief-groups" }, [...groups].map(([suit, group]) => groupTable(suit, group, beliefs, columns, before))));
}

// --- Parts ------------------------------------------------------------------------------------------------------------

/** @typedef {{name: string, of: (chances: number[] | undefined) => number | null}} Column */

/**
 * The seats that may hold an unseen card, and the place where nobody does.
 * @param {Beliefs} beliefs
 * @param {string[]} names
 * @returns {Column[]}
 */
function columnsOf(beliefs, names) {
  const chances = Object.values(beliefs.cards);
  /** @type {Column[]} */
  const columns = names.map((name, seat) => ({ name, of: (one) => one?.[seat] ?? null }));
  const held = columns.filter((_, seat) => chances.some((one) => one[seat] > 0));
  const rest = (/** @type {number[] | undefined} */ one) => (one ? Math.max(0, 1 - one.reduce((sum, chance) => sum + chance, 0)) : null);
  if (chances.some((one) => /** @type {number} */ (rest(one)) > 1e-6)) held.push({ name: "not in a hand", of: rest });
  return held;
}

/** @param {string} suit @param {string[]} cards @param {Beliefs} beliefs @param {Column[]} columns @param {Beliefs | null} before */
function groupTable(suit, cards, beliefs, columns, before) {
  return h("table", { class: "figures belief-table" },
    h("caption", {}, suit ? `${suitSign(suit)} ${suitName(suit)}` : "cards"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "card"), columns.map((column) => h("th", { scope: "col", class: "number" }, column.name)))),
    h("tbody", {}, cards.map((card) => h("tr", {},
      h("th", { scope: "row", "data-suit": suit }, h("span", { "aria-hidden": "true" }, shown(card)), h("span", { class: "hidden-text" }, spoken(card))),
      columns.map((column) => cell(column, card, beliefs, before))))));
}

/** @param {Column} column @param {string} card @param {Beliefs} beliefs @param {Beliefs | null} before */
function cell(column, card, beliefs, before) {
  const chance = column.of(beliefs.cards[card]) ?? 0;
  const inferred = beliefs.inferred ? column.of(beliefs.inferred[card]) : null;
  const then = inferred === null ? column.of(before?.cards[card]) : column.of(before?.inferred?.[card]);
  const change = then === null ? 0 : (inferred ?? chance) - then;
  const made = h("td", { class: `number belief${chance > 0.9995 ? " certain" : ""}` },
    percent(chance),
    inferred === null || chance === 0 || chance === 1 ? null : h("span", { class: "inferred" }, " → ", percent(inferred)),
    h("span", { class: change > 0 ? "more" : "less" }, Math.abs(change) < (inferred === null ? LEAST_CHANGE : LEAST_INFERRED) ? "" : change > 0 ? "▲" : "▼"));
  made.style.setProperty("--share", String(Math.round(100 * (inferred ?? chance))));
  return made;
}

/** @param {Beliefs} beliefs @param {Beliefs | null} before @param {Column[]} columns */
function changesInWords(beliefs, before, columns) {
  if (!before) return null;
  const gone = Object.keys(before.cards).filter((card) => !(card in beliefs.cards));
  const exact = changes(beliefs.cards, before.cards, columns, LEAST_CHANGE);
  const inferred = beliefs.inferred && before.inferred ? changes(beliefs.inferred, before.inferred, columns, LEAST_INFERRED) : [];
  const told = [gone.length ? `${gone.map(shown).join(" ")} seen.` : "", changeWords(exact) || "By counting nothing changed by as much as 2 %."];
  return [
    h("p", { class: "belief-changes" }, h("strong", {}, "Since the action before: "), told.join(" ")),
    inferred.length ? h("p", { class: "belief-changes" }, h("strong", {}, "What the play suggests changed: "), changeWords(inferred)) : null,
  ];
}

/** @typedef {{name: string, then: string, now: string, size: number, cards: string[]}} Change of all cards that changed alike */

/**
 * @param {Record<string, number[]>} after @param {Record<string, number[]>} before @param {Column[]} columns @param {number} least
 * @returns {Change[]} the greatest first
 */
function changes(after, before, columns, least) {
  /** @type {Map<string, Change>} */
  const found = new Map();
  for (const card of Object.keys(after).sort(inOrder)) {
    for (const column of columns) {
      const [now, then] = [column.of(after[card]) ?? 0, column.of(before[card])];
      if (then === null || Math.abs(now - then) < least) continue;
      const key = `${column.name} ${percent(then)} ${percent(now)}`;
      const same = found.get(key) ?? { name: column.name, then: percent(then), now: percent(now), size: Math.abs(now - then), cards: [] };
      same.cards.push(card);
      found.set(key, same);
    }
  }
  return [...found.values()].sort((one, other) => other.size - one.size);
}

/** @param {Change[]} all */
function changeWords(all) {
  const told = all.slice(0, MOST_CHANGES).map(({ name, then, now, cards }) => {
    const more = cards.length > MOST_CARDS ? ` and ${cards.length - MOST_CARDS} more` : "";
    return `${name} ${then} → ${now} %: ${cards.slice(0, MOST_CARDS).map(shown).join(" ")}${more}`;
  });
  if (all.length > MOST_CHANGES) told.push("others are marked ▲ or ▼");
  return told.length ? `${told.join("; ")}.` : "";
}

/** @param {string} worlds */
function worldsText(worlds) {
  const count = grouped(worlds);
  return worlds === "1" ? "Only one world is left: every card is known." : h("span", {}, h("strong", { "data-worlds": worlds }, count), " worlds are possible");
}

/** @param {Beliefs} beliefs @param {Beliefs | null} before */
function changeOfWorlds(beliefs, before) {
  if (beliefs.worlds === "1") return null;
  if (!before || before.worlds === beliefs.worlds) return ".";
  return h("span", { class: "muted" }, ` (before: ${grouped(before.worlds)}).`);
}

/** A count that may have many digits: in groups of three, or beyond a million millions as a power. @param {string} digits */
export function grouped(digits) {
  if (digits.length > 13) return `about ${digits[0]}.${digits[1]} × 10${superscript(digits.length - 1)}`;
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** @param {number} value */
function superscript(value) {
  return [...String(value)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
}

/** @param {number} chance */
function percent(chance) {
  if (chance > 0 && chance < 0.005) return "<1";
  if (chance < 1 && chance > 0.995) return ">99";
  return `${Math.round(100 * chance)}`;
}

/** @param {string} card */
function groupOf(card) {
  return isCard(card) ? card[1] : "";
}

/** @param {string} one @param {string} other */
function inOrder(one, other) {
  if (!isCard(one) || !isCard(other)) return one < other ? -1 : 1;
  return SUITS.indexOf(one[1]) - SUITS.indexOf(other[1]) || RANKS.indexOf(other[0]) - RANKS.indexOf(one[0]);
}
