/** What stands beside the table: names, scores, moves, the last trick, and how it ended. */

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { fail } from "./page.js";
import { cardPicture } from "./cards.js";
import { cardRow } from "./board-parts.js";
import { lastTrick, zones } from "./board-zones.js";
import { isCard, shown, spoken } from "./words.js";

const SHOWN_MOVES = 60;

/** Who sits where, in a word or two; several agents of one name are numbered. @param {any[]} seats @param {number | null} own */
export function seatNames(seats, own) {
  const short = seats.map((seat) => (seat.kind === "open" ? "open seat" : seat.name.split(":")[0]));
  return short.map((name, place) => {
    if (place === own) return name === "Guest" ? "You" : name;
    const alike = short.filter((other, at) => other === name && at !== own);
    return alike.length > 1 ? `${name} ${short.slice(0, place + 1).filter((other, at) => other === name && at !== own).length}` : name;
  });
}

/** @param {string} name @param {string} text */
export function moveWords(name, text) {
  return `${name}: ${text.split(" ").map((word) => (isCard(word) ? spoken(word) : word)).join(" ")}.`;
}

/** What a call has shown. @param {{taker: number, claimed: any}} found @param {string[]} names */
export function callWords({ taker, claimed }, names) {
  const truth = taker === claimed.seat ? "a lie" : "true";
  return `It was ${truth} (${names[claimed.seat]}: ${claimed.label}). The pile goes to ${names[taker]}.`;
}

/** Scores of the deal and of the match. @param {any} view @param {string[]} names @param {any} facts */
export function scorePanel(view, names, facts) {
  const labels = ["score", "total"].flatMap((kind) => {
    const found = zones(view.table, kind);
    return found.length && (kind === "score" || found.some((zone) => zone.value)) ? [[kind, found[0].label ?? kind]] : [];
  });
  const columns = labels.length ? labels : [["", "score"]];
  const rows = names.map((name, seat) =>
    h("tr", { "data-seat": seat },
      h("th", { scope: "row", title: facts.seats[seat].name }, name),
      columns.map(([kind]) => h("td", { class: "number" }, kind ? (zones(view.table, kind, seat)[0]?.value ?? "") : view.scores[seat]))));
  return [
    h("h2", {}, view.table.deal > 1 || labels.length > 1 ? `Scores, deal ${view.table.deal}` : "Scores"),
    h("table", { class: "figures" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "player"), columns.map(([, label]) => h("th", { scope: "col", class: "number" }, label)))), h("tbody", {}, rows)),
  ];
}

/** @param {any} view @param {string[]} names */
export function lastTrickPanel(view, names) {
  const trick = lastTrick(view.table, view.history);
  if (!trick) return null;
  const taker = trick.taker === null ? "" : ` → ${names[trick.taker]}`;
  return h("details", { class: "panel", id: "last-trick", open: lastTrickOpen, ontoggle: (/** @type {any} */ event) => { lastTrickOpen = event.target.open; } },
    h("summary", {}, "Last trick"),
    h("div", { class: "small-cards" }, cardRow(trick.cards.map((card, place) => cardPicture(card, ` by ${names[trick.seats[place]]}`)))),
    h("p", { class: "muted" }, trick.seats.map((seat, place) => `${names[seat]} ${shown(trick.cards[place])}`).join(", "), taker));
}
let lastTrickOpen = false;

/** @param {any} view @param {string[]} names */
export function movesPanel(view, names) {
  const first = Math.max(0, view.history.length - SHOWN_MOVES);
  const rows = view.history.slice(first).map((/** @type {[number, string]} */ [seat, text]) => h("li", {}, h("span", { class: "muted" }, names[seat], " "), shown(text)));
  return h("details", { class: "panel", open: movesOpen, ontoggle: (/** @type {any} */ event) => { movesOpen = event.target.open; } },
    h("summary", {}, "What was played"), h("ol", { class: "moves", start: first + 1 }, rows));
}
let movesOpen = false;

/** What a player may want to be reminded of, once somebody looks for it. @param {() => string} game */
export function rulesPanel(game) {
  const words = h("p", { class: "rules" });
  const load = async () => {
    const { help, summary } = (await get("/api/games")).find((/** @type {any} */ one) => one.name === game());
    fill(words, shown((help || summary).replace(/^ +/gm, "").replace(/ {2,}/g, ": ")));
  };
  return h("details", { class: "panel", id: "rules", ontoggle: () => load().catch(fail) }, h("summary", {}, "Rules"), words);
}

/** A table that waits for players. @param {any} facts @param {number | null} own @param {(seat: number) => void} sit */
export function waitingPanel(facts, own, sit) {
  const open = facts.seats.filter((/** @type {any} */ seat) => seat.kind === "open");
  return h("section", { class: "panel" },
    h("h2", {}, "Waiting for players"),
    own === null && open.length ? h("div", { class: "row" }, open.map((/** @type {any} */ seat) => h("button", { type: "button", class: "primary", "data-sit": seat.seat, onclick: () => sit(seat.seat) }, `Take seat ${seat.seat}`))) : null,
    h("p", { class: "muted" }, "Play begins when no seat is open. Who opens this address may take one:"),
    h("input", { class: "share", readonly: true, value: location.href, "aria-label": "Address of this table", onfocus: (/** @type {any} */ event) => event.target.select() }));
}

/** How it ended. @param {any} view @param {any} over @param {string[]} names @param {any} facts @param {() => void} again */
export function resultPanel(view, over, names, facts, again) {
  const outcome = over?.outcome ?? view.outcome;
  const scores = over?.scores ?? view.scores;
  const winners = (outcome?.winners ?? []).map((/** @type {number} */ seat) => names[seat]);
  const record = over?.record ?? facts.record;
  return h("section", { class: "panel result", id: "result", "aria-label": "Result" },
    h("h2", {}, headline(winners, outcome, view.seat)),
    outcome?.words && h("p", {}, outcome.words),
    h("p", { class: "muted" }, names.map((name, seat) => `${name} ${scores[seat]}`).join(" · ")),
    h("div", { class: "row" },
      view.seat !== null && h("button", { type: "button", class: "primary", "data-action": "again", onclick: again }, facts.rematch ? "Join the next game" : "Play again"),
      record !== null && record !== undefined && h("a", { class: "button", href: `/replay/${record}`, "data-action": "analyse" }, "Analyse"),
      h("a", { class: "button", href: "/" }, "Other tables")));
}

/** @param {string[]} winners @param {any} outcome @param {number | null} own */
function headline(winners, outcome, own) {
  if (!winners.length) return "The game is over";
  if (outcome.winners.includes(own)) return winners.length > 1 ? `You win with ${winners.filter((_, at) => outcome.winners[at] !== own).join(", ")}` : "You win";
  return `${winners.join(", ")} ${winners.length > 1 ? "win" : "wins"}`;
}
