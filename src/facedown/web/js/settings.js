/** How a person wants the pages to look: kept by the browser, and applied before anything is drawn. */

import { h } from "./dom.js";

const KEY = "facedown.settings";
const DEFAULTS = { theme: "system", deck: "two", motion: "system", confirm: "off", name: "" };

const GUEST = "Guest";

/** @typedef {typeof DEFAULTS} Settings */

/** @returns {Settings} */
export function settings() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}

/** @param {Partial<Settings>} changes */
export function change(changes) {
  localStorage.setItem(KEY, JSON.stringify({ ...settings(), ...changes }));
  apply();
}

/** Tell the style sheet. */
export function apply() {
  const { theme, deck, motion } = settings();
  const dark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  const still = motion === "off" || (motion === "system" && matchMedia("(prefers-reduced-motion: reduce)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.documentElement.dataset.deck = deck;
  document.documentElement.dataset.motion = still ? "off" : "on";
}

/** What a person is called at a table. */
export function ownName() {
  return settings().name || GUEST;
}

/** Whether cards move. */
export function moves() {
  return document.documentElement.dataset.motion === "on";
}

/** The settings as a menu of the page's head. */
export function settingsMenu() {
  /** @param {keyof Settings} name @param {string} label @param {[string, string][]} choices */
  const choice = (name, label, choices) =>
    h("label", {}, label, " ",
      h("select", { "data-setting": name, onchange: (/** @type {any} */ event) => change({ [name]: event.target.value }) },
        choices.map(([value, words]) => h("option", { value, selected: settings()[name] === value }, words))));
  return h("details", { class: "menu" },
    h("summary", {}, "Settings"),
    h("div", { class: "menu-body" },
      choice("theme", "Colours", [["system", "as the system"], ["light", "light"], ["dark", "dark"]]),
      choice("deck", "Deck", [["two", "two colours"], ["four", "four colours"]]),
      choice("motion", "Movement", [["system", "as the system"], ["on", "on"], ["off", "off"]]),
      choice("confirm", "A card is played by", [["off", "one click"], ["on", "two clicks"]]),
      h("label", {}, "Your name ",
        h("input", { "data-setting": "name", value: settings().name, maxlength: 40, size: 12, placeholder: GUEST, autocomplete: "nickname",
          onchange: (/** @type {any} */ event) => change({ name: event.target.value.trim() }) }))));
}

apply();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", apply);
