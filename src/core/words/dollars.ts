/** Dollars for a person: cents, or more digits where there is less than a cent. */
export function formatDollars(amount: number): string {
  return `$${amount > 0 && amount < 0.01 ? amount.toFixed(4) : amount.toFixed(2)}`;
}

/** Far finer than any price, so that no small amount is lost however often it is added. */
const PARTS = 1e12;

/** A sum of dollars without the dust of adding fractions. */
export function formatDollarSum(one: number, other: number): number {
  return Math.round((one + other) * PARTS) / PARTS;
}
