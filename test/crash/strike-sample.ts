/** Kills ticks of one kind at a sample of positions, and checks that each is recovered. */
import { expect } from "vitest";
import { PART, partOf } from "../support/part-of.ts";
import { executable } from "../support/relais.ts";
import { type Isolation, type Kind, revertedWith } from "./site.ts";
import { type Position, somePositions } from "./strike.ts";
import { strikeAll } from "./strike-all.ts";

const SPREAD = 4;
const THIRDS = 3;

/** The very end of a tick, after which its work is kept, and one position of every third of it are tried by `npm test`. */
function choose(calls: readonly string[]): readonly Position[] {
  const thirdOf = ({ at }: Position) => String(Math.ceil((THIRDS * at) / calls.length));
  const [end, ...others] = somePositions(calls, SPREAD).toSorted((one, other) => other.at - one.at);
  const part = partOf(others, { kindOf: thirdOf, oneIn: 60 });
  return end === undefined || PART === "rest" ? part : [end, ...part];
}

export async function strikeSample(kind: Kind, isolation: Isolation): Promise<void> {
  const { calls, crashes } = await strikeAll({ executable, kind, isolation, choose });
  expect(calls).toBeGreaterThan(200);
  expect(crashes.filter(({ failures }) => failures.length > 0)).toEqual([]);
  expect(crashes.filter(({ outcome }) => outcome === "reverted").length).toBeGreaterThan(0);
  const isKept = crashes.some(({ outcome }) => outcome === "kept");
  expect(isKept || PART === "rest").toBe(revertedWith(kind) === null || PART === "rest");
}
