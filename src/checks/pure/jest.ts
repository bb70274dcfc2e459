/**
 * jest: a line for each test file, tests below it with `--verbose`, and a summary of four lines. The parts of the
 * summary must add up, and every counted file must have its line.
 */
import type { TestResult } from "../../records/test-report.ts";
import {
  countIndent,
  CUT,
  matchParts,
  NO_COUNTS,
  OpenGroups,
  OpenRun,
  readCounts,
  readNumbers,
  type RunnerOutput,
  type RunReading,
  sumCounts,
} from "./run-reading.ts";

const FILE = /^(?:PASS|FAIL) +(\S.*?)(?: \(\d[\d.]* m?s(?:, [^()]*)?\))?$/;
const TEST = /^( +)(✓|✕|○ skipped|○|✎ todo) (.*?)(?: \(\d[\d.]* m?s\))?$/;
const BULLET = /^ {2}● (\S.*)$/;

const MARKS = new Map<string, TestResult["state"]>([
  ["✓", "passed"],
  ["✕", "failed"],
]);

interface JestRun {
  readonly run: OpenRun;
  readonly files: Set<string>;
  readonly failed: Set<string>;
  file: string;
  readonly groups: OpenGroups;
}

const openJest = (): JestRun => ({
  run: new OpenRun("jest"),
  files: new Set(),
  failed: new Set(),
  file: "",
  groups: new OpenGroups(),
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
    open.groups.clear();
  }
  return null;
}

function readJestTest(open: JestRun, line: string): void {
  const failed = matchParts(BULLET, line)(1);
  if (failed !== "" && !/^(?:Console|Test suite failed to run)$/.test(failed)) open.failed.add(failed);
  if (line === "") {
    // The list of a file ends with an empty line.
    if (open.run.tests.length > 0) open.file = "";
    return;
  }
  if (open.file === "") return;
  const part = matchParts(TEST, line);
  if (part(2) === "") {
    if (countIndent(line) > 0) open.groups.enter(line, countIndent(line));
    return;
  }
  open.groups.leave(part(1).length);
  open.run.add(open.groups.join(open.file, part(3)), MARKS.get(part(2)) ?? "skipped");
}

function readSummary(open: JestRun, lines: readonly string[], index: number): RunReading | null {
  const block = lines.slice(index, index + 4);
  if (!["Test Suites: ", "Tests: ", "Snapshots: ", "Time: "].every((start, at) => block[at]?.startsWith(start)))
    return null;
  const [suites = "", tests = ""] = block;
  const number = readNumbers(tests.slice(6).trim());
  const counts = readCounts(number);
  const files = readNumbers(suites.slice(12).trim());
  const isListed = open.run.agrees(open.files.size, files("passed") + files("failed"));
  if (number("total") !== sumCounts(counts) || !isListed) return null;
  if (open.run.tests.length === 0) for (const name of open.failed) open.run.add(name, "failed");
  return open.run.end({ counts, namesKnown: open.run.knowsNames(sumCounts(counts)), isComplete: true });
}
