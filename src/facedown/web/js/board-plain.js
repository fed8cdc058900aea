/** Any other table: a place for each seat with all that is its own, and in the middle what belongs to nobody. */

import { h } from "./dom.js";
import { backPicture, cardPicture } from "./cards.js";
import { cardRow, otherHand, seatLabel } from "./board-parts.js";
import { othersOf } from "./board-zones.js";
import { counted } from "./words.js";

/** @typedef {import("./board-parts.js").Scene} Scene */

const LYING = new Set(["pile", "stock", "board", "claims"]);

/** @param {Scene} scene @returns {HTMLElement} */
export function plainTable(scene) {
  const shared = scene.table.zones.filter((zone) => LYING.has(zone.kind) && zone.seat === undefined);
  return h("div", { class: "felt plain" },
    h("div", { class: "across" }, othersOf(scene.table, scene.bottom).map((seat) =>
      h("div", { class: "place", "data-place": seat }, seatLabel(scene, seat), otherHand(scene, seat), own(scene, seat)))),
    h("div", { class: "piles" }, shared.map(lying)),
    h("div", { class: "place below", "data-place": scene.bottom }, own(scene, scene.bottom), seatLabel(scene, scene.bottom)));
}

/** @param {Scene} scene @param {number} seat */
function own(scene, seat) {
  const found = scene.table.zones.filter((zone) => LYING.has(zone.kind) && zone.seat === seat && (zone.count || zone.cards?.length));
  return found.length ? h("div", { class: "piles" }, found.map(lying)) : null;
}

/** Cards that lie together: open ones side by side, the others as one face down. @param {import("./board-zones.js").Zone} zone */
function lying(zone) {
  const cards = zone.cards ?? [];
  const hidden = Math.max(0, (zone.count ?? cards.length) - cards.length);
  const name = zone.label ?? zone.kind;
  return h("div", { class: "pile", role: "group", "aria-label": `${name}, ${counted(zone.count ?? cards.length, "card")}` },
    h("span", { class: "pile-name" }, `${name} ${zone.count ?? cards.length}`),
    hidden > 0 && backPicture(`${counted(hidden, "card")} face down`),
    cards.length ? cardRow(cards.map((card, place) => cardPicture(card, zone.notes?.[place] ? `, ${zone.notes[place]}` : ""))) : null);
}
