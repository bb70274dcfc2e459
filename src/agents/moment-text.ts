/** Beyond it an ISO time has more digits for its year, and no document takes it. */
const LAST_MOMENT_MS = Date.UTC(9999, 11, 31);

/** A moment that a service named, as an ISO time; null for an impossible one. */
export function readMoment(ms: number): string | null {
  return ms >= 0 && ms <= LAST_MOMENT_MS ? new Date(ms).toISOString() : null;
}
