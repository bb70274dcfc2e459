/**
 * The part of a long table that is run. `npm test` takes a sample, drawn by the seed of the landing: one entry of every
 * kind, and one in so many of the others. `RELAIS_TABLES=rest` takes exactly those that the sample leaves out, and
 * `RELAIS_TABLES=all` every entry.
 */
import { draw, drawOfEach } from "./landing-seed.ts";

export const PART = process.env["RELAIS_TABLES"] ?? "sample";
if (!["sample", "rest", "all"].includes(PART)) throw new Error(`RELAIS_TABLES is ${PART}`);

interface Sampling<T> {
  /** Of every kind, one entry at least is in the sample. */
  readonly kindOf: (entry: T) => string;
  /** Of the entries whose kind is there already, one in this many is in the sample as well. */
  readonly oneIn: number;
}

export function partOf<T>(table: readonly T[], sampling: Sampling<T>, part = PART): readonly T[] {
  if (part === "all") return table;
  const sample = sampleOf(table, sampling);
  return table.filter((entry) => sample.has(entry) === (part === "sample"));
}

function sampleOf<T>(table: readonly T[], { kindOf, oneIn }: Sampling<T>): ReadonlySet<T> {
  const firsts = new Set(drawOfEach(table, { kindOf, count: 1, topic: "kinds" }));
  const others = table.filter((entry) => !firsts.has(entry));
  return new Set([...firsts, ...draw(others, Math.floor(others.length / oneIn), "others")]);
}
