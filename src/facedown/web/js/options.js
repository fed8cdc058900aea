/** Forms for options: of a game, of an agent; and the choice of an agent. Each form has its text as `value`. */

import { fill, h } from "./dom.js";

/** @typedef {{name: string, default: any, meaning: string, choices: any[], least?: number, most?: number}} Option */
/** @typedef {HTMLElement & {value: string}} Form */

const LEVELS = ["easy", "normal", "hard", "best"];

/** The field for the seed of a deal, as long as those that the server chooses. */
export function seedField() {
  return h("input", { name: "seed", inputmode: "numeric", pattern: "[0-9]{1,19}", placeholder: "any", size: 8, autocomplete: "off" });
}

/** A wish in JSON, with a seed that may have more digits than numbers here can hold. @param {any} wish @param {string} seed */
export function withSeed(wish, seed) {
  const told = JSON.stringify(wish);
  return seed ? `${told.slice(0, -1)},"seed":${BigInt(seed)}}` : told;
}

/** `hearts:passing=hold,match=100` as a name and its options. @param {string} text @returns {[string, Record<string, string>]} */
export function parseText(text) {
  const [name, ...rest] = text.split(":");
  return [name, parseOptions(rest.join(":"))];
}

/** @param {string} text @returns {Record<string, string>} */
function parseOptions(text) {
  const pairs = text.split(",").filter(Boolean).map((part) => part.split("="));
  return Object.fromEntries(pairs.map(([name, ...value]) => [name.trim(), value.join("=").trim()]));
}

/**
 * A field for each option; `value` has those that are not as usual: `passing=hold,match=100`.
 * @param {Option[]} options
 * @param {string} [given]
 * @returns {Form}
 */
export function optionsForm(options, given = "") {
  const values = parseOptions(given);
  const fields = options.map((option) => ({ option, input: inputFor(option, values[option.name] ?? String(option.default)) }));
  const form = h("div", { class: "options-form" }, fields.map(({ option, input }) =>
    h("label", { class: input.type === "checkbox" ? "check" : "field", title: option.meaning },
      h("span", {}, option.name.replaceAll("_", " ")), input, h("small", {}, option.meaning))));
  const text = () => fields
    .map(({ option, input }) => [option, input.type === "checkbox" ? String(input.checked) : input.value.trim()])
    .filter(([option, value]) => value !== "" && value.toLowerCase() !== String(option.default).toLowerCase())
    .map(([option, value]) => `${option.name}=${value}`).join(",");
  Object.defineProperty(form, "value", { get: text });
  return form;
}

/** @param {Option} option @param {string} value */
function inputFor(option, value) {
  const data = { "data-option": option.name };
  if (typeof option.default === "boolean") return h("input", { type: "checkbox", ...data, checked: value.toLowerCase() === "true" });
  if (option.choices.length) {
    return h("select", data, option.choices.map((choice) => h("option", { value: choice, selected: String(choice) === value }, choice)));
  }
  if (typeof option.default === "number") {
    const step = Number.isInteger(option.default) && option.name !== "seconds" ? 1 : "any";
    return h("input", { type: "number", ...data, value, min: option.least ?? null, max: option.most ?? null, step });
  }
  return h("input", { type: "text", ...data, value });
}

/**
 * The choice of an agent with its options; `value` is its text: `ismcts:iterations=5000`.
 * @param {{name: string, opponent?: string} | string} given a game, or its name
 * @param {any[]} agents as /api/agents lists them
 * @param {string} [text] who is chosen at first; the game's opponent if it is left out
 * @param {{all?: boolean, extra?: [string, string][], label?: string}} [more] agents that see all cards too; other choices, which have no options
 * @returns {Form}
 */
export function agentPicker(given, agents, text, { all = false, extra = [], label = "agent" } = {}) {
  const game = typeof given === "string" ? { name: given.split(":")[0] } : given;
  const chosenFirst = text ?? game.opponent ?? "best";
  const able = agents.filter((one) => (all || !one.sees_all) && (!one.plays.length || one.plays.includes(game.name)));
  const named = (/** @type {string} */ name) => able.find((one) => one.name === name);
  const opponent = game.opponent ?? "";
  const [first, options] = parseText(chosenFirst);
  const usual = chosenFirst === opponent && opponent !== "";
  const details = h("details", { class: "agent-options" }, h("summary", {}, "options"));
  let form = optionsForm([]);
  const select = h("select", { "aria-label": label, onchange: () => choose() },
    extra.map(([value, words]) => h("option", { value, selected: chosenFirst === value }, words)),
    h("optgroup", { label: "Levels" },
      opponent && h("option", { value: "opponent!", selected: usual }, "the game's opponent"),
      LEVELS.filter(named).map((name) => h("option", { value: name, selected: !usual && first === name }, name))),
    h("optgroup", { label: "Agents" },
      able.filter((one) => !LEVELS.includes(one.name)).map((one) => h("option", { value: one.name, title: one.summary, selected: !usual && first === one.name }, one.name))));
  /** @param {string} [values] */
  const choose = (values = "") => {
    const chosen = named(select.value);
    form = optionsForm(chosen?.options ?? [], values);
    details.hidden = !chosen?.options.length;
    fill(details, h("summary", {}, "options"), h("p", { class: "muted" }, chosen?.summary ?? ""), form);
    picker.dispatchEvent(new Event("change"));
  };
  const picker = h("div", { class: "agent-picker" }, select, details);
  Object.defineProperty(picker, "value", {
    get: () => {
      if (select.value === "opponent!") return opponent;
      return form.value ? `${select.value}:${form.value}` : select.value;
    },
  });
  choose(usual ? "" : Object.entries(options).map((pair) => pair.join("=")).join(","));
  return picker;
}
