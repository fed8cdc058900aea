/** `<search-tree>`: the tree of a search, opened level by level; the server keeps it and sends what is looked at. */

import { get, post } from "./api.js";
import { fill, h } from "./dom.js";
import { withFields } from "./records.js";
import { moreRow, treeHead, treeRow } from "./tree-rows.js";
import { counted } from "./words.js";

/** @typedef {import("./measure.js").Measure} Measure */
/**
 * @typedef {object} TreeNode what the server tells of a node
 * @property {number} node
 * @property {string} text
 * @property {number | null} seat
 * @property {number} visits
 * @property {number | null} available
 * @property {number} mean
 * @property {number} share
 * @property {number} children
 * @property {boolean} [again]
 * @property {boolean} [on_line]
 */
/**
 * @typedef {object} Item a row of the tree: a node in its place
 * @property {TreeNode} told
 * @property {Item | null} parent
 * @property {number} level
 * @property {Item[]} items loaded children
 * @property {number} more children that are not loaded yet
 * @property {boolean} open
 * @property {boolean} loading
 * @property {Item | null} twin where the same node is shown already
 * @property {number} place among its siblings, from 1
 * @property {HTMLElement} row
 * @property {HTMLElement | null} rest the row that loads more children
 */

const PAGE = 100; // children that are loaded at once

export class SearchTree extends HTMLElement {
  constructor() {
    super();
    /** How to read means; set it before `open` where it is known. @type {Measure | null} */
    this.measure = null;
    /** Names of the seats. @type {string[]} */
    this.names = [];
    /** @type {Map<number, Item>} */
    this.first = new Map();
    this.asked = 0;
  }

  /**
   * Search and show the tree.
   * @param {any} source of the view: see docs/server.md
   * @param {string} agent
   * @param {number} [seed]
   * @param {string | null} [token]
   */
  async open(source, agent, seed = 0, token = null) {
    const mine = (this.asked += 1);
    this.setAttribute("aria-busy", "true");
    fill(this, h("p", { class: "muted", role: "status" }, `${agent} is thinking …`));
    try {
      const told = await post("/api/trees", withFields(source, { agent, seed }), token);
      if (mine === this.asked) await this.show(told, token);
    } catch (error) {
      if (mine === this.asked) fill(this, h("p", { class: "error", role: "alert" }, /** @type {Error} */ (error).message));
    } finally {
      if (mine === this.asked) this.removeAttribute("aria-busy");
    }
  }

  /** Show nothing, for another position. */
  clear() {
    this.asked += 1;
    this.removeAttribute("aria-busy");
    fill(this);
  }

  /** @param {any} told @param {string | null} token */
  async show(told, token) {
    this.id_ = told.id;
    this.token = token;
    this.measure = told.measure ?? this.measure;
    this.first.clear();
    this.note = h("p", { class: "muted", hidden: true }, "#14: an action by its number among those that a search takes for alike. It stands for different cards in different worlds.");
    this.list = h("div", { role: "tree", class: "tree-list", "aria-label": `Tree of ${told.agent}`,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.onKey(event),
      onclick: (/** @type {MouseEvent} */ event) => this.onClick(event) });
    this.root = this.newItem({ share: 1, text: "", ...told.root, on_line: true }, null, 1);
    this.list.append(this.root.row);
    fill(this,
      h("p", { class: "muted" }, `${told.agent}: ${counted(told.iterations, "iteration")}, ${counted(told.nodes, "node")}${told.kept < told.nodes ? `, of which the ${told.kept} most visited are shown` : ""}.`),
      this.note,
      h("div", { class: "row tree-tools" },
        h("button", { class: "small", type: "button", onclick: () => this.openLine() }, "Open the expected line"),
        h("button", { class: "small", type: "button", onclick: () => this.root && this.close(this.root) }, "Close all")),
      h("div", { class: "tree-frame" }, treeHead(this.measure), this.list));
    this.setFocus(this.root, false);
    await this.expand(this.root);
  }

  // --- Items ---

  /** @param {TreeNode} told @param {Item | null} parent @param {number} place @returns {Item} */
  newItem(told, parent, place) {
    const twin = this.first.get(told.node) ?? null;
    /** @type {any} */
    const item = { told, parent, level: parent ? parent.level + 1 : 1, items: [], more: told.children, open: false, loading: false, twin, place, rest: null };
    item.row = treeRow(item, this.names, this.measure);
    item.row.item = item;
    if (!twin) this.first.set(told.node, item);
    return item;
  }

  /** Load and show the children of an item. @param {Item} item */
  async expand(item) {
    if (item.open || item.twin || !item.told.children || item.loading) return;
    if (!item.items.length) await this.load(item);
    if (!item.items.length) return;
    item.open = true;
    this.mark(item);
    item.row.after(...this.rowsBelow(item));
  }

