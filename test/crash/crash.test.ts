import { expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { KINDS } from "./site.ts";
import { everyPosition, somePositions } from "./strike.ts";
import { strikeAll } from "./strike-all.ts";

const SPREAD = 4;

test.each(KINDS)(
  "a tick that is %s can be killed anywhere and is recovered",
  async (kind) => {
    const { calls, crashes } = await strikeAll({
      executable,
      kind,
      choose: (all) => somePositions(all, SPREAD),
    });
    expect(calls).toBeGreaterThan(200);
    expect(crashes.filter(({ failures }) => failures.length > 0)).toEqual([]);
    expect(crashes.filter(({ outcome }) => outcome === "put back").length).toBeGreaterThan(10);
    expect(crashes.some(({ outcome }) => outcome === "kept")).toBe(kind !== "rolled-back");
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
