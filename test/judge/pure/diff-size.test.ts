import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryChange } from "../../support/arbitrary-evidence.ts";
import { change, findingsOf } from "../../support/evidence.ts";

const one = change("src/a", { lines_added: 3, lines_deleted: 2, bytes_changed: 100 });

test("a change at its limits passes and one beyond them does not", () => {
  expect(findingsOf("diff-size", [one], { max_files_touched: 1, max_lines_changed: 5 })).toEqual([]);
  expect(findingsOf("diff-size", [one], { max_files_touched: 0, max_lines_changed: 4 })).toMatchObject([
    { code: "STOP_DIFF_TOO_LARGE", rule: "1 files changed; the limit is 0." },
    { code: "STOP_DIFF_TOO_LARGE", rule: "5 lines changed; the limit is 4." },
  ]);
});

test("one enormous line is too large", () => {
  const line = change("src/a", { lines_added: 1, bytes_changed: 700_000 });
  expect(findingsOf("diff-size", [line], { max_lines_changed: 400 })).toMatchObject([
    { rule: "700000 bytes changed; the limit is 400000." },
  ]);
});

test("without caps nothing is too large", () => {
  expect(findingsOf("diff-size", [change("src/a", { lines_added: 1e9, bytes_changed: 1e12 })])).toEqual([]);
});

test("the caps hold exactly as plain sums say", () => {
  const cap = fc.option(fc.nat({ max: 60 }), { nil: null });
  fc.assert(
    fc.property(fc.array(arbitraryChange, { maxLength: 6 }), cap, cap, (changes, filesMax, linesMax) => {
      const counted = changes.filter(({ standing }) => standing !== "ignored");
      const sum = (pick: (index: number) => number) => counted.reduce((total, _, index) => total + pick(index), 0);
      const files = counted.filter(({ before, after }) =>
        [before, after].some((entry) => entry !== null && entry.type !== "directory"),
      ).length;
      const lines = sum((index) => (counted[index]?.lines_added ?? 0) + (counted[index]?.lines_deleted ?? 0));
      const bytes = sum((index) => counted[index]?.bytes_changed ?? 0);
      const expected = [
        files > (filesMax ?? Infinity),
        lines > (linesMax ?? Infinity),
        bytes > (linesMax ?? Infinity) * 1000,
      ].filter(Boolean).length;
      const caps = { max_files_touched: filesMax, max_lines_changed: linesMax };
      expect(findingsOf("diff-size", changes, caps)).toHaveLength(expected);
    }),
  );
});
