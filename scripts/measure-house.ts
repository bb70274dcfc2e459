/** Prints what can be counted of the house, as a table: `npm run measure -- [COMMIT…]`, of the working tree without one. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Measures, type Tree, measureTree } from "./house-measures.ts";
import { writeRows } from "./write-rows.ts";

const GIT_OUTPUT_BYTES = 512 * 1024 * 1024;
const MEASURED = /^src\/|\.md$|^\.gitattributes$/u;

const git = (...args: readonly string[]): Buffer => execFileSync("git", args, { maxBuffer: GIT_OUTPUT_BYTES });

function readFiles(root: string, paths: readonly string[]): Tree {
  return new Map(
    paths.filter((path) => MEASURED.test(path)).map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}

const listPaths = (output: Buffer): readonly string[] =>
  output
    .toString()
    .split("\0")
    .filter((path) => path !== "");

export function readWorkingTree(): Tree {
  const gone = new Set(listPaths(git("ls-files", "-z", "--deleted")));
  const listed = listPaths(git("ls-files", "-z", "--cached", "--others", "--exclude-standard"));
  return readFiles(
    ".",
    listed.filter((path) => !gone.has(path)),
  );
}

function readCommit(commit: string): Tree {
  const folder = mkdtempSync(join(tmpdir(), "relais-house-"));
  try {
    execFileSync("tar", ["-x", "-C", folder], { input: git("archive", "--format=tar", commit) });
    return readFiles(folder, listPaths(git("ls-tree", "-r", "-z", "--name-only", commit)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ROWS: readonly (readonly [name: string, value: (measures: Measures) => number])[] = [
  ["folders of src with files", (one) => one.folders],
  ["files of src", (one) => one.files],
  ["lines of src", (one) => one.lines],
  ["files under 20 lines", (one) => one.smallFiles],
  ["rooms", (one) => one.rooms],
  ["edges between rooms", (one) => one.roomEdges],
  ["cycles between rooms", (one) => one.roomCycles.length],
  ["levels of rooms", (one) => one.levels],
  ["longest chain of imports", (one) => one.longestChain],
  ["longest chain that is loaded at once", (one) => one.longestLoadedChain],
  ["impure imports of pure rooms", (one) => one.purityViolations.length],
  ["interfaces that one parameter uses", (one) => one.parameterBags],
  ["written words of the pages", (one) => one.words],
  ["pages that people write", (one) => one.pages],
  ["words of ARCHITECTURE.md", (one) => one.architectureWords],
  ["words of CONTRIBUTING.md", (one) => one.contributingWords],
];

function drawMeasures(commits: readonly string[]): string {
  const trees = commits.length === 0 ? [readWorkingTree()] : commits.map(readCommit);
  const measured = trees.map(measureTree);
  const heads = commits.length === 0 ? ["working tree"] : commits;
  return writeRows(
    ["measure", ...heads],
    ROWS.map(([name, value]) => [name, ...measured.map((one) => String(value(one)))]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(drawMeasures(process.argv.slice(2)));
