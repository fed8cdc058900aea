/** Parts that every kind of table has: hands, seats, facts, and what may be done. */

import { h } from "./dom.js";
import { backPicture, cardBack, cardButton, cardPicture } from "./cards.js";
import { firstZone, handOf, zones } from "./board-zones.js";
import { counted, isCard, shown, spoken, suitSign, wholeSuits } from "./words.js";

/**
 * What is drawn.
 * @typedef {object} Scene
 * @property {import("./board-zones.js").Table} table
 * @property {string[]} names
 * @property {number} bottom the seat that sits below
 * @property {Set<string>} legal
 * @property {((text: string) => void) | null} choose
 * @property {Set<string>} chosen cards that stand out, chosen and not sent yet
 * @property {Set<string>} marked cards and actions that a hint names
 * @property {import("./board-zones.js").Trick | null} last the trick that was just finished, and still lies there
 * @property {{action: string, label: string, disabled?: boolean, primary?: boolean, onclick: () => void}[]} actions more buttons
 * @property {boolean} toggles cards are chosen and taken back, and sent by a button
 * @property {string} note what is said beside the actions
 * @property {{words: string, cards: string[]} | null} revealed what a call has just shown
 */

// --- Cards side by side ----------------------------------------------------------------------------------------------

/** A row of cards that overlap where there is little room. @param {Node[]} cards @param {string} [kind] */
export function cardRow(cards, kind = "") {
  return h("div", { class: `card-row ${kind}` }, cards.map(slot));
}

/** A place in a row, known again by the card in it. @param {any} card */
function slot(card) {
  return h("span", { class: "slot", "data-key": card.dataset?.card ?? card.dataset?.shown }, card);
}

/** Cards in a line of text, in their colours. @param {string[]} cards */
export function cardWords(cards) {
  return cards.map((card) => h("span", { class: "word", "data-suit": isCard(card) ? card[1] : null, "aria-label": spoken(card), role: "img" }, shown(card), " "));
}

/** The cards of a hand by suits; in one group where they have none. @param {string[]} cards */
function bySuit(cards) {
  if (!cards.every(isCard)) return [cards];
  const suits = [...new Set(cards.map((card) => card[1]))];
  return suits.map((suit) => cards.filter((card) => card[1] === suit));
}

/**
 * The hand of the seat below, as buttons where there is something to choose.
 * @param {Scene} scene
 */
export function ownHand(scene) {
  const cards = handOf(scene.table, scene.bottom);
  const hidden = firstZone(scene.table, "hand", scene.bottom)?.count ?? 0;
  if (!cards.length) return hidden ? h("div", { class: "hand" }, closedHand(hidden)) : null;
  const made = cards.map((card) => handCard(scene, card));
  const half = Math.ceil(made.length / 2);
  const rows = (made.length > 7 ? [made.slice(0, half), made.slice(half)] : [made])
    .map((row) => h("div", { class: "hand-row" }, row.map(slot)));
  rows.at(-1)?.lastChild?.classList.add("last");
  return h("div", { class: cards.every(isCard) ? "hand" : "hand loose", role: "group", "aria-label": `${scene.choose ? "Your hand" : `Hand of ${scene.names[scene.bottom]}`}, ${counted(cards.length, "card")}` }, rows);
}

/** @param {Scene} scene @param {string} card */
function handCard(scene, card) {
  const more = scene.marked.has(card) ? ", suggested" : "";
  if (!scene.choose) return cardPicture(card, more);
  const made = cardButton(card, {
    disabled: !scene.legal.has(card) && !(scene.legal.size && scene.chosen.has(card)),
    pressed: scene.toggles || scene.chosen.has(card) ? scene.chosen.has(card) : null,
    more,
  });
  made.classList.toggle("marked", scene.marked.has(card));
  made.classList.toggle("idle", scene.legal.size === 0);
  return made;
}

/** The hand of another seat: open by suits, or face down. @param {Scene} scene @param {number} seat */
export function otherHand(scene, seat) {
  const zone = firstZone(scene.table, "hand", seat);
  if (!zone) return null;
  if (zone.cards?.length) {
    return h("div", { class: "other-hand open" }, bySuit(zone.cards).map((cards) => cardRow(cards.map((card) => cardPicture(card)))));
  }
  return zone.count ? h("div", { class: "other-hand" }, closedHand(zone.count)) : null;
}

/** Cards face down; their number is told in words. @param {number} count */
function closedHand(count) {
  const backs = Array.from({ length: Math.min(count, 20) }, () => h("span", { class: "slot" }, h("span", { class: "card" }, cardBack())));
  return h("div", { class: "card-row closed", role: "img", "aria-label": `${counted(count, "card")} face down` }, backs);
}

// --- Seats -----------------------------------------------------------------------------------------------------------

/** Who sits there, and how things stand with them. @param {Scene} scene @param {number} seat */
export function seatLabel(scene, seat) {
  const { table } = scene;
  const moving = seat === table.to_move;
  const partner = seat !== scene.bottom && table.sides[seat] === table.sides[scene.bottom];
  const leads = firstZone(table, "trick")?.seat === seat && !scene.last;
  const hand = firstZone(table, "hand", seat);
  return h("div", { class: "seat-label", "data-seat": seat, "data-moving": moving ? "true" : null },
    h("span", { class: "seat-name" }, scene.names[seat] ?? `Seat ${seat}`),
    partner && h("span", { class: "tag" }, "partner"),
    leads && h("span", { class: "tag" }, "leads"),
    moving && h("span", { class: "hidden-text" }, "to move"),
    moving && !(scene.choose && seat === scene.bottom) && h("span", { class: "thinking" }, dots()),
    h("span", { class: "seat-score" }, scoreWords(table, seat)),
    seat !== scene.bottom && hand?.count !== undefined && h("span", { class: "seat-count" }, counted(hand.count, "card")),
    zones(table, "void", seat).map((zone) => h("span", { class: "seat-note" }, `no ${[].concat(zone.value ?? []).map(suitSign).join("")}`)),
    zones(table, "fact", seat).filter((zone) => !isEmpty(zone.value)).map((zone) => h("span", { class: "seat-note" }, figure(zone))),
    seat !== scene.bottom && zones(table, "known", seat).map((zone) => h("span", { class: "seat-note" }, `${zone.label ?? "has"} `, (zone.cards ?? []).map(shown).join(" "))),
    h("span", { class: "clock", "data-clock": seat }));
}

