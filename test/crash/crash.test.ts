import { expect, test } from "vitest";
import { PART, partOf } from "../support/part-of.ts";
import { executable } from "../support/relais.ts";
import { KINDS } from "./site.ts";
import { everyPosition, type Position, somePositions } from "./strike.ts";
import { strikeAll } from "./strike-all.ts";

const SPREAD = 4;
const QUARTERS = 4;

/** The last position of every quarter of a tick, and some of the others, are tried by `npm test`. */
function choose(calls: readonly string[]): readonly Position[] {
  const quarterOf = ({ at }: Position) => String(Math.ceil((QUARTERS * at) / calls.length));
  const last = somePositions(calls, SPREAD).toSorted((one, other) => other.at - one.at);
  return partOf(last, { kindOf: quarterOf, oneIn: 12 });
}

test.each(KINDS)(
  "a tick that is %s can be killed anywhere and is recovered",
  async (kind) => {
    const { calls, crashes } = await strikeAll({
      executable,
      kind,
      choose,
    });
    expect(calls).toBeGreaterThan(200);
    expect(crashes.filter(({ failures }) => failures.length > 0)).toEqual([]);
    expect(crashes.filter(({ outcome }) => outcome === "put back").length).toBeGreaterThan(1);
    // The very end of a tick, after which its work is kept, is in the sample.
    const isKept = crashes.some(({ outcome }) => outcome === "kept");
    expect(isKept || PART === "rest").toBe(kind !== "rolled-back" || PART === "rest");
  },
  600_000,
);

test("a patch can be killed while it is written, and nothing of it stays", async () => {
  const { crashes } = await strikeAll({
    executable,
    kind: "patched",
    choose: (all) =>
      everyPosition(all)
        .filter(({ call }) => call.includes("/place/repo/src"))
        .filter(isThird),
  });
  expect(crashes.filter(({ failures }) => failures.length > 0)).toEqual([]);
  expect(crashes.filter(({ outcome }) => outcome === "put back").length).toBeGreaterThan(5);
}, 600_000);

function isThird(_position: unknown, index: number): boolean {
  return index % 3 === 1;
}
