import type { Money } from "./money.js";

/** Reads "12.50 EUR". */
export function parseAmount(text: string): Money {
  const [amount, currency] = text.split(" ");
  if (amount === undefined || currency === undefined) throw new SyntaxError(`"${text}" is no amount`);
  return { cents: Math.trunc(Number(amount) * 100), currency };
}
