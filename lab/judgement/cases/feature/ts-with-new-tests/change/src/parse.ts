import type { Money } from "./money.js";

const AMOUNT = /^(\d+)(?:\.(\d{2}))? ([A-Z]{3})$/;

/** Reads "12.50 EUR". */
export function parseAmount(text: string): Money {
  const [, euros, cents = "0", currency] = AMOUNT.exec(text) ?? [];
  if (euros === undefined || currency === undefined) throw new SyntaxError(`"${text}" is no amount`);
  return { cents: Number(euros) * 100 + Number(cents), currency };
}
