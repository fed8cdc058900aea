/** Claims: cards of the hand laid face down under a rank that they need not have. */

import { zones } from "./board-zones.js";

/**
 * A button for each rank that may be named now; its action says which cards are laid: `2 Q: QH 5D`.
 * @param {import("./table-play.js").Play} play
 */
export function claimActions(play) {
  const offered = play.view ? zones(play.view.table, "choice") : [];
  const most = Math.max(...offered.map((zone) => zone.count ?? 0));
  const ranks = [...new Set(offered.map((zone) => String(zone.value)))];
  const cards = [...play.chosen];
  return ranks.map((rank) => {
    const text = `${cards.length} ${rank}: ${cards.join(" ")}`;
    const name = rank === "T" ? "10" : rank;
    const label = cards.length ? `Lay ${cards.length} as ${name}` : `Lay cards as ${name}`;
    return { action: text, label, primary: true, disabled: !cards.length || cards.length > most, onclick: () => play.send([text]) };
  });
}
