import fc from "fast-check";
import { expect, test } from "vitest";
import { drawBar } from "../../src/base/canvas.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { runs } from "../support/runs.ts";

const CELLS = "░▏▎▍▌▋▊▉█";
/** How much of its cells a bar fills, read back from its characters. */
const measureFilled = (bar: string) => Array.from(bar).reduce((sum, cell) => sum + CELLS.indexOf(cell) / 8, 0);

const amount = fc.double({ min: 0, max: 1e6, noNaN: true });
const cap = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
const cells = fc.integer({ min: 1, max: 40 });

test("a bar is as long as what is used, to an eighth of a cell, and full only at the end", () => {
  fc.assert(
    fc.property(amount, cap, cells, (used, most, width) => {
      const bar = drawBar(used, most, width);
      const share = Math.min(1, used / most);
      expect(measureDisplayWidth(bar)).toBe(width);
      expect(bar).toMatch(/^█*[▏▎▍▌▋▊▉]?░*$/u);
      expect(Math.abs(measureFilled(bar) - share * width)).toBeLessThanOrEqual(1 / 8);
      expect(measureFilled(bar) === width).toBe(share === 1);
    }),
    runs(1000),
  );
});

test("a cell is full only where more than half of it is used, and more use is never a shorter bar", () => {
  fc.assert(
    fc.property(amount, amount, cap, (one, other, most) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      expect(measureFilled(drawBar(less, most, 6))).toBeLessThanOrEqual(measureFilled(drawBar(more, most, 6)));
      const full = Array.from(drawBar(less, most, 6)).filter((cell) => cell === "█").length;
      expect(full).toBeLessThanOrEqual(Math.floor(Math.min(1, less / most) * 6 + 0.5));
    }),
    runs(1000),
  );
});

test.each([
  [1, 200, "░░░░░░"],
  [1, 6, "█░░░░░"],
  [3, 4, "████▌░"],
  [999, 1000, "█████▉"],
  [0, 0, "██████"],
])("%i of %i in six cells is %s", (used, most, bar) => {
  expect(drawBar(used, most, 6)).toBe(bar);
});
