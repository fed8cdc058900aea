/** Cards as drawings of our own, crisp at any size: usual playing cards, creatures and lands, and any other text. */

import { h, svg } from "./dom.js";
import { isCard, spoken } from "./words.js";

const WIDTH = 60;
const HEIGHT = 84;

// Each suit around the origin, about 20 high.
/** @type {Record<string, string>} */
const SUIT_PATHS = {
  C: "M0-9.5A4.2 4.2 0 0 1 3.3-2.6A4.2 4.2 0 1 1 1 4.6C1.1 7 1.8 8.7 3 9.5L-3 9.5C-1.8 8.7-1.1 7-1 4.6A4.2 4.2 0 1 1-3.3-2.6A4.2 4.2 0 0 1 0-9.5Z",
  D: "M0-9.5C2-6 4.5-3 7.2 0C4.5 3 2 6 0 9.5C-2 6-4.5 3-7.2 0C-4.5-3-2-6 0-9.5Z",
  S: "M0-9.5C3-5 9-2 9 3C9 6 6.8 7.5 4.6 7.5C2.8 7.5 1.4 6.6 .8 5.2C1 7.4 1.8 8.8 3 9.5L-3 9.5C-1.8 8.8-1 7.4-.8 5.2C-1.4 6.6-2.8 7.5-4.6 7.5C-6.8 7.5-9 6-9 3C-9-2-3-5 0-9.5Z",
  H: "M0 9C-4 4.5-9 1.5-9-3.5C-9-7-6.5-9-4.2-9C-2-9-.6-7.6 0-5.8C.6-7.6 2-9 4.2-9C6.5-9 9-7 9-3.5C9 1.5 4 4.5 0 9Z",
};
const [LEFT, MIDDLE, RIGHT] = [19, 30, 41];
const [TOP, BOTTOM] = [17, 67];

/** Where the pips of each rank lie: [x, y]; those in the lower half stand on their heads. @type {Record<string, number[][]>} */
const PIPS = {
  2: [[MIDDLE, TOP], [MIDDLE, BOTTOM]],
  3: [[MIDDLE, TOP], [MIDDLE, 42], [MIDDLE, BOTTOM]],
  4: [[LEFT, TOP], [RIGHT, TOP], [LEFT, BOTTOM], [RIGHT, BOTTOM]],
  5: [[LEFT, TOP], [RIGHT, TOP], [MIDDLE, 42], [LEFT, BOTTOM], [RIGHT, BOTTOM]],
  6: [[LEFT, TOP], [RIGHT, TOP], [LEFT, 42], [RIGHT, 42], [LEFT, BOTTOM], [RIGHT, BOTTOM]],
  7: [[LEFT, TOP], [RIGHT, TOP], [MIDDLE, 29.5], [LEFT, 42], [RIGHT, 42], [LEFT, BOTTOM], [RIGHT, BOTTOM]],
  8: [[LEFT, TOP], [RIGHT, TOP], [MIDDLE, 29.5], [LEFT, 42], [RIGHT, 42], [MIDDLE, 54.5], [LEFT, BOTTOM], [RIGHT, BOTTOM]],
  9: [[LEFT, TOP], [RIGHT, TOP], [LEFT, 33.7], [RIGHT, 33.7], [MIDDLE, 42], [LEFT, 50.3], [RIGHT, 50.3], [LEFT, BOTTOM], [RIGHT, BOTTOM]],
  T: [[LEFT, TOP], [RIGHT, TOP], [MIDDLE, 25.3], [LEFT, 33.7], [RIGHT, 33.7], [LEFT, 50.3], [RIGHT, 50.3], [MIDDLE, 58.7], [LEFT, BOTTOM], [RIGHT, BOTTOM]],
};

/** What a court card wears, above the middle. @type {Record<string, string>} */
const CROWNS = {
  J: "M20 30C20 22 40 22 40 30L40 33L20 33ZM38 26C42 20 46 20 47 15C42 15 38 19 36 24Z",
  Q: "M20 33L18 21L24.5 27L30 18L35.5 27L42 21L40 33ZM30 14.5A2 2 0 1 1 30 18.5A2 2 0 1 1 30 14.5Z",
  K: "M20 33L17 20L25 26L30 17L35 26L43 20L40 33ZM29 10L31 10L31 12.5L33.5 12.5L33.5 14.5L31 14.5L31 17L29 17L29 14.5L26.5 14.5L26.5 12.5L29 12.5Z",
};

/**
 * A card, face up: a drawing without a name; whoever shows it names it.
 * @param {string} text
 * @returns {SVGElement}
 */
export function cardFace(text) {
  const parts = isCard(text) ? playingCard(text) : (creature(text) ?? plainCard(text));
  const suit = isCard(text) ? text[1] : "none";
  return svg("svg", { class: "card-face", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "data-suit": suit, "aria-hidden": "true" },
    svg("rect", { class: "card-paper", x: 0.75, y: 0.75, width: WIDTH - 1.5, height: HEIGHT - 1.5, rx: 5 }), parts);
}

