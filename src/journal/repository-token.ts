import { hash } from "node:crypto";

const DIGITS = 16;

/** A short name for the name of a repository, in names on a server. */
export function makeToken(name: string): string {
  return hash("sha256", name).slice(0, DIGITS);
}
