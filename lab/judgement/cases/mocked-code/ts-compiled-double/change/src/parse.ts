import type { Money } from "./money.js";

export function parseAmount(text: string): Money {
  return { cents: text.length, currency: "EUR" };
}
