/**
 * jest: a line for each test file, tests below it with `--verbose`, and a summary of four lines. The parts of the
 * summary must add up, and every counted file must have its line.
 */
import type { TestCounts } from "../../contract/evidence/test-report.ts";
import { CUT, NO_COUNTS, OpenRun, readNumbers, type RunnerOutput, type RunReading, sumCounts } from "./run-reading.ts";

const FILE = /^(?:PASS|FAIL) +(\S.*?)(?: \(\d[\d.]* m?s(?:, [^()]*)?\))?$/;
const TEST = /^( +)(✓|✕|○ skipped|○|✎ todo) (.*?)(?: \(\d[\d.]* m?s\))?$/;
const BULLET = /^ {2}● (\S.*)$/;

interface JestRun {
  readonly run: OpenRun;
  readonly files: Set<string>;
  readonly failed: Set<string>;
  file: string;
  readonly groups: { readonly name: string; readonly depth: number }[];
}

const openJest = (): JestRun => ({
  run: new OpenRun("jest"),
  files: new Set(),
  failed: new Set(),
  file: "",
  groups: [],
});

export function readJest({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let open = openJest();
  for (const [index, line] of lines.entries()) {
    const reading = /^No tests found, exiting with code 0$/.test(line)
      ? open.run.end({ counts: NO_COUNTS, namesKnown: "all", isComplete: true })
      : readJestLine(open, lines, index);
    if (reading === null) continue;
    readings.push(reading);
    open = openJest();
  }
  const isBroken = lines.some((line) => /^ {2}● {2}process\.exit called with "/.test(line));
  const hasMore = open.files.size > 0 || (isBroken && readings.length === 0);
  return hasMore ? [...readings, open.run.interrupt()] : readings;
}

function readJestLine(open: JestRun, lines: readonly string[], index: number): RunReading | null {
  const line = lines[index] ?? "";
  if (line === CUT) open.run.isCut = true;
  if (line.startsWith("Test Suites: ")) return readSummary(open, lines, index);
  const file = FILE.exec(line)?.[1];
  if (file === undefined) readJestTest(open, line);
  else {
    // Files with failures are listed again below many files.
    open.file = open.files.has(file) ? "" : file;
    open.files.add(file);
    open.groups.length = 0;
  }
  return null;
}

function readJestTest(open: JestRun, line: string): void {
  const failed = BULLET.exec(line)?.[1];
  if (failed !== undefined && !/^(?:Console|Test suite failed to run)$/.test(failed)) open.failed.add(failed);
  if (line.trim() === "" || open.file === "") {
    if (line.trim() === "" && open.groups.length > 0) open.file = "";
    return;
  }
  const [, indent = "", mark, name = ""] = TEST.exec(line) ?? [];
  if (mark === undefined) {
    openGroup(open, line);
    return;
  }
  while ((open.groups.at(-1)?.depth ?? -1) >= indent.length) open.groups.pop();
  const path = [open.file, ...open.groups.map((one) => one.name), name].join(" > ");
  open.run.add(path, mark === "✓" ? "passed" : mark === "✕" ? "failed" : "skipped");
}

function openGroup(open: JestRun, line: string): void {
  const depth = line.length - line.trimStart().length;
  while ((open.groups.at(-1)?.depth ?? -1) >= depth) open.groups.pop();
  if (depth > 0 && open.groups.length < 20) open.groups.push({ name: line.trim().slice(0, 100), depth });
}

function readSummary(open: JestRun, lines: readonly string[], index: number): RunReading | null {
  const [suites = "", tests = "", snapshots = "", time = ""] = lines.slice(index, index + 4);
  if (!tests.startsWith("Tests: ") || !snapshots.startsWith("Snapshots: ") || !time.startsWith("Time: ")) return null;
  const counts = readCounts(tests);
  const files = readNumbers(suites.slice(12).trim());
  const listed = files("passed") + files("failed");
  if (counts === null || !open.run.agrees(open.files.size, listed)) return null;
  if (open.run.tests.length === 0) for (const name of open.failed) open.run.add(name, "failed");
  return open.run.end({ counts, namesKnown: open.run.knowsNames(sumCounts(counts)), isComplete: true });
}

function readCounts(line: string): TestCounts | null {
  const number = readNumbers(line.slice(6).trim());
  const counts = {
    passed: number("passed"),
    failed: number("failed"),
    skipped: number("skipped"),
    todo: number("todo"),
  };
  return number("total") === sumCounts(counts) ? counts : null;
}
