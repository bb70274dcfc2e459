import type { Money } from "./money.js";

/** Splits money into parts that add up to it; the first parts get the odd cents. */
export function split(money: Money, parts: number): Money[] {
  const each = Math.floor(money.cents / parts);
  const odd = money.cents - each * parts;
  return Array.from({ length: parts }, (_, place) => ({ cents: each + (place < odd ? 1 : 0), currency: money.currency }));
}
