/** Finished games of the store, and records from elsewhere: dropped, chosen or pasted. */

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { keepRecord, recordsIn } from "./records.js";
import { counted } from "./words.js";

const PAGE = 25; // games that are listed at once
const MOST_SHOWN = 200; // games of a file

/** @typedef {(record: string) => Promise<void>} Open */

/** @param {HTMLElement} main @param {Open} open */
export async function showList(main, open) {
  const list = h("div", {});
  const games = await get("/api/games");
  const filter = h("select", { onchange: () => list_() }, h("option", { value: "" }, "all games"), games.map((/** @type {any} */ game) => h("option", { value: game.name }, game.name)));
  const list_ = () => fill(list, storedGames(filter.value));
  fill(main,
    h("h1", {}, "Replay and analyse a game"),
    h("div", { class: "columns" },
      h("section", { class: "panel" }, h("div", { class: "spread" }, h("h2", {}, "Finished games"), h("label", { class: "row" }, "Game", filter)), list),
      fromElsewhere(open)));
  list_();
}

// --- The store --------------------------------------------------------------------------------------------------------

/** @param {string} game */
function storedGames(game) {
  const body = h("tbody", {});
  const more = h("button", { type: "button", onclick: () => load() }, "Older games");
  const words = h("p", { class: "muted", role: "status" }, "Loading …");
  /** @type {number | null} */
  let before = null;
  async function load() {
    more.disabled = true;
    try {
      const query = new URLSearchParams({ limit: String(PAGE), ...(before ? { before: String(before) } : {}), ...(game ? { game } : {}) });
      const found = await get(`/api/records?${query}`);
      body.append(...found.map(storedRow));
      before = found.at(-1)?.id ?? before;
      words.textContent = body.childElementCount ? "" : "No game is finished yet. Play one, or run facedown tournament.";
      more.hidden = found.length < PAGE;
    } catch (error) {
      words.textContent = /** @type {Error} */ (error).message;
    }
    more.disabled = false;
  }
  load();
  return [
    h("div", { class: "scroll-x" }, h("table", { class: "figures game-list" },
      h("thead", {}, h("tr", {}, ["game", "players", "scores", "actions", "finished"].map((name) => h("th", { scope: "col" }, name)))), body)),
    words, more,
  ];
}

/** @param {any} one */
function storedRow(one) {
  const name = `${one.game} #${one.id}`;
  return h("tr", {},
    h("td", {}, h("a", { href: `/replay/${one.id}` }, name)),
    h("td", {}, one.players.join(", ")),
    h("td", {}, scoresOf(one), one.forfeit === null ? "" : ` (seat ${one.forfeit} forfeits)`),
    h("td", { class: "number" }, one.actions),
    h("td", {}, h("time", { datetime: one.finished }, one.finished.replace("T", " ").replace(/:\d\dZ$/, "")), one.run ? h("small", {}, ` ${one.run}`) : null));
}

/** @param {{scores: number[]}} one */
function scoresOf(one) {
  return one.scores.join("\u00a0–\u00a0");
}

// --- From elsewhere ---------------------------------------------------------------------------------------------------

/** @param {Open} open */
function fromElsewhere(open) {
  const found = h("div", { role: "status" });
  const file = h("input", { type: "file", accept: ".json,.jsonl,.ndjson,application/json", onchange: () => file.files[0] && take(file.files[0].text()) });
  const paste = h("textarea", { rows: 4, spellcheck: "false", placeholder: '{"format": 2, "game": "hearts", …}' });
  /** @param {Promise<string> | string} text */
  const take = async (text) => {
    try {
      const records = recordsIn(await text);
      if (records.length === 1) await openRecord(records[0].text);
      else fill(found, chooser(records, openRecord));
    } catch (error) {
      fill(found, h("p", { class: "error", role: "alert" }, /** @type {Error} */ (error).message));
    }
  };
  /** @param {string} text */
  const openRecord = async (text) => {
    keepRecord(text);
    await open(text).catch((error) => fill(found, h("p", { class: "error", role: "alert" }, error.message)));
  };
  const area = h("section", { class: "panel drop", id: "drop" },
    h("h2", {}, "A record from elsewhere"),
    h("p", { class: "muted" }, "Drop a file of records here, choose one, or paste a record. It is shown, not stored."),
    h("label", { class: "field" }, h("span", {}, "File"), file),
    h("label", { class: "field" }, h("span", {}, "Record"), paste),
    h("button", { type: "button", onclick: () => take(paste.value) }, "Show it"), found);
  listenForDrops(area, (dropped) => take(dropped.text()));
  return area;
}

/** @param {import("./records.js").FoundRecord[]} records @param {(text: string) => any} open */
function chooser(records, open) {
  return h("div", {},
    h("p", {}, `${counted(records.length, "game")} found${records.length > MOST_SHOWN ? `, the first ${MOST_SHOWN} are listed` : ""}. Which one?`),
    h("ol", { class: "found-games" }, records.slice(0, MOST_SHOWN).map((one) => h("li", {},
      h("button", { class: "small", type: "button", onclick: () => open(one.text) }, `${one.game}: ${one.players.map((text) => text.split(":")[0]).join(", ")}, ${scoresOf(one)}`)))));
}

/** @param {HTMLElement} area @param {(file: File) => void} ondrop */
function listenForDrops(area, ondrop) {
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("dragged");
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && area.classList.remove("dragged"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("dragged");
    const [dropped] = event.dataTransfer?.files ?? [];
    if (dropped && area.isConnected) ondrop(dropped);
  });
}
