import { expect, test } from "vitest";
import { findFalseCitation } from "../../../src/checks/pure/citations.ts";

const FILES = new Map([
  ["src/main.ts", 12],
  ["a name with spaces.md", 3],
  ["notes - draft.md", 3],
]);
const reality = {
  linesOf: (path: string) => FILES.get(path) ?? null,
  runs: [{ template_id: "test", cmd: "npm", args: ["test"] }],
};

test.each([
  "file: src/main.ts",
  "File: ./src/main.ts:12",
  "file: `src/main.ts:3-9` - the loop ends",
  "file: a name with spaces.md:3",
  "file: notes - draft.md:2 - the end",
  "file: src/main.ts:3:14",
  "file: src/main.ts#L3-L12",
  "file: src/main.ts:12: the loop ends",
  "file: src/main.ts (all of it)",
  "command: test",
  "command: npm test (exit 0)",
  "command: `npm test` — green",
  "I read the whole of it.",
  "The file: there is none of that name",
])("%s is true, or cannot be looked up", (item) => {
  expect(findFalseCitation([item], reality)).toBeNull();
});

test.each([
  ["file: src/gone.ts", "`src/gone.ts`, which does not exist"],
  ["file: src/main.ts:13 - the loop ends", "line 13 of `src/main.ts`, which has 12"],
  ["file: src/main.ts:0", "line 0"],
  ["file: src/main.ts:3-13", "line 13 of `src/main.ts`"],
  ["file: src/main.ts#L13", "line 13 of `src/main.ts`"],
  ["file: src/gone.ts: the loop, at last", "`src/gone.ts`, which does not exist"],
  ["command: npm run deploy", "`npm run deploy`, which the runner did not run"],
])("%s is false", (item, words) => {
  expect(findFalseCitation(["file: src/main.ts", item], reality)).toContain(words);
});
