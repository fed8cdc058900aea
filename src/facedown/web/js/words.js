/** Cards and actions in words. */

const RANKS = new Map(Object.entries({
  2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten",
  J: "jack", Q: "queen", K: "king", A: "ace",
}));
const SUITS = new Map(Object.entries({ C: "clubs", D: "diamonds", S: "spades", H: "hearts" }));
const SIGNS = new Map(Object.entries({ C: "♣", D: "♦", S: "♠", H: "♥" }));

/** @param {string} text */
export function isCard(text) {
  return text.length === 2 && RANKS.has(text[0]) && SUITS.has(text[1]);
}

/**
 * A card as it is spoken: `queen of spades`; what is no card of a usual deck stays as it is.
 * @param {string} text
 */
export function spoken(text) {
  return isCard(text) ? `${RANKS.get(text[0])} of ${SUITS.get(text[1])}` : text;
}

/**
 * A text with signs for suits, for the eye: `Q♠`, `2 Q: Q♥ 5♦`.
 * @param {string} text
 */
export function shown(text) {
  return text.replace(/\b([2-9TJQKA])([CDSH])\b/g, (_, rank, suit) => `${rank === "T" ? "10" : rank}${SIGNS.get(suit)}`);
}

/** Cards with one letter for each suit of which all are there. @param {any[]} cards */
export function wholeSuits(cards) {
  const whole = [...SUITS.keys()].filter((suit) => [...RANKS.keys()].every((rank) => cards.includes(rank + suit)));
  return [...whole, ...cards.filter((card) => !whole.includes(card[1]))];
}

/** @param {string} suit */
export function suitName(suit) {
  return SUITS.get(suit) ?? suit;
}

/** @param {string} suit */
export function suitSign(suit) {
  return SIGNS.get(suit) ?? suit;
}

/**
 * `1 card`, `3 cards`.
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
