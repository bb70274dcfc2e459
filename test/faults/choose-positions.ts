/** Which calls of a tick fail. */
import { spread } from "../support/spread.ts";

/**
 * The class of a call: its program, its name and its path without what differs from run to run or from file to file of one kind:
 * ids, hashes, moments, process numbers.
 */
export function nameCall(call: string): string {
  return call
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]+|relais-\d+-\d+-\w+|(?<=tmp_obj_|tmp_pack_|tmp_idx_)\w+/g, "*")
    .replaceAll(/(?<![a-z])[0-9a-f]{2}(?![a-z0-9])|[0-9a-f]{6,}/g, "*")
    .replaceAll(/\d+/g, "*");
}

/** The positions of one call of each class, the first one, in an order whose every beginning is spread over the tick. */
export function choosePositions(calls: readonly string[]): readonly number[] {
  const firsts = new Map<string, number>();
  for (const [index, call] of calls.entries()) {
    const name = nameCall(call);
    if (!firsts.has(name)) firsts.set(name, index + 1);
  }
  return spread([...firsts.values()]);
}
