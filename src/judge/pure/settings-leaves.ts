/** What a settings file says, leaf by leaf, whatever it is written in. */

export interface Setting {
  /** From the outside in. A list adds nothing, so an entry has the keys of its list. */
  readonly keys: readonly string[];
  /** Null for what is empty. */
  readonly value: string | number | boolean | null;
  readonly at: number;
}

/** Null for a text that cannot be read: what it sets is unknown, and not nothing. */
export type ReadSettings = (text: string) => readonly Setting[] | null;

/** More than anybody writes. */
export const LEAVES_MAX = 20_000;
export const LEAVES_DEPTH_MAX = 100;

/** Counted from the inside out; an empty name where there are fewer. */
export function nameKey({ keys }: Pick<Setting, "keys">, fromEnd = 1): string {
  return keys.at(-fromEnd) ?? "";
}
