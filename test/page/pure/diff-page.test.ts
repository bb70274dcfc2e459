import fc from "fast-check";
import { expect, test } from "vitest";
import { listPatchLines } from "../../../src/judge/pure/patch-files.ts";
import { alignRows, makeDiffPage } from "../../../src/page/pure/diff-page.ts";
import type { DiffFile } from "../../../src/page/pure/page-documents.ts";
import { runs } from "../../support/runs.ts";

const change = { runId: "r", state: "kept", leftOut: [] } as const;

/** A patch of one file with these lines, each with its sign. */
function makePatch(path: string, lines: readonly string[]): string {
  const before = lines.filter((line) => !line.startsWith("+")).length;
  const after = lines.filter((line) => !line.startsWith("-")).length;
  const head = [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`];
  return `${[...head, `@@ -1,${before} +1,${after} @@`, ...lines].join("\n")}\n`;
}

const texts = fc.array(
  fc.tuple(fc.constantFrom(" ", "+", "-"), fc.stringMatching(/^[ -~]{0,12}$/)).map(([sign, text]) => `${sign}${text}`),
  { minLength: 1, maxLength: 40 },
);

test("both sides have exactly the lines of the patch, with their numbers", () => {
  fc.assert(
    fc.property(texts, (lines) => {
      const rows = alignRows(listPatchLines(makePatch("a.ts", lines)));
      const sides = (side: "left" | "right") =>
        rows.flatMap((row) => (row.kind === "lines" && row[side] !== null ? [row[side]] : []));
      const wanted = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
      expect(sides("left").map(({ text }) => text)).toEqual(wanted("+"));
      expect(sides("right").map(({ text }) => text)).toEqual(wanted("-"));
      for (const side of ["left", "right"] as const)
        expect(sides(side).map(({ number }) => number)).toEqual(sides(side).map((_, index) => index + 1));
    }),
    runs(200),
  );
});

test("the riskiest file comes first, with its findings", () => {
  const patch = [
    makePatch(
      "src/large.ts",
      Array.from({ length: 300 }, (_, index) => `+line ${index}`),
    ),
    makePatch("package-lock.json", ["+x"]),
    makePatch("src/small.ts", ["+y"]),
    makePatch(".env", ["+z"]),
    "diff --git a/old.ts b/new.ts\nsimilarity index 100%\nrename from old.ts\nrename to new.ts\n",
    "diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n",
  ].join("");
  const finding = { subject: ".env", rule: "It is forbidden.", code: "STOP_SCOPE_VIOLATION_FORBIDDEN" };
  const other = { subject: "HEAD", rule: "It moved.", code: "STOP_HEAD_MOVED" };
  const page = makeDiffPage(change, patch, [finding, other]);
  expect(page.files.map(({ path }) => path)).toEqual([
    ".env",
    "package-lock.json",
    "logo.png",
    "src/large.ts",
    "src/small.ts",
    "new.ts",
  ]);
  expect(page.files[0]?.findings).toEqual([{ ...finding, line: null }]);
  expect(page.findings).toEqual([other]);
  expect(page.files.find(({ path }) => path === "new.ts")).toMatchObject({ oldPath: "old.ts", status: "renamed" });
  expect(page.files.find(({ path }) => path === "logo.png")).toMatchObject({ isBinary: true, rows: [] });
});

function makeFile(lines: readonly string[]): DiffFile {
  const [file] = makeDiffPage(change, makePatch("a.txt", lines), []).files;
  if (file === undefined) throw new Error("the patch has no file");
  return file;
}

test("a line of a megabyte is cut", () => {
  const { rows } = makeFile([`+${"x".repeat(1024 * 1024)}`]);
  expect(JSON.stringify(rows).length).toBeLessThan(2300);
  expect(JSON.stringify(rows)).toContain("more characters");
});

test("a change of 100,000 lines says how much is missing", () => {
  const { rows, rowsLeftOut } = makeFile(Array.from({ length: 100_000 }, () => "+x"));
  expect(rows.length + rowsLeftOut).toBe(100_001);
  expect(rowsLeftOut).toBeGreaterThan(0);
});

test("a finding about a line stands at that line; where the line is not shown, it is about the file", () => {
  const findings = ["a.ts:2", "a.ts:40", "a.ts", "b.ts:1"].map((subject) => ({ subject, rule: "r", code: "STOP" }));
  const page = makeDiffPage(change, makePatch("a.ts", [" one", "+two", "-old"]), findings);
  expect(page.files[0]?.findings.map(({ subject, line }) => [subject, line])).toEqual([
    ["a.ts:2", 2],
    ["a.ts:40", null],
    ["a.ts", null],
  ]);
  expect(page.findings.map(({ subject }) => subject)).toEqual(["b.ts:1"]);
});
