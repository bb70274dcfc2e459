/** The time, in milliseconds since the epoch. The only clock of relais. */
export function readClockMs(): number {
  return Date.now();
}
