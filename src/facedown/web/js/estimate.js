/** A figure with its interval as text. */

/** @typedef {{value: number, low: number | null, high: number | null, count: number, unit: string, rate: boolean, p: number | null}} Estimate */

/** Decimals that show half an interval to two digits that mean something. @param {number} half */
function decimals(half) {
  return half > 0 ? Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(half)))) : 2;
}

/** @param {number | null} value @param {number} digits @param {number} [open] what a missing end is */
function end(value, digits, open = 1) {
  if (value === null) return open < 0 ? "−∞" : "+∞";
  const text = Math.abs(value).toFixed(digits);
  return `${value < 0 && Number(text) !== 0 ? "−" : "+"}${text}`;
}

/** A figure as reports write it: `+6.3 ± 2.3`, `66.7 % (46.8–82.0)`. @param {Estimate} estimate */
export function estimateText({ value, low, high, rate }) {
  if (rate && low !== null && high !== null) {
    const digits = Math.max(1, decimals(50 * (high - low)));
    const [middle, from, to] = [value, low, high].map((one) => (100 * one).toFixed(digits));
    return `${middle} % (${from}–${to})`;
  }
  if (low === null && high === null) return `${end(value, 2)} ± ∞`;
  const [down, up] = [low === null ? Infinity : value - low, high === null ? Infinity : high - value];
  const digits = decimals(Math.min(down, up));
  if (Math.abs(up - down) <= 1e-6 * up) return `${end(value, digits)} ± ${up.toFixed(digits)}`;
  return `${end(value, digits)} (${end(low, digits, -1)} to ${end(high, digits)})`;
}
