/** The list of a game's actions, by trick or turn, with the grades of those that were judged. */

import { h, fill } from "./dom.js";
import { gradesSpoken, gradeSign, knownGrade } from "./grades.js";
import { shown, spoken } from "./words.js";

/** @typedef {import("./replay-game.js").Replay} Replay */

export class ActionList {
  /** @param {Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.list = h("div", { class: "action-list", tabindex: 0, role: "region", "aria-label": "Actions of the game" });
    this.element = h("section", { class: "panel" }, h("h2", {}, "Actions"), this.list);
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.current = -1;
  }

  /** The actions as the viewer saw them. */
  draw() {
    const { steps, labels } = this.replay;
    this.buttons = [];
    this.current = -1;
    /** @type {{title: string, buttons: HTMLElement[]}[]} */
    const groups = [];
    steps.slice(1).forEach((step, moves) => {
      const title = groupTitle(steps[moves], steps[steps.length - 1].deal > 1);
      if (groups.at(-1)?.title !== title) groups.push({ title, buttons: [] });
      const { seat, action } = step.played;
      const button = h("button", { class: `action seat-colour-${seat % 4}`, type: "button", "data-step": moves, onclick: () => this.replay.go(moves) },
        h("span", { class: "action-seat" }, seat), h("span", { class: "action-text" }, shown(action)));
      button.name_ = `${labels[seat]}: ${spoken(action)}`;
      this.buttons.push(button);
      groups.at(-1)?.buttons.push(button);
    });
    fill(this.list, groups.map(({ title, buttons }) => h("div", { class: "action-group" }, title ? h("h3", {}, title) : null, h("div", { class: "action-row" }, buttons))));
    this.grade();
    this.mark();
  }

  /** Signs of what was judged so far. */
  grade() {
    const { decisions, measure } = this.replay.analysis;
    this.buttons.forEach((button, moves) => {
      const judged = decisions.get(moves);
      const state = judged ? `${judged.grade} ${judged.hindsight?.grade}` : "";
      if (button.dataset.graded === state) return;
      button.dataset.graded = state;
      button.querySelectorAll(".grade").forEach((one) => one.remove());
      if (judged) for (const one of [gradeSign(knownGrade(judged, measure), "known"), gradeSign(judged.hindsight?.grade ?? null, "hindsight")]) if (one) button.append(one);
      const words = judged ? gradesSpoken(judged, measure) : "";
      button.setAttribute("aria-label", /** @type {any} */ (button).name_ + (words ? `, ${words}` : ""));
    });
  }

  /** Where the replay is. */
  mark() {
    this.buttons[this.current]?.removeAttribute("aria-current");
    this.current = this.replay.at;
    const button = this.buttons[this.current];
    button?.setAttribute("aria-current", "step");
    const seen = button ?? this.buttons.at(-1);
    if (!seen) return;
    const [box, frame] = [seen.getBoundingClientRect(), this.list.getBoundingClientRect()];
    if (box.top < frame.top) this.list.scrollTop -= frame.top - box.top + 8;
    else if (box.bottom > frame.bottom) this.list.scrollTop += box.bottom - frame.bottom + 8;
  }
}

/** What part of the game an action belongs to. @param {any} step @param {boolean} match @returns {string} */
function groupTitle({ table, deal }, match) {
  const zones = /** @type {any[]} */ (table.zones);
  const phase = zones.find((zone) => zone.kind === "fact" && zone.label === "phase")?.value;
  const trick = zones.find((zone) => zone.kind === "trick")?.number;
  const part = phase && phase !== "playing" ? phase : table.turn ? `turn ${table.turn}` : trick ? `trick ${trick}` : "";
  const words = match ? `deal ${deal}${part ? `, ${part}` : ""}` : part;
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
