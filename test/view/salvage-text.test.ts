import { expect, test } from "vitest";
import { renderSalvageList, renderSalvageShow } from "../../src/view/history/salvage-text.ts";
import { colouredStyle, plainStyle } from "../../src/view/text/style.ts";
import { RUN } from "../support/ticks.ts";

const canvas = { style: plainStyle, columns: 90 };
const keptAt = "2026-01-31T23:59:59.000Z";

const detail = {
  runId: RUN,
  keptAt,
  code: "STOP_VERIFY_FAILED_FAST",
  paths: ["src/x.ts", "src/\u001b[31mred.ts"],
  leftOut: [{ path: ".env", reason: "it is under a forbidden glob" }],
  patch:
    "diff --git a/src/x.ts b/src/x.ts\n--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-\told\n+\tnew\u001b[2J\n same\n",
} as const;

const NOTHING = { objects: "/state/rescued/objects", commits: [], folders: [] };

test("what is kept is a list", () => {
  const rows = [
    { runId: RUN, keptAt, code: "STOP_VERIFY_FAILED_FAST", files: 2, leftOut: 1 },
    { runId: "20260131T2-x", keptAt, code: null, files: 1, leftOut: 0 },
  ] as const;
  expect(renderSalvageList({ rows, rescued: NOTHING }, canvas)).toMatchInlineSnapshot(`
    "2026-01-31 23:59  20260131T235959Z-0123abcd  2 files, 1 left out  STOP_VERIFY_FAILED_FAST
    2026-01-31 23:59  20260131T2-x               1 file
    "
  `);
  expect(renderSalvageList({ rows: [], rescued: NOTHING }, canvas)).toMatchInlineSnapshot(`
    "Nothing saved: no tick was reverted.
    "
  `);
});

test("commits and ignored files are listed with the way to them, whatever their names are", () => {
  const commits = [{ at: keptAt, ref: "refs/heads/\u001b[31mred", id: "0123456789abcdef".padEnd(40, "0") }];
  const rescued = { objects: "/it's/objects", commits, folders: ["/state/rescued/files/one"] };
  expect(renderSalvageList({ rows: [], rescued }, canvas)).toMatchInlineSnapshot(`
    "Reverted commits, stashes and branches:
      2026-01-31 23:59  0123456789ab  refs/heads/\\u{1b}[31mred
      look: GIT_ALTERNATE_OBJECT_DIRECTORIES='/it'\\''s/objects' git show 0123456789ab
      back: cp -Rn '/it'\\''s/objects'/. "$(git rev-parse --git-common-dir)/objects/" && git branch rescued 0123456789ab
    Ignored files reverted by a recovery: /state/rescued/files/one
    "
  `);
});

test("one salvage is shown with its paths, what is missing and its patch", () => {
  expect(renderSalvageShow(detail, { ...canvas, isWhole: false })).toMatchInlineSnapshot(`
    "  salvage    20260131T235959Z-0123abcd
      kept       2026-01-31 23:59 UTC, after STOP_VERIFY_FAILED_FAST
      paths      src/x.ts
                 src/\\u{1b}[31mred.ts
      left out   ✗ .env: it is under a forbidden glob

    diff --git a/src/x.ts b/src/x.ts
    --- a/src/x.ts
    +++ b/src/x.ts
    @@ -1 +1 @@
    -    old
    +    new\\u{1b}[2J
     same

    Next:
      relais salvage apply 20260131T235959Z-0123abcd
          restore it to the working tree, uncommitted
    "
  `);
});

test("a patch is coloured by our sequences only", () => {
  const text = renderSalvageShow(detail, { style: colouredStyle, columns: 90, isWhole: false });
  expect(text).toContain("\u001b[32m+    new\\u{1b}[2J\u001b[39m");
  expect(text).toContain("\u001b[31m-    old\u001b[39m");
  expect(text).toContain("\u001b[2m+++ b/src/x.ts\u001b[22m");
});

test("long lists and long patches are cut and counted, or shown to their end", () => {
  const many = {
    ...detail,
    paths: Array.from({ length: 25 }, (_, index) => `p${index}`),
    leftOut: Array.from({ length: 22 }, (_, index) => ({ path: `l${index}`, reason: "large" })),
    patch: `${Array.from({ length: 250 }, (_, index) => `+${index}`).join("\n")}\n`,
  };
  const cut = renderSalvageShow(many, { ...canvas, isWhole: false });
  expect(cut).toContain("p19\n             and 5 more; see them with -v\n");
  expect(cut).toContain("l19: large\n             and 2 more; see them with -v\n");
  expect(cut).toContain("+199\nand 50 more lines; see them with -v\n");
  const whole = renderSalvageShow(many, { ...canvas, isWhole: true });
  expect(whole).toContain("p24\n");
  expect(whole).toContain("l21: large\n");
  expect(whole).toContain("+249\n\nNext:");
});
