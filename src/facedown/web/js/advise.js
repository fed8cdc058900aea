/** Advice for a game that is played elsewhere: which game, and then its page. */

import { AdviseGame, begun } from "./advise-game.js";
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { addressParts, startPage } from "./page.js";
import { counted } from "./words.js";

const [, name] = addressParts();
const main = startPage(name ? `Advisor: ${name}` : "Advisor");

/** @param {any} game */
function choice(game) {
  const entries = begun(game.name);
  const words = game.summary.replace(new RegExp(`^${game.name}: `, "i"), "");
  return h("a", { class: "panel advise-choice", href: `/advise/${encodeURIComponent(game.name)}`, "data-advise": game.name },
    h("b", {}, game.name), h("span", { class: "muted" }, words, entries ? ` · under way, ${counted(entries, "entry").replace("entrys", "entries")}` : ""));
}

get("/api/games").then(async (games) => {
  if (!name) {
    fill(main, h("h1", {}, "Advisor"),
      h("p", {}, "You play elsewhere: at a table with friends, or on another site. Tell what you see, and have the advice, its reasons, and where the other cards may lie."),
      h("div", { class: "advise-games" }, games.map(choice)));
    return;
  }
  const game = games.find((/** @type {any} */ one) => one.name === name);
  if (!game) throw new Error(`expected one of the games ${games.map((/** @type {any} */ one) => one.name).join(", ")}, got ${name}`);
  new AdviseGame(game, main).start();
}).catch((error) => fill(main, h("h1", {}, "Advisor"), h("p", { class: "problem", role: "alert" }, error.message), h("p", {}, h("a", { href: "/advise" }, "All games"))));
