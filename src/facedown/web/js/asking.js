/** A form that asks an agent: who, with which options, with which seed. */

import { h } from "./dom.js";
import { agentPicker } from "./options.js";

export const ADVISER = "best:iterations=1000";

/**
 * @typedef {object} AskForm
 * @property {HTMLFormElement} element
 * @property {() => {agent: string, seed: number}} value
 * @property {(busy: boolean) => void} busy
 */

/**
 * @param {{game: string, agents: any, agent?: string, label: string, primary?: boolean, onask: (asked: {agent: string, seed: number}) => void}} options
 * @param {...any} more beside the button
 * @returns {AskForm}
 */
export function askForm({ game, agents, agent = ADVISER, label, primary = false, onask }, ...more) {
  const picker = agentPicker({ name: game.split(":")[0] }, agents, agent);
  const text = h("code", {}, picker.value);
  const seed = h("input", { type: "number", min: 0, max: 2 ** 31, step: 1, value: 0, required: true, class: "seed" });
  const button = h("button", { class: primary ? "primary" : "", type: "submit" }, label);
  const value = () => ({ agent: picker.value, seed: Math.max(0, Math.trunc(Number(seed.value)) || 0) });
  const element = h("form", {
    class: "ask", novalidate: true, // the server knows what it takes, and says why where it does not
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      onask(value());
    },
    oninput: () => (text.textContent = picker.value),
    onchange: () => (text.textContent = picker.value),
  }, picker, h("p", { class: "muted" }, text), h("div", { class: "row ask-row" }, h("label", { class: "row" }, "seed", seed), button, more));
  return { element, value, busy: (busy) => (button.disabled = busy) };
}
