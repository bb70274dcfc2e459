import { describe, expect, test } from "vitest";
import { writeFixContract, listUntracedPaths } from "../../../src/workflows/pure/campaign-tick-end.ts";

test("issues are numbered by their weight, with a hint that binds nobody and the rule of traceability", () => {
  const text = writeFixContract(
    [
      { criterion: "US-001 AC1", severity: "minor", description: "a typo", fix_hint: null },
      {
        criterion: "US-002 AC3",
        severity: "critical",
        description: "it crashes",
        fix_hint: "check for zero",
      },
      { criterion: "US-001 AC2", severity: "major", description: "no test", fix_hint: null },
      { criterion: "US-002 AC1", severity: "major", description: "another", fix_hint: null },
    ],
    7,
  );
  expect(text).toMatchInlineSnapshot(`
    "Fix what the verification of iteration 7 found:

    1. [critical] US-002 AC3: it crashes - fix_hint: (suggestion, non-authoritative) check for zero
    2. [major] US-001 AC2: no test
    3. [major] US-002 AC1: another
    4. [minor] US-001 AC1: a typo

    Traceability: change only what resolves one of these issues. \`changes\` of your claim names, for each path that you changed, the number of the issue that it is for."
  `);
});

const change = (path: string, issue: number) => ({ path, issue });

describe("a change that is for no listed issue", () => {
  test.each([
    ["nothing to fix", 0, [], ["a"], []],
    ["all traced", 2, [change("a", 1), change("b", 2)], ["a", "b"], []],
    ["one issue, two paths", 1, [change("a", 1), change("b", 1)], ["a", "b"], []],
    ["one is not named", 2, [change("a", 1)], ["a", "b"], ["b"]],
    ["an issue that is not listed", 1, [change("a", 2)], ["a"], ["a"]],
    ["nothing named", 1, [], ["a", "b"], ["a", "b"]],
    ["more named than changed", 1, [change("a", 1), change("z", 1)], ["a"], []],
    ["nothing changed", 1, [], [], []],
  ] as const)("%s", (...row) => {
    const [, issues, changes, touched, expected] = row;
    expect(listUntracedPaths(issues, [...changes], touched)).toEqual(expected);
  });
});