  /** Load the next page of children. @param {Item} item */
  async load(item) {
    item.loading = true;
    this.mark(item);
    try {
      const told = await get(`/api/trees/${this.id_}?node=${item.told.node}&start=${item.items.length}&limit=${PAGE}`, this.token);
      for (const child of told.children) item.items.push(this.newItem(child, item, item.items.length + 1));
      item.more = told.more;
      if (this.note.hidden && told.children.some((/** @type {TreeNode} */ child) => /^#\d+$/.test(child.text))) this.note.hidden = false;
    } catch (error) {
      item.row.append(h("span", { class: "error" }, /** @type {Error} */ (error).message));
    }
    item.loading = false;
    this.mark(item);
  }

  /** @param {Item} item */
  async loadMore(item) {
    const rest = item.rest;
    const shown = item.items.length;
    if (!rest || item.loading) return;
    await this.load(item);
    if (item.items.length === shown) return;
    const rows = this.rowsBelow(item);
    const from = rows.indexOf(item.items[shown].row);
    rest.replaceWith(...rows.slice(from));
    this.setFocus(item.items[shown]);
  }

  /** All rows to show below an open item. @param {Item} item @returns {HTMLElement[]} */
  rowsBelow(item) {
    const rows = item.items.flatMap((child) => (child.open ? [child.row, ...this.rowsBelow(child)] : [child.row]));
    item.rest = item.more > 0 ? moreRow(item, PAGE) : null;
    if (item.rest) {
      /** @type {any} */ (item.rest).item = item;
      rows.push(item.rest);
    }
    return rows;
  }

  /** @param {Item} item */
  close(item) {
    if (!item.open) return;
    const focused = this.list.contains(document.activeElement);
    item.open = false;
    this.mark(item);
    while (item.row.nextElementSibling && levelOf(item.row.nextElementSibling) > item.level) item.row.nextElementSibling.remove();
    if (this.focused && !this.focused.isConnected) this.setFocus(item, focused);
  }

  /** @param {Item} item */
  mark(item) {
    if (!item.told.children || item.twin) return;
    item.row.setAttribute("aria-expanded", String(item.open));
    item.row.toggleAttribute("aria-busy", item.loading);
  }

  /** Open all items that lead to a node, and go there. @param {Item} item */
  async reveal(item) {
    const above = [];
    for (let at = item.parent; at; at = at.parent) above.unshift(at);
    for (const one of above) await this.expand(one);
    this.setFocus(item);
  }

  async openLine() {
    let item = this.root;
    while (item) {
      await this.expand(item);
      const next = item.items.find((child) => child.told.on_line);
      if (!next) break;
      item = next.twin ?? next;
    }
    if (item) this.setFocus(item);
  }

  // --- Keyboard and mouse ---

  /** @param {Item | HTMLElement} target @param {boolean} [move] whether the focus goes there */
  setFocus(target, move = true) {
    const row = target instanceof HTMLElement ? target : target.row;
    this.focused?.setAttribute("tabindex", "-1");
    row.setAttribute("tabindex", "0");
    this.focused = row;
    if (move) row.focus();
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const row = /** @type {any} */ (/** @type {Element} */ (event.target).closest("[role=treeitem]"));
    if (!row) return;
    this.setFocus(row);
    this.act(row);
  }

  /** @param {any} row */
  act(row) {
    const item = /** @type {Item} */ (row.item);
    if (row === item.rest) return this.loadMore(item);
    if (item.twin) return this.reveal(item.twin);
    return item.open ? this.close(item) : this.expand(item);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const row = /** @type {any} */ (this.focused);
    if (!row || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const item = /** @type {Item} */ (row.item);
    const isRest = row === item.rest;
    /** @type {Record<string, () => any>} */
    const keys = {
      ArrowDown: () => row.nextElementSibling && this.setFocus(row.nextElementSibling),
      ArrowUp: () => row.previousElementSibling && this.setFocus(row.previousElementSibling),
      ArrowRight: () => (isRest || item.twin ? null : item.open ? this.setFocus(item.items[0]) : this.expand(item)),
      ArrowLeft: () => (isRest ? this.setFocus(item) : item.open ? this.close(item) : item.parent && this.setFocus(item.parent)),
      Home: () => this.root && this.setFocus(this.root),
      End: () => this.list.lastElementChild && this.setFocus(this.list.lastElementChild),
      Enter: () => this.act(row),
      " ": () => this.act(row),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }
}

/** @param {Element} row */
function levelOf(row) {
  return Number(row.getAttribute("aria-level"));
}

customElements.define("search-tree", SearchTree);
