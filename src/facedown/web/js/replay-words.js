/** How players of a game are called. */

/** Each seat with its number, as outcomes name it, and its player. @param {string[]} names @returns {string[]} */
export function seatLabels(names) {
  return names.map((name, seat) => `seat ${seat} ${name}`);
}
