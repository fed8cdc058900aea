/** Hint and why: what the game's best player would do, knowing what this seat knows. */

import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { fail } from "./page.js";
import { shown } from "./words.js";
import { decisionTable } from "./decision.js";

const TREE_ITERATIONS = 20000; // at most: as many as the hint had, if it had fewer

export class Advice {
  /**
   * @param {string} id
   * @param {() => import("./table-play.js").Play | null} play
   * @param {() => string | null} token
   */
  constructor(id, play, token) {
    this.id = id;
    this.play = play;
    this.token = token;
    /** @type {any} */
    this.answer = null;
    this.moves = -1; // the turn that the answer is about
    this.asking = false;
    /** @type {string[]} */
    this.names = [];
    this.hintButton = h("button", { type: "button", id: "hint", title: "What the best player would do (h)", onclick: () => this.hint() }, "Hint");
    this.whyButton = h("button", { type: "button", id: "why", title: "What is expected of each choice (w)", onclick: () => this.why() }, "Why");
    this.words = h("span", { class: "muted", role: "status", id: "advice-words" });
    this.bar = h("div", { class: "row advice-bar" }, this.hintButton, this.whyButton, this.words);
    this.panel = h("section", { class: "panel", id: "advice", "aria-label": "Why", hidden: true });
  }

  /** @param {string[]} names @param {boolean} over @param {boolean} allowed */
  draw(names, over, allowed) {
    this.names = names;
    const play = this.play();
    const seated = play?.view?.seat !== null && play?.view?.seat !== undefined;
    this.bar.hidden = !seated || over || !allowed;
    const ready = Boolean(play?.mine && !play.sent.length && !this.asking);
    this.hintButton.disabled = this.whyButton.disabled = !ready;
    if (play?.view && this.moves !== play.view.moves && !this.asking) {
      this.answer = null;
      fill(this.words);
      this.panel.hidden = true;
      this.moves = play.view.moves;
    }
  }

  /** @returns {Promise<any>} */
  async ask() {
    const play = this.play();
    if (!play?.view || !play.mine || this.asking) return null;
    if (this.answer && this.moves === play.view.moves) return this.answer;
    this.asking = true;
    const moves = play.view.moves;
    this.hintButton.disabled = this.whyButton.disabled = true;
    fill(this.words, "thinking…");
    try {
      const answer = await post(`/api/tables/${encodeURIComponent(this.id)}/hint`, {}, this.token());
      if (play.view.moves !== moves) return null; // played meanwhile
      this.answer = answer;
      this.moves = moves;
      return answer;
    } catch (error) {
      fail(error);
      return null;
    } finally {
      this.asking = false;
      fill(this.words);
      play.page.changed();
    }
  }

  async hint() {
    const answer = await this.ask();
    const play = this.play();
    if (!answer || !play) return;
    play.marked = new Set(answer.actions);
    const reason = answer.reasons?.best;
    fill(this.words, h("b", { class: "advised" }, answer.actions.map(shown).join(" ")), reason ? `: ${shown(reason)}` : "");
    play.page.changed();
  }

  async why() {
    await this.hint();
    if (!this.answer) return;
    this.panel.hidden = false;
    fill(this.panel, ...this.reasons(this.answer));
  }

  /** @param {any} answer */
  reasons(answer) {
    return [
      h("div", { class: "spread" }, h("h2", {}, "Why"), h("button", { type: "button", class: "small", onclick: () => { this.panel.hidden = true; } }, "Close")),
      answer.reasons?.next && h("p", {}, shown(answer.reasons.next)),
      Object.entries(answer.risks ?? {}).map(([risk, shares]) => h("p", {}, riskWords(risk, shares))),
      decisionTable(answer.decision, answer.measure ?? null, {}),
      this.treePart(),
    ];
  }

  /** The tree of a search from here, once somebody asks for it. */
  treePart() {
    const host = h("div", { id: "tree" });
    const show = async (/** @type {any} */ event) => {
      event.currentTarget.disabled = true;
      await import("./tree.js");
      const tree = /** @type {import("./tree.js").SearchTree} */ (document.createElement("search-tree"));
      tree.measure = this.answer?.measure ?? null;
      tree.names = this.names;
      fill(host, tree);
      const iterations = Math.min(this.answer?.decision?.iterations || TREE_ITERATIONS, TREE_ITERATIONS);
      await tree.open({ table: this.id }, `best:iterations=${iterations}`, 0, this.token());
    };
    return h("div", {}, h("button", { type: "button", class: "small", onclick: (/** @type {Event} */ event) => { show(event).catch(fail); } }, "Look into the tree"), host);
  }
}

/** How likely something is after each of some actions. @param {string} risk @param {Record<string, number>} shares */
export function riskWords(risk, shares) {
  const after = Object.entries(shares).map(([text, share]) => `${(100 * share).toFixed(0)} % after ${shown(text)}`);
  return `Risk of ${risk}: ${Object.values(shares).some(Boolean) ? after.join(", ") : "below 1 %"}.`;
}
