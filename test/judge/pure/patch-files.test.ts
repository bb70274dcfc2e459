import { expect, test } from "vitest";
import { listPatchFiles, listPatchLines } from "../../../src/judge/pure/patch-files.ts";

const PATCH = String.raw`diff --git a/src/a b.ts b/src/a b.ts
index 1111111..2222222 100644
--- a/src/a b.ts	
+++ b/src/a b.ts	
@@ -1,3 +1,2 @@
 diff --git a/fake b/fake
--- a/fake
-@@ -9 +9 @@
+++ b/fake
\ No newline at end of file
diff --git "a/caf\303\251 \"q\"\t" "b/caf\303\251 \"q\"\t"
old mode 100644
new mode 100755
diff --git a/old b/new
similarity index 90%
rename from old
rename to new
diff --git a/bin b/bin
new file mode 100644
index 0000000..3333333
GIT binary patch
literal 3
Kc$xNkVrBpU00IE_

literal 0
HcmV?d00001

diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;

test("content that looks like a header is content, and names are read as git quotes them", () => {
  const lines = listPatchLines(PATCH);
  expect(lines.map(({ text }) => text).join("\n")).toBe(PATCH.trimEnd());
  const files = listPatchFiles(lines);
  expect(files.map(({ path, oldPath, status }) => [path, oldPath, status])).toEqual([
    ["src/a b.ts", null, "modified"],
    ['café "q"\t', null, "modified"],
    ["new", "old", "renamed"],
    ["bin", null, "added"],
    ["gone", null, "deleted"],
  ]);
  expect(files.map(({ added, deleted, isBinary }) => [added, deleted, isBinary])).toEqual([
    [1, 2, false],
    [0, 0, false],
    [0, 0, false],
    [0, 0, true],
    [0, 1, false],
  ]);
  expect(files[1]).toMatchObject({ oldMode: "100644", newMode: "100755" });
});

test("an empty patch has no lines and no files", () => {
  expect(listPatchLines("")).toEqual([]);
  expect(listPatchFiles([])).toEqual([]);
});
