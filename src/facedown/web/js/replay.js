/** The page of finished games: all of them, or one on the analysis board. */

import { addressParts, startPage } from "./page.js";
import { keptRecord } from "./records.js";
import { showGame } from "./replay-game.js";
import { showList } from "./replay-list.js";
import { h, fill } from "./dom.js";

const main = startPage("Replay");
const id = addressParts()[1];

/** @param {any} error */
function refuse(error) {
  fill(main, h("h1", {}, "Replay"), h("p", { class: "error", role: "alert" }, error?.message ?? String(error)), h("p", {}, h("a", { href: "/replay" }, "All games")));
}

function start() {
  const kept = keptRecord();
  if (id !== undefined && !/^\d+$/.test(id)) refuse(new Error(`expected the number of a game, got ${id}`));
  else if (id !== undefined) showGame(main, Number(id)).catch(refuse);
  else if (kept !== null && /(^#|&)step=/.test(location.hash)) showGame(main, kept).catch(refuse);
  else showList(main, (record) => showGame(main, record)).catch(refuse);
}

start();
