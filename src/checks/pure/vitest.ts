/**
 * vitest: its header, lines of files (default) or of tests (verbose), and a summary of at least four lines. The parts
 * of the summary must add up to its total (a worker that died leaves a gap), and the listed files or tests to the same.
 * The dot reporter and the one for agents list nothing.
 */
import type { TestCounts } from "../../records/test-report.ts";
import {
  CUT,
  matchParts,
  NO_COUNTS,
  OpenRun,
  readCounts,
  readNumbers,
  type RunnerOutput,
  type RunReading,
  sumCounts,
} from "./run-reading.ts";

const HEADER = /^ ?(?:RUN|DEV) +v\d/;
const FILE = /^ [✓❯×↓] (?:\|[^|]*\| )?\S.* \((\d{1,9})(?: tests?)?(?: \|[^()]*)?\)/;
const TEST = /^ ([✓×↓□]) (.* > .*)$/;
const TIME = /(?: \d{1,9}ms| \(retry x\d{1,9}\)| \(repeat x\d{1,9}\)| \d{1,9} MB heap used| \[[^[\]]*\])$/;
const FAILED = /^ FAIL {2}(.* > .*)$/;

interface VitestRun {
  readonly run: OpenRun;
  readonly failed: Set<string>;
  inFiles: number;
  /** The last summary that adds up. The program under test can print one too, so it counts only if nothing follows. */
  ending: TestCounts | null;
}

export function readVitest({ lines }: RunnerOutput): readonly RunReading[] {
  const runs: VitestRun[] = [];
  for (const [index, line] of lines.entries()) {
    if (HEADER.test(line)) runs.push({ run: new OpenRun("vitest"), failed: new Set(), inFiles: 0, ending: null });
    const open = runs.at(-1);
    if (open !== undefined) readVitestLine(open, lines, index);
  }
  return runs.map((open) => (open.ending === null ? open.run.interrupt() : endVitest(open, open.ending)));
}

function readVitestLine(open: VitestRun, lines: readonly string[], index: number): void {
  const line = lines[index] ?? "";
  if (line === CUT) open.run.isCut = true;
  if (line.startsWith("No test files found, exiting with code")) open.ending = NO_COUNTS;
  const inFile = FILE.exec(line)?.[1];
  const before = open.run.tests.length;
  if (inFile === undefined) readVitestTest(open, line);
  else open.inFiles += Number(inFile);
  if (inFile !== undefined || open.run.tests.length > before) open.ending = null;
  const counts = readSummary(lines, index);
  if (counts !== null && isAgreed(open, counts)) open.ending = counts;
}

function readVitestTest(open: VitestRun, line: string): void {
  const failed = FAILED.exec(line)?.[1];
  if (failed !== undefined) open.failed.add(failed);
  let [, mark, name = ""] = TEST.exec(line) ?? [];
  if (mark === undefined) return;
  for (let times = 0; times < 4 && TIME.test(name); times += 1) name = name.replace(TIME, "");
  open.run.add(name.trim(), mark === "✓" ? "passed" : mark === "×" ? "failed" : "skipped");
}

/** Null unless the lines follow each other and the parts add up to the total. */
function readSummary(lines: readonly string[], index: number): TestCounts | null {
  if (!/^ {0,2}Test Files {2}/.test(lines[index] ?? "")) return null;
  const [first = "", ...block] = lines.slice(index + 1, index + 8);
  const tests = matchParts(/^ +Tests {2}(.*)$/, first)(1);
  const start = block.findIndex((line) => /^ +Start at {2}\S/.test(line));
  if (start === -1 || !/^ +Duration {2}\d/.test(block[start + 1] ?? "")) return null;
  const counts = readCounts(readNumbers(tests));
  if (tests === "no tests") return counts;
  return matchParts(/\((\d{1,9})\)$/, tests)(1) === String(sumCounts(counts)) ? counts : null;
}

const countVitestTests = ({ run, inFiles }: VitestRun): number => inFiles + run.tests.length;

function isAgreed(open: VitestRun, counts: TestCounts): boolean {
  const listed = countVitestTests(open);
  return listed === 0 || open.run.agrees(listed, sumCounts(counts));
}

function endVitest(open: VitestRun, counts: TestCounts): RunReading {
  const { run, failed } = open;
  const total = sumCounts(counts);
  const isListed = countVitestTests(open) > 0 || total === 0;
  if (run.tests.length === 0) for (const name of failed) run.add(name, "failed");
  return run.end({ counts, namesKnown: run.knowsNames(total), isComplete: true, isListed });
}
