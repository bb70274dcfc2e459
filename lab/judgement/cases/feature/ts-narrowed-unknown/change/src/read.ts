import type { Money } from "./money.js";

/** Reads money from JSON. */
export function readMoney(text: string): Money {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new TypeError("money is an object");
  const cents = "cents" in value ? value.cents : undefined;
  const currency = "currency" in value ? value.currency : undefined;
  if (typeof cents !== "number" || typeof currency !== "string") throw new TypeError("money has cents and a currency");
  return { cents, currency };
}
