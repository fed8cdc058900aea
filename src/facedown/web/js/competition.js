/** One competition, live: how far it is, the standings as their intervals narrow, its tables, and how to take part. */

import { get, Live } from "./api.js";
import { reachOf } from "./chart.js";
import { fill, h } from "./dom.js";
import { agentText, commandText, comparisonsTable, downloads, facts, gamesText, leadPlot, runningPlot, section, standingsTable } from "./figures.js";
import { addressParts, startPage } from "./page.js";
import { counted } from "./words.js";

const AT_MOST_EVERY = 1000; // milliseconds between looks while games end
const AT_LEAST_EVERY = 4000; // entrants come and go without a game
const WINDOW = 120_000; // of the pace that tells how long it will take
const WORDS = { waiting: "waiting for entrants", playing: "being played", over: "over" };

const id = addressParts()[1];
const main = startPage("Competition");
const parts = { head: h("div"), standings: h("div", { id: "standings" }), comparisons: h("div"), entrants: h("div"), enter: h("div"), tables: h("div"), results: h("div"), settings: h("div") };
/** @type {Record<string, string>} */
const drawn = {};
/** @type {{at: number, played: number}[]} */
let pace = [];
/** @type {import("./chart.js").Reach | null} */
let reach = null;

/** Draw a part again if what it shows has changed: what has the keyboard stays. @param {keyof typeof parts} part @param {any} told @param {() => any} draw */
function redraw(part, told, draw) {
  const text = JSON.stringify(told);
  if (drawn[part] === text) return;
  drawn[part] = text;
  const details = () => /** @type {HTMLDetailsElement[]} */ ([...parts[part].querySelectorAll("details")]);
  const open = details().map((one) => one.open);
  fill(parts[part], draw());
  details().forEach((one, place) => { one.open = open[place] ?? one.open; });
}

/** @param {any} one */
function show(one) {
  const title = one.name || `${one.game} competition`;
  document.title = `${title} · facedown`;
  note(one);
  redraw("head", [one.status, one.games_played, one.games, left(one)], () => head(one, title));
  redraw("standings", one.standings, () => one.standings.length > 0 && section("Standings", leadPlot(one.standings, steady(one)), standingsTable(one.standings)));
  redraw("comparisons", [one.comparisons, one.running], () => one.comparisons.length > 0 && section("Comparisons", comparisonsTable(one.comparisons), one.running.map(runningPlot)));
  redraw("entrants", [one.entrants, one.status], () => section("Entrants", entrants(one)));
  redraw("enter", [one.entrants, one.status], () => howToEnter(one));
  redraw("tables", [one.tables, one.status], () => tables(one));
  redraw("results", [one.run, one.status], () => one.status === "over" && section("Results", h("p", {}, h("a", { href: `/runs/${encodeURIComponent(one.run)}` }, "All figures, plots and games")), downloads(one.run)));
  redraw("settings", [one.deals, one.seating], () => section("Settings", facts([
    ["game", h("code", {}, one.game)], ["deals", one.deals], ["seating", one.seating], ["pairing", one.pairing], ["for an action", `${one.move_seconds} s`]])));
}

/** @param {any} one @param {string} title */
function head(one, title) {
  const words = one.games === null ? "The games begin when every place is taken." : gamesText(one);
  return [
    h("div", { class: "spread" }, h("h1", {}, title), h("span", { class: `tag ${one.status === "playing" ? "on" : ""}`, "data-status": one.status }, WORDS[/** @type {keyof typeof WORDS} */ (one.status)])),
    one.games !== null && one.status !== "over" && h("progress", { max: one.games, value: one.games_played, "aria-label": "Games played" }),
    h("p", { class: "muted", id: "progress" }, words, left(one)),
  ];
}

/** Remember how many games were played when. @param {any} one */
function note(one) {
  const now = Date.now();
  pace = [...pace.filter(({ at }) => now - at < WINDOW), { at: now, played: one.games_played }];
}

/** How long it will still take, in words, once some games have ended while somebody looked. @param {any} one */
function left(one) {
  if (one.status !== "playing") return "";
  const [first, last] = [pace[0], pace[pace.length - 1]];
  const games = last.played - first.played;
  if (games < 3) return one.games_played ? "" : ", none has ended yet";
  const seconds = ((one.games - last.played) * (last.at - first.at)) / games / 1000;
  return `, about ${seconds < 90 ? counted(Math.max(1, Math.round(seconds)), "second") : seconds < 5400 ? counted(Math.round(seconds / 60), "minute") : counted(Math.round(seconds / 3600), "hour")} left`;
}

