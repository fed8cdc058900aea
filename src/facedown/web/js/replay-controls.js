/** Stepping through a game: buttons, slider, keys, autoplay, and whose eyes are used. */

import { h } from "./dom.js";
import { sentence } from "./replay-words.js";
import { shown } from "./words.js";

/** @typedef {import("./replay-game.js").Replay} Replay */

const PLAY_MS = 1100; // between actions that follow by themselves

export class Controls {
  /** @param {Replay} replay */
  constructor(replay) {
    this.replay = replay;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.playing = undefined;
    const step = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ onclick) => h("button", { type: "button", "aria-label": name, title: name, onclick }, sign);
    this.slider = h("input", { type: "range", min: 0, value: 0, class: "slider", "aria-label": "Action", oninput: () => replay.go(Number(this.slider.value)) });
    this.player = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.play(!this.playing) }, "Play");
    this.says = h("p", { class: "step-says", role: "status" });
    this.viewer = h("select", { onchange: () => replay.look(this.viewer.value === "" ? null : Number(this.viewer.value)) });
    this.element = h("div", { class: "controls" },
      this.says,
      this.slider,
      h("div", { class: "spread" },
        h("div", { class: "row" },
          step("|◀", "First (Home)", () => replay.go(0)), step("◀", "Previous (left arrow)", () => replay.go(replay.at - 1)),
          step("▶", "Next (right arrow)", () => replay.go(replay.at + 1)), step("▶|", "Last (End)", () => replay.go(replay.last)), this.player),
        h("label", { class: "row" }, "View", this.viewer)),
      h("p", { class: "muted keys" }, "Arrow keys step; with Shift, or up and down, from decision to decision of the seat you look from."));
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** What does not change while stepping. */
  draw() {
    const { labels, viewer } = this.replay;
    this.slider.max = this.replay.last;
    const choices = [["", "all cards open"], ...labels.map((label, seat) => [String(seat), `as ${label} saw it`]), ["-1", "as a spectator saw it"]];
    this.viewer.replaceChildren(...choices.map(([value, words]) => h("option", { value }, words)));
    this.viewer.value = viewer === null ? "" : String(viewer);
  }

  mark() {
    const { at, last, steps, labels, ending } = this.replay;
    const { played, to_move: mover } = steps[at];
    this.slider.value = at;
    const before = played ? `${labels[played.seat]} played ${shown(played.action)}. ` : "";
    const now = mover === null || at === last ? sentence(ending) : `${labels[mover]} is to act.`;
    this.says.replaceChildren(h("strong", {}, `${at} of ${last}`), ` ${before}${now}`);
    this.slider.setAttribute("aria-valuetext", `${at} of ${last}. ${before}`);
    if (at === last) this.play(false);
  }

  /** @param {boolean} on */
  play(on) {
    clearInterval(this.playing);
    this.playing = undefined;
    if (on && this.replay.at === this.replay.last) this.replay.go(0);
    if (on) this.playing = setInterval(() => this.replay.go(this.replay.at + 1), PLAY_MS);
    this.player.setAttribute("aria-pressed", String(on));
    this.player.textContent = on ? "Pause" : "Play";
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    const { at, last } = this.replay;
    const back = event.key === "ArrowLeft" || event.key === "ArrowUp";
    const byDecision = event.shiftKey || event.key === "ArrowUp" || event.key === "ArrowDown";
    const goal = { Home: 0, End: last }[event.key];
    if (goal !== undefined) this.replay.go(goal);
    else if (!event.key.startsWith("Arrow")) return;
    else if (byDecision) this.replay.goToDecision(back ? -1 : 1);
    else this.replay.go(at + (back ? -1 : 1));
    event.preventDefault();
  }
}

/** Whether the keys belong to what has the focus. @param {EventTarget | null} target */
function isTyping(target) {
  const element = /** @type {HTMLElement} */ (target);
  if (element instanceof HTMLInputElement && element.type === "range") return false; // the slider steps as the page does
  return /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName ?? "") || Boolean(element.closest?.("[role=tree], [role=tablist], dialog"));
}
