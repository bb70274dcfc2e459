import { expect, test } from "vitest";
import { readNodeTools } from "../../../src/workflows/pure/read-tree.ts";

test("a list is read, its absence limits nothing, and anything else is refused with the reason", () => {
  expect(readNodeTools(null)).toEqual({ kind: "tools", tools: null });
  expect(readNodeTools('{"allowed_tools": ["Read", "Bash(just *)"]}')).toEqual({
    kind: "tools",
    tools: ["Read", "Bash(just *)"],
  });
  for (const text of [
    "",
    "[]",
    '{"allowed_tools": []}',
    '{"allowed_tools": ["Read,Write"]}',
    '{"allowed_tools": ["--yolo"]}',
    '{"allowed": ["Read"]}',
  ])
    expect(readNodeTools(text)).toEqual({ kind: "invalid", problem: expect.stringMatching(/\w+/) });
});
