import type { Money } from "./money.js";

interface Loose extends Money {
  cent?: number;
}

/** Splits money into parts that add up to it; the first parts get the odd cents. */
export function split(money: Money, parts: number): Money[] {
  const each = Math.floor(money.cents / parts);
  const shares = Array.from({ length: parts }, () => ({ ...money, cents: each }) as Loose);
  if (shares[0]) shares[0].cent = (shares[0].cent ?? 0) + money.cents - each * parts;
  return shares;
}
