/** Claims: cards laid face down under a rank, on a pile; the oldest first. */

import { h } from "./dom.js";
import { cardBack, cardPicture } from "./cards.js";
import { actionButton, cardRow, otherHand, seatLabel, stockPicture } from "./board-parts.js";
import { othersOf, zones } from "./board-zones.js";
import { counted, shown } from "./words.js";

/** @typedef {import("./board-parts.js").Scene} Scene */

const LATEST = 6; // claims that are drawn; older ones are counted

/** @param {Scene} scene @returns {HTMLElement} */
export function claimsTable(scene) {
  const others = othersOf(scene.table, scene.bottom);
  return h("div", { class: "felt claims" },
    h("div", { class: "across" }, others.map((seat) => h("div", { class: "place", "data-place": seat }, seatLabel(scene, seat), otherHand(scene, seat)))),
    h("div", { class: "piles" },
      zones(scene.table, "stock", null).filter((zone) => zone.count).map((zone) => stockPicture(zone.count ?? 0, zone.label ?? "stock")),
      zones(scene.table, "claims").map((zone) => pile(scene, zone))),
    scene.revealed && revealedCards(scene),
    h("div", { class: "place below", "data-place": scene.bottom }, seatLabel(scene, scene.bottom)));
}

/** @param {Scene} scene @param {import("./board-zones.js").Zone} zone */
function pile(scene, zone) {
  const claims = zone.claims ?? [];
  const older = Math.max(0, claims.length - LATEST);
  return h("div", { class: "pile", role: "group", "aria-label": `${zone.label ?? "pile"}, ${counted(zone.count ?? 0, "card")}` },
    h("span", { class: "pile-name" }, `${zone.label ?? "pile"} ${zone.count ?? 0}`),
    zone.cards?.length ? cardRow(zone.cards.map((card) => cardPicture(card, ", face up"))) : null,
    older > 0 && h("span", { class: "seat-note" }, `${counted(older, "claim")} before`),
    claims.slice(older).map((claim, place) => claimed(scene, claim, place === claims.length - older - 1)),
    !zone.count && h("span", { class: "seat-note" }, "no cards"));
}

/** @param {Scene} scene @param {import("./board-zones.js").Claim} claim @param {boolean} newest */
function claimed(scene, claim, newest) {
  const cards = claim.cards
    ? claim.cards.map((card) => cardPicture(card, ", face down for others"))
    : Array.from({ length: claim.count }, () => h("span", { class: "card" }, cardBack()));
  return h("figure", { class: newest ? "claim newest" : "claim" },
    h("div", { "aria-hidden": claim.cards ? null : "true", class: claim.cards ? "peeked" : null }, cardRow(cards)),
    h("figcaption", {}, h("span", { class: "seat-note" }, `${scene.names[claim.seat]}: `), claim.label, claim.lie ? h("span", { class: "tag" }, "a lie") : null));
}

/** What a call has shown. @param {Scene} scene */
function revealedCards(scene) {
  const found = /** @type {NonNullable<Scene["revealed"]>} */ (scene.revealed);
  return h("div", { class: "revealed", role: "status" },
    h("span", {}, found.words),
    found.cards.length ? cardRow(found.cards.map((card) => cardPicture(card))) : null);
}

/**
 * What the game offers to lay, with the cards it would take, by rank and truth.
 * @param {Scene} scene
 * @returns {HTMLElement | null}
 */
export function claimChoices(scene) {
  const offered = zones(scene.table, "choice").filter((zone) => scene.legal.has(zone.label ?? ""));
  if (!scene.choose || !offered.length) return null;
  const kinds = [...new Set(offered.map((zone) => (zone.label ?? "").replace(/ \S+$/, "")))];
  return h("details", { class: "offers", open: offersOpen, ontoggle: (/** @type {any} */ event) => { offersOpen = event.target.open; } },
    h("summary", {}, "Or lay what the game picks"),
    kinds.map((kind) => h("div", { class: "row" }, h("span", { class: "offer-kind" }, kind),
      offered.filter((zone) => (zone.label ?? "").startsWith(`${kind} `)).map((zone) => actionButton(scene, zone.label ?? "", (zone.cards ?? []).map(shown).join(" "))))));
}
let offersOpen = true;

/** Actions that lay no cards. @param {Scene} scene @param {string[]} texts */
export function plainActions(scene, texts) {
  const offered = new Set(zones(scene.table, "choice").map((zone) => zone.label));
  return texts.filter((text) => !offered.has(text));
}
