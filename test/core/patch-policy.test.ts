import { expect, test } from "vitest";
import { patchTextProblem, patchTreeProblem } from "../../src/core/patch-policy.ts";

test("a text that would not reach git as it is, is refused", () => {
  expect(patchTextProblem("diff --git a/x b/x\n+é 🎉\r\n")).toBeNull();
  expect(patchTextProblem("a\0b")).toMatchObject({ cause: "patch_has_nul" });
  expect(patchTextProblem("half \ud83c of a pair")).toMatchObject({ cause: "patch_not_text" });
});

const file = (size: number) => ({ mode: "100644", size });
const MIB = 1024 * 1024;

test.each([
  ["nothing", [], [], null],
  ["an edit", [{ path: "a", before: file(1), after: file(2) }], [], null],
  ["a mode", [], ["100644", "100755"], null],
  ["a link that goes", [{ path: "a", before: { mode: "120000" }, after: null }], [], "symlink"],
  ["a new link", [{ path: "a", before: null, after: { mode: "120000", size: 3 } }], ["120000"], "symlink"],
  ["a submodule", [{ path: "a", before: null, after: { mode: "160000", size: null } }], [], "submodule"],
  ["a strange mode", [], ["104755"], "mode"],
  ["a large file", [{ path: "a", before: null, after: file(4 * MIB) }], [], "too_large"],
  [
    "much in all",
    Array.from({ length: 17 }, () => ({ path: "a", before: file(2 * MIB), after: file(2 * MIB) })),
    [],
    "too_large",
  ],
])("a tree with %s", (_name, changes, modes, cause) => {
  expect(patchTreeProblem({ changes, modes })?.cause ?? null).toBe(cause);
});
