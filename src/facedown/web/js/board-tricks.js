/** Trick games: the seats around the table, each with its card of the trick before it. */

import { h } from "./dom.js";
import { cardPicture } from "./cards.js";
import { otherHand, seatLabel, stockPicture } from "./board-parts.js";
import { firstZone, othersOf, zones } from "./board-zones.js";

/** @typedef {import("./board-parts.js").Scene} Scene */

/** @param {Scene} scene @returns {HTMLElement} */
export function trickTable(scene) {
  const places = placesOf(scene);
  return h("div", { class: "felt around" },
    h("div", { class: "across" }, [...places].filter(([, place]) => place.side === "top").map(([seat]) => seatPlace(scene, seat))),
    [...places].filter(([, place]) => place.side === "left").map(([seat]) => seatPlace(scene, seat, "left")),
    middle(scene, places),
    [...places].filter(([, place]) => place.side === "right").map(([seat]) => seatPlace(scene, seat, "right")),
    h("div", { class: "place below", "data-place": scene.bottom }, seatLabel(scene, scene.bottom)));
}

/** @param {Scene} scene @param {number} seat @param {string} [side] */
function seatPlace(scene, seat, side = "top") {
  return h("div", { class: `place ${side}`, "data-place": seat }, seatLabel(scene, seat), otherHand(scene, seat));
}

/**
 * Where each seat sits, and where its card lies, in widths of a card from the middle; the next to move sits on the left.
 * @param {Scene} scene
 * @returns {Map<number, {side: string, x: number, y: number}>}
 */
function placesOf(scene) {
  const others = othersOf(scene.table, scene.bottom);
  const places = new Map([[scene.bottom, { side: "bottom", x: 0, y: 0.72 }]]);
  const across = others.length === 1 ? others : others.slice(1, -1);
  across.forEach((seat, place) => {
    places.set(seat, { side: "top", x: (place - (across.length - 1) / 2) * 1.1, y: -0.72 });
  });
  if (others.length > 1) {
    places.set(others[0], { side: "left", x: -1.05, y: 0 });
    places.set(others[others.length - 1], { side: "right", x: 1.05, y: 0 });
  }
  return places;
}

/** The trick on the table, or the one just finished; the stock beside it. @param {Scene} scene @param {ReturnType<typeof placesOf>} places */
function middle(scene, places) {
  const trick = firstZone(scene.table, "trick");
  const lying = trick?.cards?.length ? trick : scene.last;
  const stock = zones(scene.table, "stock", null)[0];
  const cards = (lying?.cards ?? []).map((card, order) => {
    const seat = lying?.seats?.[order] ?? 0;
    const place = places.get(seat);
    const made = cardPicture(card, `, played by ${scene.names[seat]}`);
    made.classList.add("laid");
    made.dataset.by = String(seat);
    made.style.setProperty("--x", String(place?.x ?? 0));
    made.style.setProperty("--y", String(place?.y ?? 0));
    made.style.zIndex = String(order + 1);
    return made;
  });
  const trump = firstZone(scene.table, "trump");
  return h("div", { class: "middle" },
    stock?.count ? h("div", { class: "talon" }, trump?.cards?.length && trump.seat === undefined ? h("span", { class: "trump-card" }, cardPicture(trump.cards[0], ", trump")) : null, stockPicture(stock.count, stock.label ?? "stock")) : null,
    h("div", { class: "trick", role: "group", "aria-label": "Trick" }, cards));
}
