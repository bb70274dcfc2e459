import { expect, test } from "vitest";
import { renderSalvageList, renderSalvageShow } from "../../src/cards/salvage-text.ts";
import { colouredStyle, plainStyle } from "../../src/base/style.ts";
import { keptFiles, keptWork } from "../support/kept-work.ts";

const canvas = { style: plainStyle, columns: 90 };
const keptAt = "2026-01-31T23:59:59.000Z";

const work = keptWork({
  files: keptFiles("src/x.ts", "src/\u001b[31mred.ts"),
  left_out: [{ path: ".env", reason: "forbidden" }],
});
const patch =
  "diff --git a/src/x.ts b/src/x.ts\n--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-\told\n+\tnew\u001b[2J\n same\n";

const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const NOTHING = { objects: "/state/rescued/objects", commits: [], folders: [] };

test("what is kept is a list", () => {
  const works = [
    keptWork({ files: keptFiles("a", "b"), left_out_total: 1 }),
    keptWork({ run_id: "20260131T2-x", files: keptFiles("a") }),
  ];
  expect(renderSalvageList({ works, rescued: NOTHING }, canvas)).toMatchInlineSnapshot(`
    "2026-01-31 23:59  20260131T235959Z-0123abcd  2 files, 1 left out  STOP_VERIFY_FAILED_FAST
    2026-01-31 23:59  20260131T2-x               1 file  STOP_VERIFY_FAILED_FAST
    "
  `);
  expect(renderSalvageList({ works: [], rescued: NOTHING }, canvas)).toMatchInlineSnapshot(`
    "Nothing saved: no tick was reverted.
    "
  `);
});

test("commits and ignored files are listed with the way to them, whatever their names are", () => {
  const commits = [{ at: keptAt, ref: "refs/heads/\u001b[31mred", id: "0123456789abcdef".padEnd(40, "0") }];
  const rescued = { objects: "/it's/objects", commits, folders: ["/state/rescued/files/one"] };
  expect(renderSalvageList({ works: [], rescued }, canvas)).toMatchInlineSnapshot(`
    "Reverted commits, stashes and branches:
      2026-01-31 23:59  0123456789ab  refs/heads/\\u{1b}[31mred
      look: GIT_ALTERNATE_OBJECT_DIRECTORIES='/it'\\''s/objects' git show 0123456789ab
      back: cp -Rn '/it'\\''s/objects'/. "$(git rev-parse --git-common-dir)/objects/" && git branch rescued 0123456789ab
    Ignored files reverted by a recovery: /state/rescued/files/one
    "
  `);
});

test("one salvage is shown with its paths, what is missing and its patch", () => {
  expect(renderSalvageShow(work, { ...canvas, patch, isWhole: false })).toMatchInlineSnapshot(`
    "  salvage    20260131T235959Z-0123abcd
      kept       2026-01-31 23:59 UTC, after STOP_VERIFY_FAILED_FAST
      paths      src/x.ts
                 src/\\u{1b}[31mred.ts
      left out   ✗ .env: forbidden

    diff --git a/src/x.ts b/src/x.ts
    --- a/src/x.ts
    +++ b/src/x.ts
    @@ -1 +1 @@
    -    old
    +    new\\u{1b}[2J
     same

    Next:
      relais land 20260131T235959Z-0123abcd
          judge it again and keep it; takes --allow and --new-files
      relais salvage apply 20260131T235959Z-0123abcd
          restore it to the working tree, not judged
    "
  `);
});

test("a patch is coloured by our sequences only", () => {
  const text = renderSalvageShow(work, { style: colouredStyle, columns: 90, patch, isWhole: false });
  expect(text).toContain("\u001b[32m+    new\\u{1b}[2J\u001b[39m");
  expect(text).toContain("\u001b[31m-    old\u001b[39m");
  expect(text).toContain("\u001b[2m+++ b/src/x.ts\u001b[22m");
});

test("long lists and long patches are cut and counted, or shown to their end", () => {
  const many = keptWork({
    files: keptFiles(...numbered(25, "p")),
    left_out: numbered(22, "l").map((path) => ({ path, reason: "size" })),
  });
  const long = `${numbered(250, "+").join("\n")}\n`;
  const cut = renderSalvageShow(many, { ...canvas, patch: long, isWhole: false });
  expect(cut).toContain("p19\n             and 5 more; see them with -v\n");
  expect(cut).toContain("l19: size\n             and 2 more; see them with -v\n");
  expect(cut).toContain("+199\nand 50 more lines; see them with -v\n");
  const whole = renderSalvageShow(many, { ...canvas, patch: long, isWhole: true });
  expect(whole).toContain("p24\n");
  expect(whole).toContain("l21: size\n");
  expect(whole).toContain("+249\n\nNext:");
});
