import { expect, test } from "vitest";
import { listPatchCopies } from "../../../src/evidence/pure/patched-manifest.ts";

test("copies and renames are read from the headers of a patch, quoted or not", () => {
  const patch = [
    "diff --git a/.env b/src/a.ts",
    "similarity index 90%",
    "copy from .env",
    "copy to src/a.ts",
    "--- a/.env",
    "+++ b/src/a.ts",
    "@@ -1 +1,3 @@",
    " copy from README.md",
    "+copy to src/none.ts",
    'rename from "caf\\303\\251 \\"1\\".key"',
    "rename to src/b.ts",
    "",
  ].join("\n");
  expect(listPatchCopies(patch)).toEqual([
    { from: ".env", to: "src/a.ts" },
    { from: 'caf\u00e9 "1".key', to: "src/b.ts" },
  ]);
});
