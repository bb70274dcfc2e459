import type { Money } from "./money.js";

export type Rates = Readonly<Record<string, number>>;

/** Converts to another currency, rounded to whole cents. */
export function convert(money: Money, currency: string, rates: Rates): Money {
  const rate = rates[currency];
  if (rate === undefined) throw new RangeError(`there is no rate for ${currency}`);
  return { cents: Math.round(money.cents * rate), currency };
}