/** A card, face down. @returns {SVGElement} */
export function cardBack() {
  return svg("svg", { class: "card-face card-back", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    svg("rect", { class: "card-paper", x: 0.75, y: 0.75, width: WIDTH - 1.5, height: HEIGHT - 1.5, rx: 5 }),
    svg("rect", { class: "card-pattern", x: 5, y: 5, width: WIDTH - 10, height: HEIGHT - 10, rx: 3 }),
    svg("path", { class: "card-lines", d: backLines() }));
}

/** A card as a picture with its spoken name. @param {string} text @param {string} [more] added to the name */
export function cardPicture(text, more = "") {
  return h("span", { class: "card", role: "img", "aria-label": spoken(text) + more, "data-shown": text }, cardFace(text));
}

/** A card face down, as a picture. @param {string} [name] */
export function backPicture(name = "a card face down") {
  return h("span", { class: "card", role: "img", "aria-label": name }, cardBack());
}

/**
 * A card as a button.
 * @param {string} text
 * @param {{disabled?: boolean, pressed?: boolean | null, more?: string, onclick?: (event: Event) => void}} [options]
 * @returns {HTMLButtonElement}
 */
export function cardButton(text, { disabled = false, pressed = null, more = "", onclick } = {}) {
  return h("button", {
    class: "card", type: "button", "data-card": text, "aria-label": spoken(text) + more, disabled,
    "aria-pressed": pressed === null ? null : String(pressed), onclick,
  }, cardFace(text));
}

// --- Kinds of cards ---------------------------------------------------------------------------------------------------

/** @param {string} text */
function playingCard(text) {
  const [rank, suit] = text;
  return [corner(rank, suit, ""), corner(rank, suit, `rotate(180 ${WIDTH / 2} ${HEIGHT / 2})`), middle(rank, suit)];
}

/** @param {string} rank @param {string} suit @param {string} transform */
function corner(rank, suit, transform) {
  return svg("g", { transform },
    svg("text", { class: "card-rank", x: 7.5, y: 13, "text-anchor": "middle", textLength: rank === "T" ? 10 : null, lengthAdjust: "spacingAndGlyphs" }, rank === "T" ? "10" : rank),
    pip(suit, 7.5, 20, 0.42));
}

/** @param {string} rank @param {string} suit */
function middle(rank, suit) {
  if (rank === "A") return pip(suit, WIDTH / 2, HEIGHT / 2, 1.5);
  if (rank in CROWNS) return court(rank, suit);
  return svg("g", {}, PIPS[rank].map(([x, y]) => pip(suit, x, y, 0.62, y > HEIGHT / 2 + 1)));
}

/** @param {string} rank @param {string} suit */
function court(rank, suit) {
  const half = [
    svg("path", { class: "card-crown", d: CROWNS[rank], transform: "translate(12 6.5) scale(.6)" }),
    pip(suit, 18.8, 16, 0.3),
  ];
  return svg("g", {},
    svg("rect", { class: "card-frame", x: 14, y: 10, width: 32, height: 64, rx: 2.5 }),
    half,
    svg("g", { transform: `rotate(180 ${WIDTH / 2} ${HEIGHT / 2})` }, half.map((one) => one.cloneNode(true))),
    svg("text", { class: "card-letter", x: WIDTH / 2, y: 50, "text-anchor": "middle" }, rank));
}

/** @param {string} suit @param {number} x @param {number} y @param {number} scale @param {boolean} [turned] */
function pip(suit, x, y, scale, turned = false) {
  return svg("path", { class: "card-pip", d: SUIT_PATHS[suit], transform: `translate(${x} ${y}) scale(${turned ? -scale : scale})` });
}

/** @param {string} text */
function creature(text) {
  const found = /^(\d+)\/(\d+)(?: for (\d+))?(?: #(\d+))?$/.exec(text);
  if (!found) return null;
  const [, power, toughness, cost, number] = found;
  return [
    svg("rect", { class: "card-frame", x: 6, y: 20, width: 48, height: 30, rx: 2.5 }),
    svg("path", { class: "card-crown", d: "M12 47C16 32 22 26 30 26C38 26 44 32 48 47C42 42 37 41 30 41C23 41 18 42 12 47ZM24 32A2 2 0 1 0 24 36A2 2 0 1 0 24 32ZM36 32A2 2 0 1 0 36 36A2 2 0 1 0 36 32Z", "fill-rule": "evenodd" }),
    svg("text", { class: "card-strength", x: WIDTH / 2, y: 71, "text-anchor": "middle" }, `${power}/${toughness}`),
    cost && svg("circle", { class: "card-cost", cx: 49, cy: 11, r: 7.5 }),
    cost && svg("text", { class: "card-cost-text", x: 49, y: 14.6, "text-anchor": "middle" }, cost),
    number && svg("text", { class: "card-small", x: 6, y: 14 }, `#${number}`),
  ];
}

/** @param {string} text */
function plainCard(text) {
  if (text === "land") {
    return [
      svg("path", { class: "card-land", d: "M6 60L22 34L31 47L38 38L54 60Z" }),
      svg("circle", { class: "card-cost", cx: 43, cy: 25, r: 6 }),
      svg("text", { class: "card-small", x: WIDTH / 2, y: 75, "text-anchor": "middle" }, "land"),
    ];
  }
  const size = text.length <= 3 ? "card-strength" : "card-small";
  const fit = text.length > 9 ? { textLength: 52, lengthAdjust: "spacingAndGlyphs" } : {};
  return svg("text", { class: size, x: WIDTH / 2, y: 46, "text-anchor": "middle", ...fit }, text);
}

function backLines() {
  const lines = [];
  for (let at = -60; at < 60; at += 8) lines.push(line(at, 1), line(at, -1));
  return lines.join("");
}

/** A line of the back's pattern, clipped to its frame. @param {number} at @param {number} slope */
function line(at, slope) {
  const [left, right, top, bottom] = [7, WIDTH - 7, 7, HEIGHT - 7];
  const start = slope > 0 ? at : HEIGHT - at;
  const points = [];
  for (const x of [left, right]) {
    const y = start + slope * x;
    if (y >= top && y <= bottom) points.push([x, y]);
  }
  for (const y of [top, bottom]) {
    const x = slope * (y - start);
    if (x > left && x < right) points.push([x, y]);
  }
  return points.length < 2 ? "" : `M${points[0]}L${points[1]}`;
}
