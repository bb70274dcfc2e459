import { expect, test } from "vitest";
import { readTree } from "../../../src/workflows/pure/read-tree.ts";

const write = (title: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      version: 1,
      root: {
        id: "root",
        order: 1,
        title,
        goal: "All is there",
        acceptance: ["it works"],
        passes: false,
        attempts: 0,
        max_attempts: 3,
        children: [],
      },
    }),
  );

test("the same text is read once, and another one of the same length anew", () => {
  const first = readTree(write("one"));
  expect(first.kind).toBe("tree");
  expect(readTree(write("one"))).toBe(first);
  expect(readTree(write("two"))).toMatchObject({ tree: { root: { title: "two" } } });
  expect(readTree(write("one"))).toBe(first);
  readTree(write("six"));
  expect(readTree(Buffer.from("{"))).toMatchObject({ kind: "invalid" });
});
