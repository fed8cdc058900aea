/** The lobby: games to play at once, tables to join or to watch, competitions, and games that are over. */

import { get, seatAt } from "./api.js";
import { cardPicture } from "./cards.js";
import { fill, h } from "./dom.js";
import { openOptions, playNow, sitDown } from "./lobby-new.js";
import { fail, startPage } from "./page.js";
import { counted } from "./words.js";

const EVERY = 4000; // milliseconds between looks at what has changed
const SHOWN = 8; // of each list
/** What lies beside a game's name; other games have an ace. @type {Record<string, string[]>} */
const FANS = { hearts: ["KH", "QS", "AH"], sueca: ["7D", "AD", "JC"], bisca: ["7S", "KS", "AS"], cheat: ["5C", "5D", "QH"], magic: ["land", "2/2 for 2", "4/4 for 5"], hearts32: ["7H", "QS", "AH"] };

const main = startPage("Play");
const games = h("div", { class: "games", "aria-busy": "true" }, h("p", { class: "muted" }, "Loading…"));
const lists = {
  own: list("Your games"),
  open: list("Open tables"),
  playing: list("Being played"),
  competitions: list("Competitions"),
  finished: list("Finished games"),
};

/** @param {string} title */
function list(title) {
  const body = h("ul", { class: "list" });
  return { panel: h("section", { class: "panel", hidden: true }, h("h2", {}, title), body), body, told: "" };
}

/** @param {keyof typeof lists} name @param {any[]} items @param {(item: any) => Node} row */
function show(name, items, row) {
  const one = lists[name];
  const told = JSON.stringify(items);
  if (told === one.told) return; // what has the keyboard stays as it is
  one.told = told;
  one.panel.hidden = !items.length;
  fill(one.body, items.slice(0, SHOWN).map(row));
}

/** @param {any} game */
function gameCard(game) {
  const busy = (/** @type {Event} */ event, /** @type {Promise<any>} */ work) => {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    button.disabled = true;
    work.catch((error) => { button.disabled = false; fail(error); });
  };
  const words = game.summary.replace(new RegExp(`^${game.name}: `, "i"), "");
  return h("article", { class: "game panel" },
    h("div", { class: "fan", "aria-hidden": "true" }, (FANS[game.name] ?? ["AS"]).map((card) => cardPicture(card))),
    h("h2", {}, game.name[0].toUpperCase(), game.name.slice(1)),
    h("p", { class: "muted" }, words[0].toUpperCase(), words.slice(1), `. ${counted(game.seats, "player")}.`),
    h("div", { class: "row" },
      h("button", { type: "button", class: "primary", "data-play": game.name, onclick: (/** @type {Event} */ event) => busy(event, playNow(game.name)) }, "Play now"),
      h("button", { type: "button", "data-options": game.name, "aria-label": `Options for ${game.name}`, onclick: () => openOptions(game).catch(fail) }, "Options…")));
}

/** @param {any} table */
function players(table) {
  return table.seats.map((/** @type {any} */ seat) => (seat.kind === "open" ? "open" : seat.name.split(":")[0])).join(", ");
}

/** @param {any} table @param {...Node} buttons */
function tableRow(table, ...buttons) {
  return h("li", { class: "spread" },
    h("span", {}, h("b", {}, table.name || table.game), " ", h("span", { class: "muted" }, players(table), table.move_seconds ? ` · ${table.move_seconds} s` : "")),
    h("span", { class: "row" }, buttons));
}

/** @param {any} table */
function joinRow(table) {
  const seat = table.seats.find((/** @type {any} */ one) => one.kind === "open").seat;
  const join = () => sitDown(table.id, seat).then(() => location.assign(`/table/${table.id}`)).catch(fail);
  return tableRow(table, h("button", { type: "button", class: "small", "data-join": table.id, onclick: join }, "Join"), watchLink(table, "Watch"));
}

/** @param {any} table @param {string} words */
function watchLink(table, words) {
  return h("a", { class: "button small", href: `/table/${table.id}` }, words);
}

async function look() {
  const [tables, competitions, records] = await Promise.all([get("/api/tables"), get("/api/competitions"), get(`/api/records?limit=${SHOWN}`)]);
  const alone = tables.filter((/** @type {any} */ table) => !table.competition && table.status !== "over");
  const mine = alone.filter((/** @type {any} */ table) => seatAt(table.id));
  const others = alone.filter((/** @type {any} */ table) => !seatAt(table.id));
  show("own", mine, (table) => tableRow(table, watchLink(table, "Continue")));
  show("open", others.filter((/** @type {any} */ table) => table.status === "waiting"), joinRow);
  show("playing", others.filter((/** @type {any} */ table) => table.status === "playing"), (table) => tableRow(table, watchLink(table, "Watch")));
  show("competitions", competitions.filter((/** @type {any} */ one) => one.status !== "over"), (one) => h("li", { class: "spread" },
    h("span", {}, h("b", {}, one.name || one.game), " ", h("span", { class: "muted" }, `${counted(one.entrants.length, "entrant")}, ${one.games_played} of ${one.games ?? "?"} games`)),
    h("a", { class: "button small", href: `/competitions/${one.id}` }, "Look")));
  show("finished", records, (record) => h("li", { class: "spread" },
    h("span", {}, h("b", {}, record.game.split(":")[0]), " ", h("span", { class: "muted" }, record.players.map((/** @type {string} */ name, /** @type {number} */ seat) => `${name.split(":")[0]} ${record.scores[seat]}`).join(", "))),
    h("a", { class: "button small", href: `/replay/${record.id}` }, "Analyse")));
}

function lookAgain() {
  if (document.visibilityState === "visible") look().catch(() => {}); // a server that is away comes again
}

fill(main,
  h("h1", {}, "Play"),
  games,
  h("div", { class: "lists" }, Object.values(lists).map((one) => one.panel)));
get("/api/games").then((all) => {
  const order = Object.keys(FANS);
  const place = (/** @type {any} */ game) => (order.includes(game.name) ? order.indexOf(game.name) : order.length);
  fill(games, all.toSorted((/** @type {any} */ one, /** @type {any} */ other) => place(one) - place(other)).map(gameCard));
  games.removeAttribute("aria-busy");
}).catch((error) => fill(games, h("p", { class: "problem" }, error.message)));
look().catch(fail);
setInterval(lookAgain, EVERY);