/** The scale of the plot, kept while it fits: so one sees intervals narrow, not a scale that grows. @param {any} one */
function steady(one) {
  const now = reachOf(one.standings.map((/** @type {any} */ standing) => standing.lead));
  const fits = reach && now[0] >= reach[0] && now[1] <= reach[1] && now[1] - now[0] > 0.35 * (reach[1] - reach[0]);
  return (reach = fits ? reach : now);
}

/** @param {any} one */
function entrants(one) {
  const state = (/** @type {any} */ entrant) => {
    if (entrant.kind === "open") return h("span", { class: "tag off" }, "open place");
    if (entrant.kind === "agent") return h("span", { class: "tag" }, "plays here");
    return one.status === "over" ? h("span", { class: "tag" }, "remote") : h("span", { class: `tag ${entrant.connected ? "on" : "off"}` }, entrant.connected ? "connected" : "not connected");
  };
  return h("ul", { class: "plain", id: "entrants" }, one.entrants.map((/** @type {any} */ entrant) =>
    h("li", { class: "spread" }, entrant.name ? agentText(entrant.name) : h("span", { class: "muted" }, "nobody yet"), state(entrant))));
}

/** @param {any} one */
function howToEnter(one) {
  const open = one.entrants.filter((/** @type {any} */ entrant) => entrant.kind === "open").length;
  const away = one.status !== "over" && one.entrants.some((/** @type {any} */ entrant) => entrant.kind === "remote" && !entrant.connected);
  if (!open) return away && section("Waiting", h("p", {}, "An entrant is not connected: its games begin when it is back."));
  return section("Take part with a bot",
    h("p", {}, `${counted(open, "place")} ${open === 1 ? "is" : "are"} open. An agent of facedown, or of a file of yours:`),
    commandText(`facedown bot ${location.origin} --competition ${id} --agent hard --name Ada`),
    h("p", { class: "muted" }, "In Python ", h("code", {}, "facedown.client"), " does it, in any other language a websocket: ", h("a", { href: "/docs" }, "the API"), "."));
}

/** @param {any} one */
function tables(one) {
  if (one.status !== "playing") return null;
  const seen = one.entrants.every((/** @type {any} */ entrant) => entrant.kind === "agent");
  if (!seen) return section("Tables", h("p", { class: "muted" }, `${counted(one.tables.length, "game")} under way. They can be looked at when it is over: others may still play the same deals.`));
  return section("Tables", one.tables.length
    ? h("div", { class: "live-tables" }, one.tables.map((/** @type {string} */ table, /** @type {number} */ place) => h("a", { href: `/table/${table}` }, `Watch table ${place + 1}`)))
    : h("p", { class: "muted" }, "No game is under way."));
}

// --- Following it -----------------------------------------------------------------------------------------------------

let looking = false;
let last = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;

async function look() {
  if (looking) return;
  looking = true;
  clearTimeout(next);
  try {
    const one = await get(`/api/competitions/${encodeURIComponent(id)}`);
    last = Date.now();
    show(one);
    if (one.status === "over") {
      live.close();
      return;
    }
  } catch (/** @type {any} */ error) {
    if (!drawn.head) fill(parts.head, h("h1", {}, "Competition"), h("p", { class: "problem", role: "alert" }, error.message), h("p", {}, h("a", { href: "/competitions" }, "All competitions")));
    if (error.status === 404) {
      live.close();
      return;
    }
  } finally {
    looking = false;
  }
  next = setTimeout(look, AT_LEAST_EVERY);
}

/** A game has ended: look again, though not with every one. */
function soon() {
  if (looking) return;
  clearTimeout(next);
  next = setTimeout(look, Math.max(0, last + AT_MOST_EVERY - Date.now()));
}

fill(main, parts.head, h("div", { class: "columns" },
  h("div", {}, parts.standings, parts.comparisons),
  h("div", {}, parts.results, parts.entrants, parts.enter, parts.tables, parts.settings)));
const live = new Live(`/api/competitions/${encodeURIComponent(id)}/live`, () => ({}), soon);
look();
