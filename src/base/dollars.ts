/** In cents, or with more digits below one cent. */
export function formatDollars(amount: number): string {
  return `$${amount > 0 && amount < 0.01 ? amount.toFixed(4) : amount.toFixed(2)}`;
}

/** Far finer than any price, so that no small amount is lost. */
const PARTS = 1e12;

/** Without the rounding errors of fractions. */
export function formatDollarSum(one: number, other: number): number {
  return Math.round((one + other) * PARTS) / PARTS;
}
