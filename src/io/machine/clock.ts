/** The time, in milliseconds since the epoch. The only clock of relais. */
export function currentTimeMs(): number {
  return Date.now();
}
