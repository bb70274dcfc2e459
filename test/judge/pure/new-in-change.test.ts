import { describe, expect, test } from "vitest";
import { listNew } from "../../../src/judge/pure/new-in-change.ts";

const news = (files: readonly (readonly [before: string, after: string])[]): readonly string[] =>
  listNew(
    files.map(([before, after]) => ({ before: before.split(""), after: after.split("") })),
    (item) => item.toLowerCase(),
  ).map((items) => items.join(""));

describe("what is new in a change", () => {
  test.for<readonly [string, readonly (readonly [string, string])[], readonly string[]]>([
    ["what was not there", [["a", "ab"]], ["b"]],
    ["one more of the same", [["a", "aa"]], ["a"]],
    ["nothing that changes its place", [["ab", "ba"]], [""]],
    [
      "nothing that moves to another file",
      [
        ["ab", "a"],
        ["c", "cb"],
      ],
      ["", ""],
    ],
    [
      "the second of two copies of one",
      [
        ["b", ""],
        ["", "b"],
        ["", "b"],
      ],
      ["", "", "b"],
    ],
    ["nothing that has the same name", [["A", "a"]], [""]],
    [
      "what a file keeps is not lost to another",
      [
        ["b", "b"],
        ["", "b"],
      ],
      ["", "b"],
    ],
  ])("%s", ([, files, expected]) => {
    expect(news(files)).toEqual(expected);
  });
});
