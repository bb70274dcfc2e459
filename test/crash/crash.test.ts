import { expect, test } from "vitest";
import { PART, partOf } from "../support/part-of.ts";
import { listIsolations } from "../support/isolations.ts";
import { executable } from "../support/relais.ts";
import { everyPosition } from "./strike.ts";
import { strikeAll } from "./strike-all.ts";
import { strikeSample } from "./strike-sample.ts";

const PATIENCE_MS = 600_000;

test.each([
  ["accepted", "in_place"],
  ["rolled-back", "in_place"],
  ["accepted", "clone"],
  ...(await listIsolations()).filter((name) => name !== "in_place").map((name) => ["dirty", name] as const),
] as const)(
  "a tick that is %s, %s, can be killed anywhere and is recovered",
  (kind, isolation) => expect(strikeSample(kind, isolation)).resolves.toBeUndefined(),
  PATIENCE_MS,
);

test(
  "a patch can be killed while it is written, and nothing of it stays",
  async () => {
    const { crashes } = await strikeAll({
      executable,
      kind: "patched",
      isolation: "in_place",
      choose: (all) =>
        partOf(
          everyPosition(all)
            .filter(({ call }) => call.includes("/place/repo/src"))
            .filter(isThird),
          { kindOf: ({ when }) => when, oneIn: 60 },
        ),
    });
    expect(crashes.filter(({ failures }) => failures.length > 0)).toEqual([]);
    expect(crashes.filter(({ outcome }) => outcome === "reverted").length).toBeGreaterThan(PART === "sample" ? 1 : 3);
  },
  PATIENCE_MS,
);

function isThird(_position: unknown, index: number): boolean {
  return index % 3 === 1;
}
