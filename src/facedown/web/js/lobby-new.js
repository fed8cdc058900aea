/** A new table: at once against the game's opponent, or with options, other opponents, and open seats for friends. */

import { get, post, rememberSeat } from "./api.js";
import { fill, h } from "./dom.js";
import { agentPicker, optionsForm } from "./options.js";
import { ownName } from "./settings.js";

const YOU = "you!";
const OPEN = "open!";
/** @type {[string, string][]} */
const CLOCKS = [["", "no clock"], ["10", "10 s"], ["30", "30 s"], ["60", "a minute"], ["300", "five minutes"]];

/** Make a table, take a seat there, and go to it. @param {any} wish @param {number | null} [seat] */
export async function playAt(wish, seat = 0) {
  const made = await post("/api/tables", wish);
  if (seat !== null) await sitDown(made.id, seat);
  location.assign(`/table/${made.id}`);
}

/** Take a seat at a table, and remember it. @param {string} id @param {number} seat */
export async function sitDown(id, seat) {
  const name = ownName();
  const taken = await post(`/api/tables/${id}/seats`, { name, seat });
  rememberSeat(id, { ...taken, name });
}

/** Deal at once: one's own seat first, the game's opponent everywhere else. @param {string} game */
export function playNow(game) {
  return playAt({ game, seats: [{ open: true }] });
}

/** A dialog with all that can be chosen. @param {any} game */
export async function openOptions(game) {
  const agents = await get("/api/agents");
  const dialog = new NewTable(game, agents).element;
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

class NewTable {
  /** @param {any} game @param {any[]} agents */
  constructor(game, agents) {
    this.game = game;
    this.agents = agents;
    /** @type {any[]} */
    this.pickers = [];
    this.options = optionsForm(game.options);
    this.seats = h("div", { class: "seat-pickers" });
    this.clock = h("select", {}, CLOCKS.map(([value, words]) => h("option", { value }, words)));
    this.seed = h("input", { inputmode: "numeric", pattern: "[0-9]*", placeholder: "any", size: 8 });
    this.hints = h("input", { type: "checkbox", checked: true });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.options.addEventListener("change", () => this.drawSeats());
    this.drawSeats();
    this.element = this.dialog();
  }

  dialog() {
    const title = `${this.game.name[0].toUpperCase()}${this.game.name.slice(1)}`;
    return h("dialog", { class: "new-table", "aria-label": `New table of ${this.game.name}` },
      h("form", { method: "dialog", onsubmit: (/** @type {Event} */ event) => this.send(event) },
        h("h2", {}, title),
        h("h3", {}, "Players"), this.seats,
        h("div", { class: "row wide" },
          h("label", { class: "field" }, h("span", {}, "time for an action"), this.clock),
          h("label", { class: "field" }, h("span", {}, "seed of the deal"), this.seed),
          h("label", { class: "check" }, this.hints, h("span", {}, "hints allowed"))),
        this.game.options.length ? h("details", {}, h("summary", {}, "Rules"), this.options) : null,
        this.problem,
        h("div", { class: "row" },
          h("button", { type: "submit", class: "primary", "data-action": "deal" }, "Deal"),
          h("button", { type: "button", onclick: () => this.element.close() }, "Cancel"))));
  }

  /** As many as the options ask for. */
  get count() {
    const wanted = /** @type {any} */ (this.options.querySelector("[data-option='seats']"));
    return wanted ? Number(wanted.value) : this.game.seats;
  }

  drawSeats() {
    if (this.pickers.length === this.count) return;
    this.pickers = Array.from({ length: this.count }, (_, seat) => agentPicker(this.game, this.agents, seat === 0 ? YOU : undefined, {
      extra: [[YOU, "you"], [OPEN, "open, for a friend"]], label: `Seat ${seat}`,
    }));
    fill(this.seats, this.pickers.map((picker, seat) => h("div", { class: "seat-picker" }, h("span", { class: "muted" }, `Seat ${seat}`), picker)));
  }

  /** @param {Event} event */
  send(event) {
    event.preventDefault();
    const values = this.pickers.map((picker) => picker.value);
    const own = values.indexOf(YOU);
    const options = this.options.value;
    const wish = {
      game: options ? `${this.game.name}:${options}` : this.game.name,
      seats: values.map((value) => (value === YOU || value === OPEN ? { open: true } : { agent: value })),
      hints: this.hints.checked,
      ...(this.clock.value ? { move_seconds: Number(this.clock.value) } : {}),
      ...(this.seed.value ? { seed: Number(this.seed.value) } : {}),
    };
    playAt(wish, own < 0 ? null : own).catch((error) => {
      this.problem.hidden = false;
      fill(this.problem, error.message);
    });
  }
}
