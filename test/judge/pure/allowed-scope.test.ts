import { expect, test } from "vitest";
import { added, change, findingsOf, side } from "../../support/evidence.ts";

const folder = side({ type: "directory" });

const subjects = (...changes: Parameters<typeof findingsOf>[1]) =>
  findingsOf("allowed-scope", changes).map(({ subject }) => subject);

test("edits, deletions and additions outside the allowed globs are refused", () => {
  const outside = [change("docs/a"), change("docs/b", { after: null }), added("docs/c")];
  expect(subjects(change("src/a"), ...outside)).toEqual(["docs/a", "docs/b", "docs/c"]);
});

test("a file in the place of an allowed folder is outside, the folder itself is not", () => {
  expect(subjects(change("src"))).toEqual(["src"]);
  expect(subjects(change("src", { before: folder }))).toEqual(["src"]);
  expect(subjects(change("src", { before: folder, after: folder }))).toEqual([]);
  expect(subjects(added("docs", folder))).toEqual(["docs"]);
});

test("ignored files are another gate's business", () => {
  expect(subjects(change("docs/a", { standing: "ignored" }))).toEqual([]);
});

test("the rule lists what is allowed, cut where it is long", () => {
  const allowed_globs = ["a", "b", "c", "d", "e", "f", "g"];
  const [finding] = findingsOf("allowed-scope", [change("x")], { allowed_globs });
  expect(finding).toMatchObject({ code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", glob: null });
  expect(finding?.rule).toBe("Outside the allowed paths (`a`, `b`, `c`, `d`, `e` and 2 more).");
  expect(findingsOf("allowed-scope", [change("x")], { allowed_globs: [] })[0]?.rule).toBe("No path is allowed.");
});
