/** `<search-tree>`: the tree of a search, opened level by level; the server keeps it and sends what is looked at. */

import { admin, ask } from "./admin-asking.js";
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { withFields } from "./records.js";
import { moreRow, treeHead, treeRow } from "./tree-rows.js";
import { RowWindow } from "./tree-window.js";
import { counted } from "./words.js";

/** @typedef {import("./measure.js").Measure} Measure */
/**
 * @typedef {object} TreeNode what the server tells of a node
 * @property {number} node
 * @property {string} text
 * @property {number | null} seat
 * @property {number} visits
 * @property {number | null} available
 * @property {number | null} mean
 * @property {number} share
 * @property {number} children
 * @property {boolean} [again]
 * @property {boolean} [on_line]
 */
/**
 * @typedef {object} Item a row of the tree: a node in its place, or what loads more of its children
 * @property {TreeNode} told
 * @property {Item | null} parent
 * @property {number} level
 * @property {number} place among its siblings, from 1
 * @property {Item[]} items loaded children
 * @property {number} more children that are not loaded yet
 * @property {boolean} open
 * @property {boolean} loading
 * @property {Item | null} twin where the same node is shown already
 * @property {Item | null} loads whose children it loads
 * @property {string} failure why its children could not be loaded
 * @property {HTMLElement | null} row
 * @property {() => HTMLElement} make
 */

const PAGE = 100; // children that are loaded at once
const RELATIVE = /^#\d+$/;

export class SearchTree extends HTMLElement {
  constructor() {
    super();
    /** How to read means; set it before `open` where the server does not tell. @type {Measure | null} */
    this.measure = null;
    /** Names of the seats. @type {string[]} */
    this.names = [];
    /** Where each node is shown first. @type {Map<number, Item>} */
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
      const told = await ask("/api/trees", withFields(source, { agent, seed }), token);
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
    if (!told.root.children) return fill(this, h("p", { class: "muted" }, "There was nothing to search: one action is legal, or the agent keeps no tree."));
    this.address = `/api/trees/${told.id}`;
    this.token = token;
    this.measure = told.measure ?? this.measure;
    this.first.clear();
    this.root = this.newItem({ ...told.root, on_line: true }, null, 1);
    const list = h("div", { role: "tree", class: "tree-list", "aria-label": `Tree of ${told.agent}`,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.onKey(event), onclick: (/** @type {MouseEvent} */ event) => this.onClick(event) });
    const frame = h("div", { class: "tree-scroll" }, list);
    this.note = h("p", { class: "muted", hidden: true }, "#14 is an action by its number among those that the search takes for alike: it stands for different cards in different worlds.");
    const kept = told.kept < told.nodes ? `, of which the ${told.kept} most visited are shown` : "";
    fill(this,
      h("p", { class: "muted" }, `${told.agent}: ${counted(told.iterations, "iteration")}, ${counted(told.nodes, "node")}${kept}. A star marks the expected line.`),
      this.note,
      h("div", { class: "row tree-tools" },
        h("button", { class: "small", type: "button", onclick: () => this.openLine() }, "Open the expected line"),
        h("button", { class: "small", type: "button", onclick: () => this.root && this.close(this.root) }, "Close all")),
      h("div", { class: "tree-frame" }, treeHead(this.measure), frame));
    /** @type {RowWindow<Item>} */
    this.window = new RowWindow(list, frame);
    this.window.splice(0, 0, [this.root]);
    this.window.focus(this.root, false);
    await this.expand(this.root);
  }

  // --- Items ---

  /** @param {TreeNode} told @param {Item | null} parent @param {number} place @returns {Item} */
  newItem(told, parent, place) {
    const twin = this.first.get(told.node) ?? null;
    /** @type {Item} */
    const item = { told, parent, level: parent ? parent.level + 1 : 1, place, items: [], more: told.children, open: false, loading: false, twin, loads: null, failure: "", row: null, make: () => HTMLElement.prototype };
    item.make = () => owned(treeRow(item, this.names, this.measure), item);
    if (!twin) this.first.set(told.node, item);
    return item;
  }

  /** What loads more children. @param {Item} parent @returns {Item} */
  newMore(parent) {
    /** @type {Item} */
    const item = { ...parent, parent, level: parent.level + 1, place: parent.items.length + 1, items: [], open: false, twin: null, loads: parent, row: null, make: () => HTMLElement.prototype };
    item.make = () => owned(moreRow(parent, PAGE), item);
    return item;
  }

