/** The tournaments of the store: a list that can be searched. */

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { agentText, gamesText, timeText } from "./figures.js";
import { startPage } from "./page.js";
import { counted } from "./words.js";

const SHOWN = 100;

const main = startPage("Tournaments");
const search = h("input", { type: "search", class: "search", "aria-label": "Search by name, game or agent", placeholder: "Search: name, game, agent", value: new URLSearchParams(location.search).get("q") ?? "", oninput: () => draw() });
const list = h("div", { class: "cards-list", id: "runs", "aria-live": "polite" }, h("p", { class: "muted" }, "Loading…"));
/** @type {any[]} */
let runs = [];

/** @param {any} run */
function row(run) {
  const going = run.closed && run.competition;
  const address = going ? `/competitions/${run.competition}` : `/runs/${encodeURIComponent(run.name)}`;
  return h("article", { class: "panel", "data-run": run.name },
    h("div", { class: "spread" }, h("a", { href: address }, run.name), going ? h("span", { class: "tag on" }, "being played") : h("span", { class: "muted" }, timeText(run.finished ?? run.created))),
    h("div", { class: "muted" }, `${run.game} · ${gamesText(run)} · `, run.agents.flatMap((/** @type {string} */ text, /** @type {number} */ place) => [place ? ", " : "", agentText(text)])));
}

function draw() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = runs.filter((run) => words.every((/** @type {string} */ word) => `${run.name} ${run.game} ${run.agents.join(" ")}`.toLowerCase().includes(word)));
  history.replaceState(null, "", words.length ? `?q=${encodeURIComponent(search.value)}` : location.pathname);
  fill(list, found.slice(0, SHOWN).map(row),
    found.length > SHOWN && h("p", { class: "muted" }, `and ${found.length - SHOWN} more: search for them`),
    !found.length && h("p", { class: "muted" }, runs.length ? "No tournament has these words." : ["There are none yet. ", h("code", {}, "facedown tournament hearts hard easy --deals 100"), " plays one; a ", h("a", { href: "/competitions" }, "competition"), " of this server becomes one, too."]));
}

fill(main, h("h1", {}, "Tournaments"), search, list);
get("/api/runs").then((found) => {
  runs = found;
  search.placeholder = `Search ${counted(runs.length, "tournament")}: name, game, agent`;
  draw();
}).catch((error) => fill(list, h("p", { class: "problem", role: "alert" }, error.message)));
