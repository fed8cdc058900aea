/** Change what is in the page into what was drawn anew: what stays the same stays the same element, with its focus. */

const KEYS = ["key", "card", "shown", "action", "place", "seat"]; // data by which an element is known again
const OWN = new Set(["open"]); // attributes that belong to who looks

/**
 * @param {Element} host
 * @param {Iterable<Node | string>} drawn its new children
 */
export function morph(host, drawn) {
  const left = [...host.childNodes];
  let place = host.firstChild;
  for (const one of drawn) {
    const made = typeof one === "string" ? document.createTextNode(one) : one;
    const at = left.findIndex((old) => alike(old, made));
    const node = at < 0 ? made : changed(left.splice(at, 1)[0], made);
    if (node === place) place = place.nextSibling;
    else host.insertBefore(node, place);
  }
  for (const old of left) old.remove();
}

/** Whether one node can become the other. @param {Node} old @param {Node} made */
function alike(old, made) {
  return old.nodeName === made.nodeName && keyOf(old) === keyOf(made);
}

/** @param {Node} node @returns {string | null} */
function keyOf(node) {
  if (!(node instanceof HTMLElement)) return null;
  const name = KEYS.find((key) => node.dataset[key] !== undefined);
  return name ? `${name} ${node.dataset[name]}` : node.className.split(" ")[0];
}

/** @param {ChildNode} old @param {Node} made @returns {ChildNode} */
function changed(old, made) {
  if (!(old instanceof HTMLElement && made instanceof HTMLElement)) {
    if (old instanceof Text && old.data !== made.textContent) old.data = made.textContent ?? "";
    else if (!(old instanceof Text) && !old.isEqualNode(made)) old.replaceWith(made);
    return old.parentNode ? old : /** @type {ChildNode} */ (made);
  }
  for (const { name } of [...old.attributes]) if (!made.hasAttribute(name) && !OWN.has(name) && name !== "style") old.removeAttribute(name);
  for (const { name, value } of made.attributes) {
    if (name !== "style" && !OWN.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.style.cssText !== made.style.cssText) old.style.cssText = made.style.cssText;
  morph(old, [...made.childNodes]);
  return old;
}