function dots() {
  return [h("i", {}), h("i", {}), h("i", {})];
}

/** A seat's scores, and its totals once somebody has one. @param {Scene["table"]} table @param {number} seat */
export function scoreWords(table, seat) {
  const totals = zones(table, "total").some((zone) => zone.value) ? zones(table, "total", seat) : [];
  return [...zones(table, "score", seat).map(scored), ...totals.map(figure)].join(" · ");
}

/** `1 point`, or `life 20` where the label is no plural. @param {import("./board-zones.js").Zone} zone */
function scored(zone) {
  const label = zone.label ?? "";
  return label.endsWith("s") && typeof zone.value === "number" ? counted(zone.value, label.slice(0, -1)) : figure(zone);
}

/** A zone's value with its label. @param {import("./board-zones.js").Zone} zone */
export function figure(zone) {
  const notes = zone.notes?.filter(Boolean).length ? ` (${zone.notes.join(", ")})` : "";
  return `${zone.label ?? ""} ${inWords(zone.value)}${notes}`.trim();
}

/** @param {any} value */
function isEmpty(value) {
  return Array.isArray(value) && !value.length;
}

/** A value; whole suits of cards by their signs. @param {any} value @returns {string} */
function inWords(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return wholeSuits(value).map(inWords).join(" ") || "–";
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? (value.length === 1 ? suitSign(value) : shown(value)) : String(value);
}

// --- Beside the table ------------------------------------------------------------------------------------------------

/** What belongs to nobody: trumps, the stock, facts; and lists of cards that the seat knows of. @param {Scene} scene */
export function factsLine(scene) {
  const { table } = scene;
  const parts = [];
  if (table.turn !== null) parts.push(factPart("turn", String(table.turn)));
  for (const zone of table.zones) {
    if (zone.seat !== undefined && zone.kind !== "trump") continue;
    if (zone.kind === "trump") parts.push(trumpPart(scene, zone));
    if (zone.kind === "stock" && zone.count) parts.push(factPart(`${zone.label ?? "stock"} `, counted(zone.count, "card")));
    if (zone.kind === "fact" && (zone.value || zone.value === false)) parts.push(factPart(zone.label ?? "", inWords(zone.value)));
  }
  return h("div", { class: "facts" }, parts, openPiles(scene));
}

/** Trumps, the card that named them, and who is known to hold it. @param {Scene} scene @param {import("./board-zones.js").Zone} zone */
function trumpPart(scene, zone) {
  const holder = zone.seat === undefined ? "" : `(${scene.names[zone.seat]})`;
  return h("span", { class: "fact" }, h("span", { class: "fact-name" }, "trump "),
    h("b", { class: "word", "data-suit": String(zone.value) }, inWords(zone.value), " "), cardWords(zone.cards ?? []), holder);
}

/** @param {string} name @param {string} value */
function factPart(name, value) {
  return h("span", { class: "fact" }, h("span", { class: "fact-name" }, `${name.trim()} `), value);
}

/** @param {Scene} scene */
function openPiles(scene) {
  if (firstZone(scene.table, "board")) return [];
  return ["pile", "stock"]
    .flatMap((kind) => zones(scene.table, kind))
    .filter((zone) => zone.cards?.length && (zone.seat === undefined || zone.seat === scene.bottom))
    .map((zone) => h("span", { class: "fact" }, h("span", { class: "fact-name" }, `${zone.label ?? zone.kind} `), cardWords(zone.cards ?? [])));
}

/** A stock as a pile face down. @param {number} count @param {string} label */
export function stockPicture(count, label) {
  return h("div", { class: "stock" }, backPicture(`${label}, ${counted(count, "card")}`), h("span", {}, `${label} ${count}`));
}

// --- What may be done ------------------------------------------------------------------------------------------------

/** The actions that are no cards of the hand, and the page's own. @param {Scene} scene @param {string[]} [texts] */
export function actionBar(scene, texts = otherActions(scene)) {
  const buttons = texts.map((text) => actionButton(scene, text));
  const own = scene.actions.map((one) =>
    h("button", { type: "button", "data-action": one.action, disabled: one.disabled, class: one.primary ? "primary" : null }, one.label));
  if (!scene.note && !own.length && !buttons.length && (!scene.choose || scene.table.to_move === null)) return null;
  return h("div", { class: "actions" },
    scene.table.question && h("span", { class: "question" }, scene.table.question),
    scene.note && h("span", { class: "action-note" }, scene.note), own, buttons);
}

/** @param {Scene} scene @param {string} text @param {string} [label] */
export function actionButton(scene, text, label = shown(text)) {
  return h("button", { type: "button", "data-action": text, class: scene.marked.has(text) ? "marked" : null },
    label, scene.marked.has(text) && h("span", { class: "hidden-text" }, ", suggested"));
}

/** @param {Scene} scene */
export function otherActions(scene) {
  if (!scene.choose) return [];
  const hand = new Set(handOf(scene.table, scene.bottom));
  return [...scene.legal].filter((text) => !hand.has(text));
}
