/**
 * pytest: `N passed in 0.1s` at the end, which must equal the number of collected items, or of the progress letters
 * with `-q`. `pytest.exit` ends with a proper summary of fewer tests, and a line of exclamation marks below.
 */
import type { TestCounts, TestResult } from "../../records/test-report.ts";
import { CUT, matchParts, OpenRun, readNumbers, type RunnerOutput, type RunReading, sumCounts } from "./run-reading.ts";

const END =
  /^(?:=+ )?((?:\d{1,9} [a-z ]{1,30}(?:, )?){1,12}|no tests ran) in \d{1,9}\.\d{1,3}s(?: \([\d:, a-z]{1,30}\))?(?: =+)?$/;
const LETTERS = /^(?:\S+\.py )?([.FEsxXR]+) *(?:\[ *\d{1,3}%\])?$/;
const COLLECTED = /^(?:collecting \.\.\. )?collected (\d{1,9}) items?(?: \/ (.*))?$/;
const WORKERS = /^\d{1,4} workers? \[(\d{1,9}) items?\]/;
const STATES: Readonly<Record<string, TestResult["state"]>> = {
  PASSED: "passed",
  XPASS: "passed",
  FAILED: "failed",
  ERROR: "failed",
  SKIPPED: "skipped",
  XFAIL: "skipped",
};
const STATE = / (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*\)?)?(?: *\[ *\d{1,3}%\])?$/;
const STATE_FIRST = /^(?:\[gw\d{1,4}\] \[ *\d{1,3}%\] )?(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S.*)$/;

interface PytestRun {
  readonly run: OpenRun;
  /** The same test is listed while it runs and in the summary. */
  readonly states: Map<string, TestResult["state"]>;
  hasHeader: boolean;
  collected: number | null;
  letters: number;
  isWholeShown: boolean;
  /** A summary that may be one of the program under test: the last one counts. */
  ending: Ending | null;
}

interface Ending {
  readonly counts: TestCounts;
  /** `pytest.exit` was called. */
  readonly isExit: boolean;
  readonly isListed: boolean;
}

const openPytest = (hasHeader: boolean): PytestRun => ({
  run: new OpenRun("pytest"),
  states: new Map(),
  hasHeader,
  collected: null,
  letters: 0,
  isWholeShown: false,
  ending: null,
});

export function readPytest({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let open = openPytest(false);
  for (const [index, line] of lines.entries()) {
    if (/^=+ test session starts \(?.*=+$/.test(line)) {
      readings.push(...endAnyway(open));
      open = openPytest(true);
    }
    const text = END.exec(line)?.[1];
    const ending = text === undefined ? null : readEnd(open, text, lines.slice(index + 1, index + 3));
    if (ending === null) readPytestLine(open, line);
    else if (ending.isListed) {
      readings.push(endPytest(open, ending));
      open = openPytest(false);
    } else open.ending = ending;
  }
  return [...readings, ...endAnyway(open)];
}

function readPytestLine(open: PytestRun, line: string): void {
  if (line === CUT) open.run.isCut = true;
  const [, collected, others = ""] = COLLECTED.exec(line) ?? WORKERS.exec(line) ?? [];
  if (collected !== undefined) {
    const number = readNumbers(others.replaceAll(" / ", ", "));
    open.collected = Number(collected) - number("deselected") + number("skipped");
  }
  open.letters += LETTERS.exec(line)?.[1]?.length ?? 0;
  if (line.endsWith("[100%]")) open.isWholeShown = true;
  readName(open, line);
}

function readName({ states }: PytestRun, line: string): void {
  const first = matchParts(STATE_FIRST, line);
  const later = first(1) === "" ? STATE.exec(line) : null;
  const state = STATES[first(1)] ?? STATES[later?.[1] ?? ""];
  const text = later === null ? first(2).split(" - ", 1).join("") : line.slice(0, later.index);
  // A file that cannot be imported has no test.
  if (state !== undefined && text.includes("::")) states.set(text.trim(), state);
}

function readEnd(open: PytestRun, text: string, below: readonly string[]): Ending | null {
  const number = readNumbers(text);
  const failed = number("failed");
  const errors = number("error") + number("errors");
  const counts = {
    passed: number("passed") + number("xpassed"),
    failed: failed + errors,
    skipped: number("skipped") + number("xfailed"),
    todo: 0,
  };
  const isExit = below.some((line) => /^!{3,}.*Exit: .*!{3,}$/.test(line));
  const seen = agreesWithItems(open, counts, errors);
  if (seen === "no" && !isExit) return null;
  return { counts, isExit, isListed: isExit || seen === "yes" };
}

/** An error can be one of an item, or one more after an item that passed, or of a file that has no items. */
function agreesWithItems(open: PytestRun, counts: TestCounts, errors: number): "yes" | "no" | "unknown" {
  const { collected, run } = open;
  const most = sumCounts(counts);
  if (open.hasHeader && !run.isCut && collected === null) return most === errors ? "yes" : "no";
  if (collected !== null && errors === 0 && collected !== most) return "no";
  if (errors > 0 || most === 0) return "yes";
  return agreesWithProgress(open, most);
}

function agreesWithProgress(
  { letters, states, isWholeShown, collected }: PytestRun,
  most: number,
): "yes" | "no" | "unknown" {
  const listed = Math.max(letters, states.size);
  if (listed === most || isWholeShown) return "yes";
  // With `-s` the tests print between the letters. A summary without any letter is of another program.
  return collected !== null || (listed > 0 && listed < most) ? "unknown" : "no";
}

function endPytest(open: PytestRun, { counts, isExit, isListed }: Ending): RunReading {
  const run = nameTests(open);
  return run.end({ counts, namesKnown: run.knowsNames(sumCounts(counts)), isComplete: !isExit, isListed });
}

function nameTests({ run, states }: PytestRun): OpenRun {
  const named = new OpenRun(run.runner);
  for (const [name, state] of states) named.add(name, state);
  return named;
}

function endAnyway(open: PytestRun): readonly RunReading[] {
  if (open.ending !== null) return [endPytest(open, open.ending)];
  if (!open.hasHeader && !open.isWholeShown) return [];
  const run = nameTests(open);
  const { passed, failed, skipped } = run.countListed();
  const counts = { passed: Math.max(passed, open.letters - failed - skipped), failed, skipped, todo: 0 };
  return [run.end({ counts, namesKnown: "some", isComplete: false })];
}
