/** What all pages share: the head with its links, messages, and the parts of the address. */

import { fill, h } from "./dom.js";
import { settingsMenu } from "./settings.js";

/** @type {[string, string, string][]} */
const LINKS = [
  ["/", "Play", ""],
  ["/replay", "Replay", "replay"],
  ["/position", "Position", "position"],
  ["/advise", "Advisor", "advise"],
  ["/competitions", "Competitions", "competitions"],
  ["/runs", "Tournaments", "runs"],
];

/** The parts of the address: `/table/abc` has `table` and `abc`. */
export function addressParts() {
  return location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
}

/**
 * Set up a page; its main part.
 * @param {string} title
 * @returns {HTMLElement}
 */
export function startPage(title) {
  document.title = `${title} · facedown`;
  const here = addressParts()[0] ?? "";
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  const links = LINKS.map(([href, label, part]) => h("a", { href, "aria-current": part === here ? "page" : null }, label));
  document.body.prepend(
    h("a", { class: "skip", href: "#main" }, "To the content"),
    h("header", { class: "head" },
      h("a", { class: "brand", href: "/" }, h("img", { src: "/web/icon.svg", alt: "", width: 26, height: 26 }), "facedown"),
      h("nav", { "aria-label": "Pages" }, links),
      settingsMenu()));
  document.body.append(h("div", { id: "said", role: "status", "aria-live": "polite" }));
  return main;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;

/**
 * Tell a person something for some seconds; screen readers say it.
 * @param {string} words
 * @param {"note" | "error"} [kind]
 */
export function say(words, kind = "note") {
  const said = document.getElementById("said");
  if (!said) return;
  fill(said, h("p", { class: `toast ${kind}` }, words));
  clearTimeout(hiding);
  hiding = setTimeout(() => fill(said), kind === "error" ? 12000 : 5000);
}

/**
 * Tell of an error; what a page does with a promise that may fail: `load().catch(fail)`.
 * @param {any} error
 */
export function fail(error) {
  say(error?.message ?? String(error), "error");
}

/**
 * A number with its sign, as texts show a lead: +3.2, -0.4.
 * @param {number} value
 * @param {number} [digits]
 */
export function signed(value, digits = 1) {
  const text = Math.abs(value).toFixed(digits);
  return `${value < 0 && Number(text) !== 0 ? "−" : "+"}${text}`;
}
