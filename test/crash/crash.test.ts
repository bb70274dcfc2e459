import { expect, test } from "vitest";
import { PART, partOf } from "../support/part-of.ts";
import { executable } from "../support/relais.ts";
import { KINDS } from "./site.ts";
import { everyPosition, type Position, somePositions } from "./strike.ts";
import { strikeAll } from "./strike-all.ts";

const SPREAD = 4;
const THIRDS = 3;

/** The last position of every third of a tick is tried by `npm test`. */
function choose(calls: readonly string[]): readonly Position[] {
  const thirdOf = ({ at }: Position) => String(Math.ceil((THIRDS * at) / calls.length));
  const last = somePositions(calls, SPREAD).toSorted((one, other) => other.at - one.at);
  return partOf(last, { kindOf: thirdOf, oneIn: 60 });
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
      partOf(
        everyPosition(all)
          .filter(({ call }) => call.includes("/place/repo/src"))
          .filter(isThird),
        { kindOf: ({ when }) => when, oneIn: 60 },
      ),
  });
  expect(crashes.filter(({ failures }) => failures.length > 0)).toEqual([]);
  expect(crashes.filter(({ outcome }) => outcome === "put back").length).toBeGreaterThan(PART === "sample" ? 1 : 3);
}, 600_000);

function isThird(_position: unknown, index: number): boolean {
  return index % 3 === 1;
}
