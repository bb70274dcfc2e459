import { expect, test } from "vitest";
import { findPatchTextProblem, findPatchTreeProblem } from "../../../src/judge/pure/patch-policy.ts";

test("a text that would not reach git as it is, is refused", () => {
  expect(findPatchTextProblem("diff --git a/x b/x\n+é 🎉\r\n")).toBeNull();
  expect(findPatchTextProblem("a\0b")).toMatchObject({ cause: "patch_has_nul" });
  expect(findPatchTextProblem("half \ud83c of a pair")).toMatchObject({ cause: "patch_not_text" });
});

const file = (size: number) => ({ mode: "100644", size });
const MIB = 1024 * 1024;

const MUCH = Array.from({ length: 17 }, () => ({ path: "a", before: file(2 * MIB), after: file(2 * MIB) }));
const made = (after: { mode: string; size: number | null }) => [{ path: "a", before: null, after }];

test.each<[string, Partial<Parameters<typeof findPatchTreeProblem>[0]>, string | null]>([
  ["nothing", {}, null],
  ["an edit", { changes: [{ path: "a", before: file(1), after: file(2) }] }, null],
  ["a mode", { modes: ["100644", "100755"] }, null],
  ["a link that goes", { changes: [{ path: "a", before: { mode: "120000" }, after: null }] }, "symlink"],
  ["a new link", { changes: made({ mode: "120000", size: 3 }), modes: ["120000"] }, "symlink"],
  ["a submodule", { changes: made({ mode: "160000", size: null }) }, "submodule"],
  ["a strange mode", { modes: ["104755"] }, "mode"],
  ["a large file", { changes: made(file(4 * MIB)) }, "too_large"],
  ["much in all", { changes: MUCH }, "too_large"],
])("a tree with %s", (_name, tree, cause) => {
  expect(findPatchTreeProblem({ changes: [], modes: [], ...tree })?.cause ?? null).toBe(cause);
});
