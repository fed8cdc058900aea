/** A battlefield: the sides opposite each other, and what each has in play between them. */

import { h } from "./dom.js";
import { cardPicture } from "./cards.js";
import { cardWords, otherHand, seatLabel } from "./board-parts.js";
import { othersOf, zones } from "./board-zones.js";
import { counted } from "./words.js";

/** @typedef {import("./board-parts.js").Scene} Scene */

/** @param {Scene} scene @returns {HTMLElement} */
export function battlefield(scene) {
  const others = othersOf(scene.table, scene.bottom);
  return h("div", { class: "felt field" },
    others.map((seat) => h("div", { class: "field-side", "data-place": seat }, seatLabel(scene, seat), piles(scene, seat), otherHand(scene, seat), boards(scene, seat))),
    h("div", { class: "field-line", role: "separator" }),
    h("div", { class: "field-side own", "data-place": scene.bottom }, boards(scene, scene.bottom), seatLabel(scene, scene.bottom), piles(scene, scene.bottom)));
}

/** What a seat has to draw from, and what it has lost. @param {Scene} scene @param {number} seat */
function piles(scene, seat) {
  const found = [...zones(scene.table, "stock", seat), ...zones(scene.table, "pile", seat).filter((zone) => zone.count)];
  return h("div", { class: "field-piles" }, found.map((zone) =>
    h("span", { class: "seat-note" }, `${zone.label ?? zone.kind} ${zone.count ?? ""} `, zone.kind === "pile" && zone.cards?.length ? h("span", { class: "on-felt" }, cardWords(zone.cards)) : null)));
}

/** @param {Scene} scene @param {number} seat */
function boards(scene, seat) {
  return zones(scene.table, "board", seat).map((zone) => {
    const cards = zone.cards ?? [];
    return h("div", { class: "in-play", role: "group", "aria-label": `${zone.label ?? "cards"} of ${scene.names[seat]}, ${counted(cards.length, "card")}` },
      cards.length ? cards.map((card, place) => inPlay(card, zone.notes?.[place] ?? "")) : h("span", { class: "seat-note" }, `no ${zone.label ?? "cards"} in play`));
  });
}

/** A card with what it is doing. @param {string} card @param {string} note */
function inPlay(card, note) {
  const kind = note.split(" ")[0];
  return h("figure", { class: "unit", "data-note": kind || null },
    cardPicture(card, note ? `, ${note}` : ""), h("figcaption", { "aria-hidden": "true" }, note));
}
