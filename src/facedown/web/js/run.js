/** One tournament of the store: standings, comparisons, plots, settings, downloads, games. */

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { agentText, commandText, comparisonsTable, downloads, eloPlot, facts, figureTable, gamesText, leadPlot, runningPlot, scorePlot, section, standingsTable, timeText } from "./figures.js";
import { addressParts, fail, startPage } from "./page.js";

const AT_ONCE = 15; // games that are listed

const name = addressParts().slice(1).join("/");
const main = startPage(name);

/** @param {any} run */
function show(run) {
  const most = Math.max(1, ...run.distributions.flatMap((/** @type {any} */ one) => one.counts));
  fill(main,
    h("h1", {}, name),
    h("p", { class: "muted" }, `${run.game} · ${gamesText(run)} · `, timeText(run.finished ?? run.created)),
    run.problem && h("p", { class: "problem", role: "alert" }, run.problem),
    run.games > run.games_played && h("p", { class: "muted" }, `Not finished: ${gamesText(run)} are played.`),
    h("div", { class: "columns" },
      h("div", {},
        run.standings.length > 0 && section("Standings", standingsTable(run.standings, run.lower_is_better), leadPlot(run.standings), eloPlot(run.standings)),
        run.comparisons.length > 0 && section("Comparisons", comparisonsTable(run.comparisons), run.running.map(runningPlot)),
        run.distributions.length > 0 && section("Distribution of scores", run.distributions.map((/** @type {any} */ one) => scorePlot(one, most))),
        run.forfeits.length > 0 && section("Forfeits", forfeits(run))),
      h("div", {},
        section("Downloads", downloads(name)),
        section("Settings", settings(run)),
        run.command && section("Play it again", commandText(run.command), h("p", { class: "muted" }, "The same command resumes a run that was stopped, and more deals make it longer.")),
        section("Games", gamesList()))));
}

/** @param {any} run */
function settings(run) {
  const told = Object.entries(run.settings).filter(([key, value]) => !["game", "agents", "competition"].includes(key) && value !== null);
  return facts([
    ["game", h("code", {}, run.game)],
    ["agents", run.agents.map((/** @type {string} */ text) => h("div", {}, agentText(text)))],
    ["seed", run.seed],
    ["seatings", run.seatings],
    .../** @type {[string, any][]} */ (told.map(([key, value]) => [key.replaceAll("_", " "), typeof value === "object" ? JSON.stringify(value) : String(value)])),
    ["begun", timeText(run.created)],
    ["competition", run.competition && h("a", { href: `/competitions/${run.competition}` }, run.competition)],
  ]);
}

/** @param {any} run */
function forfeits(run) {
  return figureTable("Games that an agent failed to play to the end", ["deal", "seating", "seat", "agent", "why"],
    run.forfeits.map((/** @type {any} */ one) => [one.deal, one.seating, one.seat, agentText(one.agent), one.reason]), 5);
}

function gamesList() {
  const list = h("ul", { class: "plain", id: "games" });
  const more = h("button", { type: "button", class: "small", onclick: () => load().catch(fail) }, "More");
  /** @type {number | null} */
  let before = null;
  const load = async () => {
    const found = await get(`/api/records?limit=${AT_ONCE}&run=${encodeURIComponent(name)}${before ? `&before=${before}` : ""}`);
    before = found.at(-1)?.id ?? before;
    more.hidden = found.length < AT_ONCE;
    list.append(...found.map((/** @type {any} */ one) => h("li", {},
      h("a", { href: `/replay/${one.id}` }, `deal ${one.deal}, seating ${one.seating}`), " ",
      h("span", { class: "muted" }, one.players.map((/** @type {string} */ player, /** @type {number} */ seat) => `${player.split(":")[0]} ${one.scores[seat]}`).join(", "), one.forfeit === null ? "" : " · forfeited"))));
  };
  load().catch(fail);
  return [list, more];
}

fill(main, h("h1", {}, name), h("p", { class: "muted" }, "Loading…"));
get(`/api/runs/${encodeURIComponent(name)}`).then(show).catch((error) => {
  const id = name.replace(/^competition-/, "");
  fill(main, h("h1", {}, name), h("p", { class: "problem", role: "alert" }, error.message),
    error.code === "not_yet" && h("p", {}, h("a", { href: `/competitions/${id}` }, "Follow the competition")), h("p", {}, h("a", { href: "/runs" }, "All tournaments")));
});
