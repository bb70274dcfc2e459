import type { Money } from "./money.js";

/** Reads money from JSON. */
export function readMoney(text: string): Money {
  const money = JSON.parse(text) as Money;
  if (money?.cents === undefined) throw new TypeError("money has cents");
  return money;
}