  /** Show the children of an item. @param {Item} item */
  async expand(item) {
    if (item.open || item.twin || item.loads || !item.told.children || item.loading) return;
    if (!item.items.length) await this.load(item);
    if (!item.items.length || item.open) return;
    item.open = true;
    this.mark(item);
    const at = this.window?.entries.indexOf(item) ?? -1;
    if (at >= 0) this.window?.splice(at + 1, 0, this.below(item));
  }

  /** Load the next page of children. @param {Item} item */
  async load(item) {
    item.loading = true;
    this.mark(item);
    try {
      const told = await get(`${this.address}?node=${item.told.node}&start=${item.items.length}&limit=${PAGE}`, this.token ?? admin.token);
      for (const child of told.children) item.items.push(this.newItem(child, item, item.items.length + 1));
      item.more = told.more;
      item.failure = "";
      if (this.note?.hidden && told.children.some((/** @type {TreeNode} */ child) => RELATIVE.test(child.text))) this.note.hidden = false;
    } catch (error) {
      item.failure = /** @type {Error} */ (error).message;
    }
    item.loading = false;
    this.mark(item);
  }

  /** @param {Item} entry what loads more @param {Item} item whose children */
  async loadMore(entry, item) {
    const shown = item.items.length;
    if (item.loading) return;
    await this.load(item);
    const at = this.window?.entries.indexOf(entry) ?? -1;
    if (at < 0 || item.items.length === shown) return;
    const rows = this.below(item);
    this.window?.splice(at, 1, rows.slice(rows.indexOf(item.items[shown])));
    this.window?.focus(item.items[shown]);
  }

  /** All rows below an open item. @param {Item} item @returns {Item[]} */
  below(item) {
    const rows = item.items.flatMap((child) => (child.open ? [child, ...this.below(child)] : [child]));
    return item.more > 0 ? [...rows, this.newMore(item)] : rows;
  }

  /** @param {Item} item */
  close(item) {
    const { window } = this;
    if (!item.open || !window) return;
    const held = this.contains(document.activeElement);
    const at = window.entries.indexOf(item);
    let end = at + 1;
    while (end < window.entries.length && window.entries[end].level > item.level) end += 1;
    const lost = window.focused && window.entries.indexOf(window.focused) > at && window.entries.indexOf(window.focused) < end;
    item.open = false;
    this.mark(item);
    if (lost) window.focus(item, held);
    window.splice(at + 1, end - at - 1);
  }

  /** Show whether an item is open. @param {Item} item */
  mark(item) {
    if (!item.row || !item.told.children || item.twin) return;
    item.row.setAttribute("aria-expanded", String(item.open));
    item.row.toggleAttribute("data-loading", item.loading);
    if (item.failure) item.row.setAttribute("title", item.failure);
    item.row.classList.toggle("failed", Boolean(item.failure));
  }

  /** Open all items that lead to another, and go there. @param {Item} item */
  async reveal(item) {
    const above = [];
    for (let at = item.parent; at; at = at.parent) above.unshift(at);
    for (const one of above) await this.expand(one);
    this.window?.focus(item);
  }

  async openLine() {
    let item = this.root;
    while (item) {
      await this.reveal(item);
      await this.expand(item);
      const next = item.items.find((child) => child.told.on_line);
      if (!next) return;
      item = next.twin ?? next;
    }
  }

  // --- Keyboard and mouse ---

  /** @param {MouseEvent} event */
  onClick(event) {
    const row = /** @type {Element} */ (event.target).closest("[role=treeitem]");
    const item = /** @type {Item | undefined} */ (/** @type {any} */ (row)?.item);
    if (!item) return;
    this.window?.focus(item);
    this.act(item);
  }

  /** @param {Item} item */
  act(item) {
    if (item.loads) return this.loadMore(item, item.loads);
    if (item.twin) return this.reveal(item.twin);
    return item.open ? this.close(item) : this.expand(item);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { window } = this;
    const item = window?.focused;
    if (!window || !item || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = window.entries.indexOf(item);
    const go = (/** @type {Item | null | undefined} */ to) => to && window.focus(to);
    /** @type {Record<string, () => any>} */
    const keys = {
      ArrowDown: () => go(window.entries[at + 1]),
      ArrowUp: () => go(window.entries[at - 1]),
      ArrowRight: () => (item.open ? go(item.items[0]) : this.expand(item)),
      ArrowLeft: () => (item.open ? this.close(item) : go(item.parent)),
      Home: () => go(window.entries[0]),
      End: () => go(window.entries[window.entries.length - 1]),
      Enter: () => this.act(item),
      " ": () => this.act(item),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }
}

/** A row that knows its item. @param {any} row @param {Item} item @returns {HTMLElement} */
function owned(row, item) {
  row.item = item;
  return row;
}

customElements.define("search-tree", SearchTree);
