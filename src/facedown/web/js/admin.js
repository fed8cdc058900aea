/** The administrator's token, which a server that can be reached from elsewhere wants for what costs it something. */

import { h } from "./dom.js";

const KEPT = "facedown.admin"; // until the browser is closed

/** A field for the token, hidden until a server has asked for it. */
export class AdminField {
  /** @param {() => void} [onchange] */
  constructor(onchange) {
    this.input = h("input", { type: "password", name: "token", autocomplete: "off", value: sessionStorage.getItem(KEPT) ?? "", onchange });
    this.element = h("label", { class: "field", hidden: true }, h("span", {}, "The administrator’s token"), this.input,
      h("small", {}, "This server can be reached from elsewhere. It printed the token when it started."));
  }

  /** @returns {string | null} */
  get token() {
    return this.input.value || null;
  }

  /** The server took it. */
  keep() {
    if (this.input.value) sessionStorage.setItem(KEPT, this.input.value);
  }

  /** Whether an error is that the token is missing or wrong; the field is shown then. @param {any} error */
  wanted(error) {
    const wanted = error.status === 401 || error.code === "forbidden";
    if (wanted) this.element.hidden = false;
    return wanted;
  }
}
