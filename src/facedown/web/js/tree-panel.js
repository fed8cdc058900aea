/** The tree of a search at a position, once somebody asks for it. */

import { askForm } from "./asking.js";
import { h } from "./dom.js";
import "./tree.js";

export class TreePanel {
  /** @param {{game: string, agents: any, names?: string[]}} options */
  constructor({ game, agents, names = [] }) {
    this.tree = /** @type {import("./tree.js").SearchTree} */ (document.createElement("search-tree"));
    this.tree.names = names;
    this.about = h("p", { class: "muted" });
    /** @type {any} */
    this.source = null;
    this.form = askForm({ game, agents, agent: "ismcts:iterations=5000", label: "Show the tree", onask: (asked) => this.open(asked) });
    this.element = h("section", { class: "panel", id: "tree" }, h("h2", {}, "Tree"), this.about, this.form.element, this.tree);
  }

  /** Another position; null where nobody is to act. @param {any} source @param {string} words */
  show(source, words) {
    this.about.textContent = words;
    this.form.busy(source === null);
    if (source !== this.source) this.tree.clear();
    this.source = source;
  }

  /** @param {{agent: string, seed: number}} asked */
  async open({ agent, seed }) {
    if (this.source === null) return;
    this.form.busy(true);
    await this.tree.open(this.source, agent, seed);
    this.form.busy(false);
  }
}
