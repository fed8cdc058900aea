/** The page of a table: who has a seat there plays, others may take an open seat or watch. */

import { get, post, rememberSeat, seatAt } from "./api.js";
import { h, fill } from "./dom.js";
import { addressParts, fail, say, startPage } from "./page.js";
import { ownName } from "./settings.js";
import { Play } from "./table-play.js";
import { Advice } from "./table-advice.js";
import { Clocks } from "./table-clocks.js";
import { claimActions } from "./table-claims.js";
import { callWords, moveWords, resultPanel, scorePanel, seatNames, waitingPanel, lastTrickPanel, movesPanel, rulesPanel } from "./table-side.js";
import { counted } from "./words.js";
import "./board.js";

const id = addressParts()[1] ?? "";
const main = startPage("Table");

class TablePage {
  constructor() {
    /** @type {any} what everybody may know of the table */
    this.facts = null;
    /** @type {any} */
    this.over = null;
    this.announced = 0;
    this.own = seatAt(id);
    this.board = /** @type {import("./board.js").Board} */ (document.createElement("card-board"));
    this.title = h("h1", {}, "Table");
    this.status = h("p", { class: "status", role: "status", hidden: true });
    this.waiting = h("div", {});
    this.result = h("div", {});
    this.scores = h("section", { id: "scores", class: "panel", "aria-label": "Scores" });
    this.tricks = h("div", {});
    this.said = h("div", { class: "hidden-text", role: "log", "aria-live": "polite", id: "announcements" });
    this.advice = new Advice(id, () => this.play, () => this.own?.token ?? null);
    this.place = h("section", { id: "table", "aria-label": "Table" }, this.status, this.waiting, this.board, this.advice.bar, this.result, this.advice.panel);
    this.aside = h("aside", { class: "side" }, this.scores, this.tricks, rulesPanel(() => this.facts.game.split(":")[0]));
    fill(main, this.title, h("div", { class: "columns table-columns" }, this.place, this.aside), this.said);
    /** @type {Play | null} */
    this.play = null;
    this.clocks = new Clocks(this.board);
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  async load() {
    this.facts = await get(`/api/tables/${encodeURIComponent(id)}`);
    const game = this.facts.game.split(":")[0];
    const words = `${game[0].toUpperCase()}${game.slice(1)}`;
    document.title = `${words} · facedown`;
    fill(this.title, this.facts.name || words, " ", h("small", {}, this.facts.game === game ? "" : this.facts.game));
    this.connect();
  }

  connect() {
    this.play?.close();
    this.play = new Play(id, this.own?.token ?? null, this.board, {
      changed: () => this.draw(),
      told: (event) => this.onEvent(event),
      announce: (words) => this.announce(words),
      status: (connected) => this.onStatus(connected),
      problem: (error) => this.onProblem(error),
    });
  }

  // --- What comes ----------------------------------------------------------------------------------------------------

  /** @param {any} event */
  onEvent(event) {
    if (event.event === "seat") {
      Object.assign(this.facts.seats[event.seat], event);
      if (this.facts.status === "waiting") this.refresh();
    }
    if (event.event === "your_turn") this.clocks.own(event.moves, event.seconds_left);
    if (event.event === "over") this.over = event;
    if (event.event === "rematch") this.facts.rematch = event.table;
    if (event.event !== "move" && event.event !== "view" && this.play?.view) this.draw();
  }

  /** Facts anew, where only their change is told. */
  refresh() {
    const address = `/api/tables/${encodeURIComponent(id)}`;
    get(address).then(async (facts) => {
      this.facts = facts;
      const begun = facts.status === "playing" && this.play?.newest?.to_move === null;
      if (begun) this.play?.onView(await get(`${address}/view`, this.own?.token));
      this.draw();
    }).catch(fail);
  }

  /** @param {boolean} connected */
  onStatus(connected) {
    this.status.hidden = connected;
    fill(this.status, connected ? "" : "Connection lost, trying again…");
    this.place.dataset.connected = String(connected);
  }

  /** @param {any} error */
  onProblem(error) {
    if (error.code === "forbidden" && this.own) {
      this.own = null; // a seat of another time; one can still watch
      this.connect();
      return;
    }
    say(error.message, "error");
  }

  // --- What is drawn -------------------------------------------------------------------------------------------------

  draw() {
    const play = this.play;
    if (!play?.view) return;
    const { view } = play;
    const names = seatNames(this.facts.seats, view.seat);
    const waiting = this.facts.status === "waiting";
    const over = view.over || (this.over !== null && view === play.newest);
    this.place.dataset.moves = String(view.moves);
    this.place.dataset.toMove = view.to_move === null || over ? "" : String(view.to_move);
    this.place.dataset.over = String(over);
    this.place.dataset.seat = view.seat === null ? "" : String(view.seat);
    this.board.show({
      table: waiting ? { ...view.table, to_move: null } : (play.drawn ?? view.table), names, bottom: view.seat ?? 0, legal: allowed(play),
      choose: view.seat === null ? null : (text) => play.choose(text),
      chosen: play.chosen, marked: play.marked, last: play.last,
      toggles: Boolean(play.wanted || play.claiming), actions: ownActions(play), note: noteOf(play, names, waiting),
      revealed: play.revealed && { cards: play.revealed.cards, words: callWords(play.revealed, names) },
    });
    fill(this.waiting, waiting ? waitingPanel(this.facts, view.seat, (seat) => this.sit(seat)) : null);
    fill(this.scores, scorePanel(view, names, this.facts));
    fill(this.tricks, lastTrickPanel(view, names), movesPanel(view, names));
    fill(this.result, over ? resultPanel(view, this.over, names, this.facts, () => this.again()) : null);
    this.advice.draw(names, over, this.facts.hints && !waiting);
    this.clocks.turn(view, this.facts);
    this.announceMoves(view, names);
  }

  /** @param {any} view @param {string[]} names */
  announceMoves(view, names) {
    const news = this.announced ? view.history.slice(this.announced) : [];
    this.announced = view.moves;
    const words = news.map((/** @type {[number, string]} */ [seat, text]) => moveWords(names[seat], text));
    if (this.play?.mine && (news.length || !this.said.firstChild)) words.push("Your turn.");
    for (const one of words) this.announce(one);
  }

  /** @param {string} words */
  announce(words) {
    this.said.append(h("p", {}, words));
    while (this.said.childElementCount > 8) this.said.firstElementChild?.remove();
  }

  // --- What is done --------------------------------------------------------------------------------------------------

  /** @param {number} seat */
  sit(seat) {
    const name = ownName();
    post(`/api/tables/${encodeURIComponent(id)}/seats`, { name, seat }).then(async (taken) => {
      this.own = { ...taken, name };
      rememberSeat(id, { ...taken, name });
      await this.load();
    }).catch(fail);
  }

  async again() {
    const token = this.own?.token;
    if (!token) return;
    try {
      const next = await post(`/api/tables/${encodeURIComponent(id)}/rematch`, {}, token);
      const { seat } = await get(`/api/tables/${next.id}/view`, token);
      rememberSeat(next.id, { seat, token, name: this.own?.name ?? ownName() });
      location.assign(`/table/${next.id}`);
    } catch (error) {
      fail(error);
    }
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    if (event.key === "Escape") this.play?.takeBack();
    else if (event.key === "h") this.advice.hint();
    else if (event.key === "w") this.advice.why();
  }
}

/** What may be clicked: where a set is complete, only what is in it. @param {Play} play */
function allowed(play) {
  if (!play.legal.length) return [];
  if (play.claiming) return [...play.legal, ...(play.view?.table.zones.find((/** @type {any} */ zone) => zone.kind === "hand" && zone.seat === play.view?.seat)?.cards ?? [])];
  return play.wanted && play.chosen.size >= play.wanted ? [...play.chosen] : play.legal;
}

/** Buttons that send what was chosen. @param {Play} play */
function ownActions(play) {
  if (play.sent.length) return [];
  if (play.wanted) {
    const ready = play.chosen.size === play.wanted;
    return [{ action: "pass", label: `Pass ${counted(play.wanted, "card")}`, primary: true, disabled: !ready, onclick: () => play.send([...play.chosen]) }];
  }
  return play.claiming ? claimActions(play) : [];
}

/** What a person should know before choosing. @param {Play} play @param {string[]} names @param {boolean} waiting */
function noteOf(play, names, waiting) {
  const { view } = play;
  if (!view || view.over || waiting) return "";
  if (play.sent.length) return "";
  if (play.wanted) return `Choose ${counted(play.wanted, "card")}, face down: ${play.chosen.size} chosen.`;
  if (play.claiming) return "Choose cards of your hand and what you call them.";
  if (play.chosen.size) return "Click it again to play it; Escape takes it back.";
  if (play.mine) return "Your turn.";
  return view.to_move === null ? "" : `${names[view.to_move]} is to move.`;
}

new TablePage().load().catch((error) => {
  fill(main, h("h1", {}, "No such table"), h("p", {}, error.message), h("p", {}, h("a", { href: "/" }, "To the tables")));
});
