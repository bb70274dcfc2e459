import { readFileSync } from "node:fs";

const SYMBOLS = JSON.parse(readFileSync(new URL("./symbols.json", import.meta.url), "utf8"));

export function money(cents, currency = "EUR") {
  if (!Object.hasOwn(SYMBOLS, currency)) throw new RangeError(`there is no symbol for ${currency}`);
  const sign = cents < 0 ? "-" : "";
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${sign}${SYMBOLS[currency]}${Math.floor(Math.abs(cents) / 100)}.${rest}`;
}
