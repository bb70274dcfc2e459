import fc from "fast-check";
import { expect, test } from "vitest";
import {
  measureBlastRadius,
  describeBlastRadius,
  isDirectoryOnly,
  isNewFile,
} from "../../../src/judge/pure/blast-radius.ts";
import { arbitraryChange } from "../../support/arbitrary-evidence.ts";
import { added, change, side } from "../../support/evidence.ts";

const directory = side({ type: "directory", mode: "0755" });

test("edits, deletions and new files count, ignored files and directories do not", () => {
  const radius = measureBlastRadius([
    change("src/edited", { lines_added: 2, lines_deleted: 1 }),
    change("src/gone", { after: null, lines_added: 0, lines_deleted: 7 }),
    added("src/new"),
    change("dist/out", { standing: "ignored", lines_added: 100 }),
    change("src/empty", { before: null, after: directory, lines_added: 0 }),
  ]);
  expect(radius).toEqual({
    files_touched: 3,
    lines_added: 3,
    lines_deleted: 8,
    new_files: 1,
    largest: { path: "src/gone", lines_added: 0, lines_deleted: 7 },
  });
  expect(measureBlastRadius([change("mode-only", { lines_added: 0, lines_deleted: 0 })])).not.toHaveProperty("largest");
  expect(describeBlastRadius(radius)).toBe("3 files, +3/-8, 1 new");
});

test("a file in place of a directory is new, a directory in place of a file is not", () => {
  expect(isNewFile(change("a", { before: directory }))).toBe(true);
  expect(isNewFile(change("a", { after: directory }))).toBe(false);
  expect(isDirectoryOnly(change("a", { after: directory }))).toBe(false);
  expect(isDirectoryOnly(change("a", { before: directory, after: directory }))).toBe(true);
});

test("the sums are those of a plain loop", () => {
  fc.assert(
    fc.property(fc.array(arbitraryChange), (changes) => {
      let [files, lines, created] = [0, 0, 0];
      for (const { standing, before, after, lines_added, lines_deleted } of changes) {
        if (standing === "ignored") continue;
        const was = before !== null && before.type !== "directory";
        const is = after !== null && after.type !== "directory";
        if (was || is) files += 1;
        if (!was && is) created += 1;
        lines += lines_added + lines_deleted;
      }
      const radius = measureBlastRadius(changes);
      expect(radius.files_touched).toBe(files);
      expect(radius.new_files).toBe(created);
      expect(radius.lines_added + radius.lines_deleted).toBe(lines);
    }),
  );
});
