/** Dollars for a person: cents, or more digits where there is less than a cent. */
export function dollars(amount: number): string {
  return `$${amount > 0 && amount < 0.01 ? amount.toFixed(4) : amount.toFixed(2)}`;
}

const MICRO = 1_000_000;

/** A sum of dollars without the dust of adding fractions. */
export function sumOfDollars(one: number, other: number): number {
  return Math.round((one + other) * MICRO) / MICRO;
}
