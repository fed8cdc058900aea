/** A table as it is played: events shown one after another at a pace that eyes can follow, own cards at once. */

import { Live } from "./api.js";
import { finishedTrick, laid } from "./board.js";
import { firstZone, goesToTrick, handOf, revealedPile, zones } from "./board-zones.js";
import { moves as movement, settings } from "./settings.js";

const CARD_MS = 420; // that a card of another is looked at before the next one
const TRICK_MS = 1000; // that a finished trick lies there
const HURRY = 12; // steps waiting from which on they are shown at once
const GONE = new Set(["not_found", "unauthorized", "forbidden", "not_yet"]); // refusals that trying again does not mend

/** @typedef {{seat: number | null, to_move: number | null, moves: number, legal: string[], table: any, history: [number, string][], over: boolean, scores: number[], outcome: any, facts: any, position: string | null}} View */
/** @typedef {{action: string, moves: number}} Sent */

/** What a table page knows and does; `changed` is called whenever there is something else to draw. */
export class Play {
  /**
   * @param {string} id
   * @param {string | null} token
   * @param {import("./board.js").Board} board
   * @param {{changed: () => void, told: (event: any) => void, announce: (words: string) => void, status: (connected: boolean) => void, problem: (error: any) => void}} page
   */
  constructor(id, token, board, page) {
    this.token = token;
    this.board = board;
    this.page = page;
    /** @type {View | null} the newest that came */
    this.newest = null;
    /** @type {View | null} the one that is shown */
    this.view = null;
    /** @type {any} a finished trick that still lies there */
    this.last = null;
    /** @type {ReturnType<typeof revealedPile>} what the last call has shown */
    this.revealed = null;
    /** @type {any} the table with a card that is laid and not confirmed */
    this.drawn = null;
    /** @type {Sent[]} what was sent and not confirmed */
    this.sent = [];
    /** @type {Set<string>} chosen, not sent */
    this.chosen = new Set();
    /** @type {Set<string>} */
    this.marked = new Set();
    /** @type {{move: any, view: View}[]} */
    this.queue = [];
    this.running = false;
    /** @type {any} */
    this.move = null;
    this.live = new Live(`/api/tables/${id}/live`, () => this.hello(), (event) => this.onEvent(event), page.status);
  }

  hello() {
    this.move = null;
    return { ...(this.token ? { token: this.token } : {}), views: true };
  }

  close() {
    this.live.close();
    this.queue = [];
  }

  // --- What comes ----------------------------------------------------------------------------------------------------

  /** @param {any} event */
  onEvent(event) {
    if (event.event === "move") this.move = event;
    else if (event.event === "view") this.onView(event);
    else if (event.event === "your_turn") this.onTurn(event);
    else if (event.event === "error") this.onRefusal(event);
    this.page.told(event);
  }

  /** @param {View} view */
  onView(view) {
    this.newest = view;
    this.queue.push({ move: this.move, view });
    if (!this.move) this.sendAgain(view);
    this.move = null;
    if (!this.running) void this.showQueue();
  }

  /** A turn that no view has told of: the last seat was taken. @param {{legal: string[], moves: number}} event */
  onTurn({ legal, moves }) {
    const view = this.newest;
    if (view && view.moves === moves && !view.legal.length) this.onView({ ...view, legal, to_move: view.seat });
  }

  /** What was on its way when the connection was lost is sent once more. @param {View} view */
  sendAgain(view) {
    this.sent = this.sent.filter((one) => one.moves >= view.moves);
    for (const one of this.sent) this.live.send(one);
  }

  /** @param {any} event */
  onRefusal(event) {
    if (GONE.has(event.code)) this.close();
    this.sent = [];
    this.drawn = null;
    this.page.problem(event);
    this.page.changed();
  }

  // --- What is shown -------------------------------------------------------------------------------------------------

  async showQueue() {
    this.running = true;
    for (let step = this.queue.shift(); step; step = this.queue.shift()) {
      const paced = movement() && step.move && this.queue.length < HURRY && document.visibilityState === "visible";
      await this.showStep(step.move, step.view, Boolean(paced));
    }
    this.running = false;
  }

  /** @param {any} move @param {View} view @param {boolean} paced */
  async showStep(move, view, paced) {
    const before = this.view;
    const trick = move && before ? finishedTrick(before.table, move, view.table) : null;
    if (trick && paced && before) {
      this.drawn = laid(before.table, move.seat, move.action);
      this.page.changed();
      await pause(TRICK_MS);
      if (trick.taker !== null) await this.board.sweep(trick.taker);
    }
    const taken = this.sent.filter((one) => one.moves >= view.moves);
    if (before && view.moves !== before.moves) this.forget();
    if (move && before && move.action === "call") this.revealed = revealedPile(before.table, view.table);
    else if (move && firstZone(view.table, "claims")?.claims?.length) this.revealed = null;
    this.view = view;
    this.sent = taken;
    this.drawn = null;
    this.last = trick && !paced ? trick : firstZone(view.table, "trick")?.cards?.length || view.moves !== before?.moves ? null : this.last;
    this.page.changed();
    if (paced && !trick && !this.mine && move.seat !== view.seat) await pause(CARD_MS);
  }

  /** Choices of an earlier turn. */
  forget() {
    this.marked = new Set();
    if (!this.view?.table.choose) this.chosen = new Set();
  }

  /** Whether it is the turn of this browser's seat. */
  get mine() {
    return this.view !== null && !this.view.over && this.view.seat !== null && this.view.to_move === this.view.seat;
  }

  /** What may be done now. @returns {string[]} */
  get legal() {
    return this.mine && !this.sent.length && this.view ? this.view.legal : [];
  }

  // --- What is chosen ------------------------------------------------------------------------------------------------

  /** How many cards are chosen together, face down; 0 where each is sent by itself. */
  get wanted() {
    return (this.mine && this.view?.table.choose) || 0;
  }

  /** Whether cards are laid under a claim. */
  get claiming() {
    return this.mine && Boolean(this.view && zones(this.view.table, "choice").length);
  }

  /** A card or an action that was clicked. @param {string} text */
  choose(text) {
    if (!this.view || !this.mine || this.sent.length) return;
    const held = handOf(this.view.table, this.view.seat).includes(text);
    const twice = settings().confirm === "on" && held;
    if (held && (this.wanted || this.claiming || (twice && !this.chosen.has(text)))) this.toggle(text, twice);
    else this.send([text]);
  }

  /** @param {string} text @param {boolean} alone */
  toggle(text, alone) {
    const had = this.chosen.has(text);
    if (alone && !this.wanted && !this.claiming) this.chosen = new Set();
    if (had) this.chosen.delete(text);
    else if (!this.wanted || this.chosen.size < this.wanted) this.chosen.add(text);
    this.page.changed();
  }

  /** Choose nothing yet. */
  takeBack() {
    if (!this.chosen.size) return;
    this.chosen = new Set();
    this.page.changed();
  }

  /** Send actions in a row; a card laid to the trick is drawn at once. @param {string[]} texts */
  send(texts) {
    const view = this.view;
    if (!view) return;
    this.sent = texts.map((action, place) => ({ action, moves: view.moves + place }));
    if (texts.length === 1 && view.seat !== null && goesToTrick(view.table, texts[0])) this.drawn = laid(view.table, view.seat, texts[0]);
    this.marked = new Set();
    this.page.changed();
    for (const one of this.sent) this.live.send(one);
  }
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
