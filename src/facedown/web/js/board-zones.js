/** The table as data (docs/table.md): its zones found, and what it is after a card that is laid. */

import { isCard } from "./words.js";

/**
 * @typedef {{seat: number, count: number, rank: string, label: string, cards?: string[], lie?: boolean}} Claim
 * @typedef {{kind: string, label?: string, seat?: number, cards?: string[], count?: number, value?: any, seats?: number[], notes?: string[], number?: number, claims?: Claim[]}} Zone
 * @typedef {{version: number, seat: number | null, to_move: number | null, deal: number, turn: number | null, question: string | null, choose?: number | null, sides: number[], zones: Zone[]}} Table
 * @typedef {{cards: string[], seats: number[], taker: number | null}} Trick
 */

/**
 * The zones of a kind: of a seat, of nobody (null), or all.
 * @param {Table} table @param {string} kind @param {number | null} [seat]
 * @returns {Zone[]}
 */
export function zones(table, kind, seat) {
  const found = table.zones.filter((zone) => zone.kind === kind);
  return seat === undefined ? found : found.filter((zone) => (zone.seat ?? null) === seat);
}

/**
 * The first zone of a kind, if there is one.
 * @param {Table} table @param {string} kind @param {number | null} [seat]
 * @returns {Zone | undefined}
 */
export function firstZone(table, kind, seat) {
  return zones(table, kind, seat)[0];
}

/** @param {Table} table @param {number | null} seat @returns {string[]} the cards of a hand that can be seen */
export function handOf(table, seat) {
  return (seat === null ? undefined : firstZone(table, "hand", seat))?.cards ?? [];
}

/** The other seats as they sit: the next to move first. @param {Table} table @param {number} bottom */
export function othersOf(table, bottom) {
  const count = table.sides.length;
  return Array.from({ length: count - 1 }, (_, step) => (bottom + step + 1) % count);
}

/** Whether a card of the hand goes into the trick when it is played. @param {Table} table @param {string} text */
export function goesToTrick(table, text) {
  return Boolean(firstZone(table, "trick")) && !table.choose && handOf(table, table.to_move).includes(text);
}

/**
 * The table with a card laid to the trick, before the trick is taken up; the table itself where there is none.
 * @param {Table} table @param {number} seat @param {string} card
 * @returns {Table}
 */
export function laid(table, seat, card) {
  if (!firstZone(table, "trick")) return table;
  /** @param {Zone} zone */
  const changed = (zone) => {
    if (zone.kind === "trick") {
      return { ...zone, cards: [...(zone.cards ?? []), card], seats: [...(zone.seats ?? []), seat], count: (zone.count ?? 0) + 1 };
    }
    if (zone.kind !== "hand" || zone.seat !== seat) return zone;
    const cards = zone.cards && without(zone.cards, card);
    return { ...zone, ...(cards ? { cards } : {}), count: Math.max(0, (zone.count ?? 1) - 1) };
  };
  return { ...table, to_move: null, zones: table.zones.map(changed) };
}

/** @param {string[]} cards @param {string} card */
function without(cards, card) {
  const place = cards.indexOf(card);
  return place < 0 ? cards : cards.toSpliced(place, 1);
}

/**
 * The trick that an action has finished: between the tables before and after it; null if it finished none.
 * @param {Table} before @param {{seat: number, action: string} | null} played @param {Table} after
 * @returns {Trick | null}
 */
export function finishedTrick(before, played, after) {
  const [was, is] = [firstZone(before, "trick"), firstZone(after, "trick")];
  if (!was || !is || !played || before.choose || is.cards?.length || !was.cards?.length) return null;
  const sameDeal = before.deal === after.deal;
  return {
    cards: [...was.cards, played.action],
    seats: [...(was.seats ?? []), played.seat],
    taker: sameDeal ? (is.seat ?? null) : null,
  };
}

/**
 * The last trick that was taken, found in the history; null before the first of a deal, and where cards are not all there is.
 * @param {Table} table @param {[number, string][]} history
 * @returns {Trick | null}
 */
export function lastTrick(table, history) {
  const trick = firstZone(table, "trick");
  if (!trick || !(Number(trick.number) > 1)) return null;
  const end = history.length - (trick.cards?.length ?? 0);
  const plays = history.slice(Math.max(0, end - table.sides.length), end);
  const seats = plays.map(([seat]) => seat);
  if (new Set(seats).size !== table.sides.length || !plays.every(([, text]) => isCard(text))) return null;
  return { cards: plays.map(([, text]) => text), seats, taker: trick.seat ?? null };
}

/**
 * What an action has brought to light: a pile of claims is taken up, and everybody sees its cards; null where nothing was.
 * @param {Table} before @param {Table} after
 * @returns {{taker: number, claimed: Claim, cards: string[]} | null}
 */
export function revealedPile(before, after) {
  const [was, is] = [firstZone(before, "claims"), firstZone(after, "claims")];
  const claimed = was?.claims?.at(-1);
  if (!claimed || is?.claims?.length) return null;
  const grown = before.sides.map((_, seat) => (firstZone(after, "hand", seat)?.count ?? 0) - (firstZone(before, "hand", seat)?.count ?? 0));
  const taker = grown.findIndex((more) => more > 0);
  if (taker < 0) return null;
  const had = zones(before, "known", taker).flatMap((zone) => zone.cards ?? []);
  const cards = zones(after, "known", taker).flatMap((zone) => zone.cards ?? []).filter((card) => !had.includes(card));
  return { taker, claimed, cards };
}
