import { expect, test } from "vitest";
import { renderFrame } from "../../src/cards/frame.ts";
import type { LiveKeyState } from "../../src/cards/frame-line.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { plainStyle } from "../../src/base/style.ts";
import { building } from "../support/live.ts";

const KEYS: LiveKeyState = {
  hints: [
    ["p", "pause"],
    ["s", "stop"],
    ["d", "diff"],
    ["l", "log"],
    ["?", "help"],
  ],
  notice: null,
  isExplained: false,
};

const draw = (keys: LiveKeyState | null, columns = 80, rows = 24): readonly string[] => {
  const told = building();
  return renderFrame(told.model(), { columns, rows, now: told.now(), style: plainStyle, keys });
};

test("the keys stand in the last line, below a gap, and nothing else moves", () => {
  const without = draw(null);
  expect(draw(KEYS)).toEqual([...without, "", "p pause · s stop · d diff · l log · ? help"]);
});

test("a notice stands before the keys, and each key is explained in a line of its own", () => {
  expect(draw({ ...KEYS, notice: "pauses after this tick" }).at(-1)).toBe(
    "pauses after this tick   p pause · s stop · d diff · l log · ? help",
  );
  expect(draw({ ...KEYS, isExplained: true }).slice(-5)).toEqual([
    "p pause: end after this tick; the same command goes on later",
    "s stop now: the change is reverted and saved in salvage",
    "d the change so far",
    "l what the agents said and did so far",
    "? hide this help",
  ]);
});

test("where there is little room the last keys go first, and then all of them", () => {
  expect(draw(KEYS, 40).at(-1)).toBe("p pause · s stop · d diff · l log");
  expect(draw({ ...KEYS, isExplained: true }, 80, 10).at(-1)).toContain("p pause");
  expect(draw(KEYS, 80, 7).join("\n")).not.toContain("p pause");
  for (const columns of [20, 40, 60, 120])
    for (const rows of [1, 4, 8, 9, 12, 40]) {
      const lines = draw({ ...KEYS, notice: "press s again to stop and revert the change" }, columns, rows);
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.filter((line) => measureDisplayWidth(line) > columns)).toEqual([]);
    }
});
