/** Which calls of a tick fail in a run that does not try all of them. */

/** The call without what differs from run to run: ids, hashes, moments and process numbers. */
export function nameCall(call: string): string {
  return call
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]+|relais-\d+-\d+-\w+/g, "*")
    .replaceAll(/(?<![a-z])[0-9a-f]{2}(?![a-z0-9])|[0-9a-f]{6,}/g, "*");
}

/**
 * The positions of so many calls, spread over the tick; null for all. A call that is made for many files alike, such as the
 * write of an object, is tried at its last file. Another turn takes others.
 */
export function choosePositions(calls: readonly string[], wanted: number | null, turn: number): readonly number[] {
  if (wanted === null) return calls.map((_, index) => index + 1);
  const last = new Map(calls.map((call, index) => [nameCall(call), index + 1]));
  const positions = [...last.values()].toSorted((one, other) => one - other);
  if (positions.length <= wanted) return positions;
  const step = positions.length / wanted;
  const share = (turn * 0.382) % 1; // Neighbouring turns are far from each other.
  return Array.from({ length: wanted }, (_, index) => positions[Math.floor((index + share) * step)] ?? 1);
}
