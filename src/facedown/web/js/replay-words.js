/** How players of a game are called, and what is said about it. */

/** Each seat with its number, as outcomes name it, and its player. @param {string[]} names @returns {string[]} */
export function seatLabels(names) {
  return names.map((name, seat) => `seat ${seat} ${name}`);
}

/** Words as a sentence. @param {string} words */
export function sentence(words) {
  return words ? `${words[0].toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}` : "";
}
