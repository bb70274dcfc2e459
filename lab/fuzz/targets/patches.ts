import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FuzzTarget } from "../target.ts";
import { listPatchFiles, listPatchLines } from "../../../src/judge/pure/patch-files.ts";
import { makeDiffPage } from "../../../src/page/pure/diff-page.ts";

const FOLDERS = ["test/fixtures/patches/honest", "test/fixtures/patches/malicious"];
const BYTES_MAX = 8 * 1024;

/** Patches, as they are listed, shown in a terminal and drawn side by side. */
export const patches: FuzzTarget = {
  name: "patches",
  seeds: () =>
    FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => readFileSync(join(folder, name)))).filter(
      ({ length }) => length > 0 && length <= BYTES_MAX,
    ),
  words: [
    "diff --git a/x b/x\n",
    "@@ -1,2 +1,3 @@\n",
    "rename from ",
    "GIT binary patch\n",
    "new file mode 100755\n",
    "\\ No newline at end of file\n",
    '"a/\\303\\251"',
  ],
  check: (data) => {
    const text = data.toString("utf8");
    const lines = listPatchLines(text);
    assert(listPatchFiles(lines).length <= lines.length);
    const change = { runId: "r", state: "kept", leftOut: [] } as const;
    const page = makeDiffPage(change, text, []);
    assert.deepEqual(JSON.parse(JSON.stringify(page)), page);
  },
};
