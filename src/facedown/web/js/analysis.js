/** An analysis of the server: begun, followed over its socket, or found again by its id. */

import { ask } from "./admin-asking.js";
import { ApiError, get, Live } from "./api.js";

/** @typedef {import("./measure.js").Measure} Measure */
/** @typedef {"best" | "good" | "inaccuracy" | "mistake" | "blunder"} Grade */
/** @typedef {{best: string, value: number, regret: number | null, regret_half: number, grade: Grade | null, exact: boolean}} Hindsight */
/**
 * @typedef {object} Judged
 * @property {number} moves
 * @property {number} seat
 * @property {string | null} played
 * @property {number | null} value
 * @property {number | null} regret
 * @property {number} regret_half
 * @property {Grade | null} grade
 * @property {boolean} agreed
 * @property {boolean | null} identical
 * @property {Hindsight | null} hindsight
 * @property {any} decision
 */

export class Analysis {
  /** @param {() => void} onchange called when more is known */
  constructor(onchange) {
    this.onchange = onchange;
    /** @type {Live | null} */
    this.live = null;
    /** @type {any} */
    this.facts = null;
    /** By the number of actions before. @type {Map<number, Judged>} */
    this.decisions = new Map();
    this.error = "";
    this.begun = 0; // when it was asked for
    this.before = 0; // decisions that were known then
  }

  clear() {
    this.live?.close();
    this.live = null;
    this.facts = null;
    this.decisions = new Map();
    this.error = "";
  }

  get measure() {
    return /** @type {Measure | null} */ (this.facts?.measure ?? null);
  }

  get running() {
    return this.facts?.status === "running";
  }

  get done() {
    return this.facts?.status === "done";
  }

  /** Seconds it still needs, as far as it goes on as before; null before the first decision. */
  get secondsLeft() {
    const done = this.decisions.size - this.before;
    if (!this.running || done < 1) return null;
    return ((performance.now() - this.begun) / 1000 / done) * (this.facts.total - this.decisions.size);
  }

  /** @param {any} body of POST /api/analyses */
  async start(body) {
    this.clear();
    await this.take(() => ask("/api/analyses", body));
  }

  /** Find one again that the server may still have; whether it has. @param {string} id */
  async resume(id) {
    this.clear();
    await this.take(() => get(`/api/analyses/${encodeURIComponent(id)}`));
    return this.facts !== null;
  }

  /** @param {() => Promise<any>} find */
  async take(find) {
    try {
      this.begun = performance.now();
      this.learn(await find());
      if (this.running) this.live = new Live(`/api/analyses/${this.facts.id}/live`, () => ({}), (event) => this.onEvent(event));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.error = error.message;
    }
    this.onchange();
  }

  /** @param {any} event */
  onEvent(event) {
    if (event.event === "analysis") this.learn(event);
    else if (event.event === "decision") this.decisions.set(event.moves, event);
    else if (event.event === "analysis_over") Object.assign(this.facts, { status: event.status, failure: event.failure, players: event.players });
    else if (event.event === "error") this.lost(event.message);
    if (!this.running) this.live?.close();
    if (this.facts?.failure) this.error = this.facts.failure;
    this.onchange();
  }

  /** @param {any} facts */
  learn(facts) {
    this.facts = facts;
    this.before = facts.decisions.length;
    for (const one of facts.decisions) this.decisions.set(one.moves, one);
  }

  /** @param {string} message */
  lost(message) {
    this.error = message;
    if (this.facts) this.facts.status = "failed";
  }
}
