import type { Money } from "./money.js";

const AMOUNT = /^(?<euros>\d+)(?:\.(?<cents>\d{2}))? (?<currency>[A-Z]{3})$/;

/** Reads "12.50 EUR". */
export function parseAmount(text: string): Money {
  const groups = AMOUNT.exec(text)?.groups;
  if (groups === undefined) throw new SyntaxError(`"${text}" is no amount`);
  // The pattern has these groups, which the compiler cannot know.
  const { euros, cents = "0", currency } = groups as { euros: string; cents?: string; currency: string };
  return { cents: Number(euros) * 100 + Number(cents), currency };
}

/** The currency of the host, where it has one. */
export const usualCurrency = typeof hostCurrency === "string" ? hostCurrency : "EUR";
