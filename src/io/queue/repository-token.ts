import { hashShortText } from "../machine/short-hash.ts";

const DIGITS = 16;

/** A short name for the name of a repository, in names on a server. */
export function makeToken(name: string): string {
  return hashShortText(name).slice(0, DIGITS);
}
