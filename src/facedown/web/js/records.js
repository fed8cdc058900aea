/** Records of games as texts: a record is sent on as it came, since its seeds have more digits than numbers here can hold. */

/** A record: its id in the store, or its own text. @typedef {number | string} RecordWish */

const KEPT = "facedown.record"; // a record that was dropped, for a reload

/**
 * The body of a request about a record.
 * @param {RecordWish} record
 * @param {Record<string, any>} [fields]
 * @returns {string}
 */
export function recordBody(record, fields = {}) {
  return withFields(`{"record":${record}}`, fields);
}

/**
 * A body with more fields.
 * @param {any} source an object, or the text of one
 * @param {Record<string, any>} fields
 */
export function withFields(source, fields) {
  if (typeof source !== "string") return { ...source, ...fields };
  const more = JSON.stringify(fields).slice(1, -1);
  return more ? `${source.slice(0, -1)},${more}}` : source;
}

/** @typedef {{text: string, game: string, players: string[], scores: number[], actions: number}} FoundRecord */

/**
 * The records in a text: one in each line, or a single one over several lines.
 * @param {string} text
 * @returns {FoundRecord[]}
 */
export function recordsIn(text) {
  const whole = parsed(text);
  if (whole) return [found(text.trim(), whole, "the record")];
  const lines = text.split("\n").map((line, index) => ({ line: line.trim(), number: index + 1 })).filter(({ line }) => line);
  if (!lines.length) throw new Error("expected records, one a line, got an empty text");
  return lines.map(({ line, number }) => {
    const told = parsed(line);
    if (!told) throw new Error(`expected a record in JSON in line ${number}, got ${JSON.stringify(line.slice(0, 40))}`);
    return found(line, told, `line ${number}`);
  });
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {string} text @param {any} told @param {string} place @returns {FoundRecord} */
function found(text, told, place) {
  if (typeof told?.game !== "string" || !Array.isArray(told.history)) throw new Error(`expected a record with a game and a history in ${place}, got something else`);
  return { text, game: told.game, players: told.agents ?? [], scores: told.scores ?? [], actions: told.history.length };
}

/** Remember a record that was dropped on a page, so that a reload shows it again. @param {string} text */
export function keepRecord(text) {
  try {
    sessionStorage.setItem(KEPT, text);
    return true;
  } catch {
    return false; // too long: a reload forgets it
  }
}

/** @returns {string | null} */
export function keptRecord() {
  return sessionStorage.getItem(KEPT);
}
