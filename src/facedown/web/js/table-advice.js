/** Hint and why: what the game's best player would do, knowing what this seat knows. */

import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { fail } from "./page.js";
import { shown } from "./words.js";
import { decisionTable } from "./decision.js";

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
    this.open = false; // whether the reasons are shown
    this.hintButton = h("button", { type: "button", id: "hint", title: "What the best player would do (h)", onclick: () => this.hint() }, "Hint");
    this.whyButton = h("button", { type: "button", id: "why", title: "What is expected of each choice (w)", onclick: () => this.why() }, "Why");
    this.words = h("span", { class: "muted", role: "status", id: "advice-words" });
    this.bar = h("div", { class: "row advice-bar" }, this.hintButton, this.whyButton, this.words);
    this.panel = h("section", { class: "panel", id: "advice", "aria-label": "Why", hidden: true });
  }

  /** @param {string[]} names @param {boolean} over @param {boolean} allowed */
  draw(names, over, allowed) {
    const play = this.play();
    const seated = play?.view?.seat !== null && play?.view?.seat !== undefined;
    this.bar.hidden = !seated || over || !allowed;
    const ready = Boolean(play?.mine && !play.sent.length && !this.asking);
    this.hintButton.disabled = this.whyButton.disabled = !ready;
    if (play?.view && this.moves !== play.view.moves && !this.asking) {
      this.answer = null;
      fill(this.words);
      if (this.moves >= 0 && this.open) this.panel.hidden = true;
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
    fill(this.words, h("b", {}, answer.actions.map(shown).join(" ")), ` ${answer.reasons?.best ?? ""}`);
    play.page.changed();
  }

  async why() {
    await this.hint();
    if (!this.answer) return;
    this.open = true;
    this.panel.hidden = false;
    fill(this.panel, ...this.reasons(this.answer));
  }

  /** @param {any} answer */
  reasons(answer) {
    return [
      h("div", { class: "spread" }, h("h2", {}, "Why"), h("button", { type: "button", class: "small", onclick: () => { this.panel.hidden = true; } }, "Close")),
      decisionTable(answer.decision, answer.measure ?? null, {}),
    ];
  }
}
