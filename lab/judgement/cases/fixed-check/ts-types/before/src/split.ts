import type { Money } from "./money.js";

/** Splits money into parts that add up to it; the first parts get the odd cents. */
export function split(money: Money, parts: number): Money[] {
  const each = Math.floor(money.cents / parts);
  const shares = Array.from({ length: parts }, () => ({ ...money, cents: each }));
  shares[0].cent += money.cents - each * parts;
  return shares;
}
