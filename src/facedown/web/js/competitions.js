/** All competitions, and a form for a new one. */

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { gamesText } from "./figures.js";
import { newCompetition } from "./competition-form.js";
import { fail, startPage } from "./page.js";

const EVERY = 4000; // milliseconds
const WORDS = { waiting: ["waiting for entrants", "off"], playing: ["being played", "on"], over: ["over", ""] };

const main = startPage("Competitions");
const list = h("div", { class: "cards-list", id: "competitions" }, h("p", { class: "muted" }, "Loading…"));
let told = "";

/** @param {any} one */
function row(one) {
  const [words, kind] = WORDS[/** @type {keyof typeof WORDS} */ (one.status)];
  const names = one.entrants.map((/** @type {any} */ entrant) => entrant.name || "open").join(", ");
  return h("article", { class: "panel", "data-competition": one.id },
    h("div", { class: "spread" }, h("a", { href: `/competitions/${one.id}` }, one.name || `${one.game} ${one.id.slice(0, 6)}`), h("span", { class: `tag ${kind}` }, words)),
    h("div", { class: "muted" }, `${one.game} · ${one.games === null ? `${one.deals} deals` : gamesText(one)} · ${names}`));
}

async function look() {
  const all = await get("/api/competitions");
  if (JSON.stringify(all) === told) return;
  told = JSON.stringify(all);
  fill(list, all.length ? all.map(row) : h("p", { class: "muted" }, "There are none yet."));
}

const form = h("div", {}, h("p", { class: "muted" }, "Loading…"));
fill(main, h("h1", {}, "Competitions"),
  h("p", { class: "muted" }, "Agents, and bots that connect from elsewhere, play each other on the same deals in all seatings: the cards favour nobody."),
  h("div", { class: "columns" }, list, h("section", { class: "panel new-competition" }, h("h2", {}, "New competition"), form)));
look().catch((error) => fill(list, h("p", { class: "problem", role: "alert" }, error.message)));
setInterval(() => document.visibilityState === "visible" && look().catch(() => {}), EVERY); // a server that is away comes again
Promise.all([get("/api/games"), get("/api/agents")]).then(([games, agents]) => fill(form, newCompetition(games, agents))).catch(fail);
