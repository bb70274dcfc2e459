/**
 * unittest: a line of 70 dashes, `Ran N tests`, an empty line, and `OK` or `FAILED`. A run that passed has a letter, or
 * with `-v` a result, for each of its tests.
 */
import { CUT, matchParts, OpenRun, readNumbers, type RunnerOutput, type RunReading } from "./run-reading.ts";

const LETTERS = /^[.FEsxu]+$/;
const TEST = /^(\w{1,200}) \(([\w.<>]{1,280})\)/;
const RESULT = /(?:^| \.\.\. )(ok|FAIL|ERROR|expected failure|unexpected success|skipped\b.*)$/;
const RAN = /^Ran (\d{1,9}) tests? in \d{1,9}\.\d{1,3}s$/;

interface UnittestRun {
  readonly run: OpenRun;
  name: string | null;
  letters: number;
  results: number;
  /** The headings of the failures, without the values of sub-tests. */
  readonly failed: Set<string>;
}

const openUnittest = (): UnittestRun => ({
  run: new OpenRun("unittest"),
  name: null,
  letters: 0,
  results: 0,
  failed: new Set(),
});

export function readUnittest({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let open = openUnittest();
  for (const [index, line] of lines.entries()) {
    if (line === CUT) open.run.isCut = true;
    readUnittestLine(open, line);
    const ending = readEnd(open, lines, index);
    if (ending === null) continue;
    readings.push(ending);
    open = openUnittest();
  }
  return open.results > 0 ? [...readings, open.run.interrupt()] : readings;
}

function readUnittestLine(open: UnittestRun, line: string): void {
  open.letters += countLetters(line);
  open.name = readPlace(line) ?? open.name;
  const failed = readPlace(matchParts(/^(?:FAIL|ERROR): (.*)$/, line)(1));
  if (failed !== null) open.failed.add(failed);
  const result = matchParts(RESULT, line)(1);
  if (result === "" || open.name === null) return;
  const isPassed = result === "ok" || result === "unexpected success";
  open.run.add(open.name, isPassed ? "passed" : /^(?:skipped|expected)/.test(result) ? "skipped" : "failed");
  open.results += 1;
  open.name = null;
}

/** Output of the program can stand in the same line as the letters. */
function countLetters(line: string): number {
  if (LETTERS.test(line)) return line.length;
  return Math.max(matchParts(/^(\.+)/, line)(1).length, countLastDots(line));
}

/** Since Python 3.11 the place ends with the method. */
function readPlace(line: string): string | null {
  const [, method, place = ""] = TEST.exec(line) ?? [];
  if (method === undefined) return null;
  return place.endsWith(`.${method}`) ? place : `${place}.${method}`;
}

function countLastDots(line: string): number {
  let count = 0;
  while (count < line.length && line[line.length - 1 - count] === ".") count += 1;
  return count;
}

function readEnd(open: UnittestRun, lines: readonly string[], index: number): RunReading | null {
  const text = matchParts(RAN, lines[index] ?? "")(1);
  if (text === "") return null;
  const [above = "", , , below = ""] = lines.slice(Math.max(0, index - 1), index + 3);
  const part = matchParts(/^(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/, below);
  if (part(1) === "" || !/^-{70}$/.test(above)) return null;
  const isShort = part(1) === "OK" && countResults(open) < Number(text);
  return isShort ? null : endUnittest(open, Number(text), readNumbers(part(2)));
}

function countResults({ run, results, letters }: UnittestRun): number {
  if (run.isCut) return Infinity;
  return results > 0 ? results : letters;
}

function endUnittest({ run, results, failed }: UnittestRun, ran: number, number: (word: string) => number): RunReading {
  if (results === 0) for (const name of failed) run.add(name, "failed");
  const skipped = number("skipped") + number("expected failures");
  // A failed sub-test is a failure, but no test: the names of the tests are counted.
  const failures = failed.size > 0 ? failed.size : number("failures") + number("errors");
  const counts = { passed: Math.max(0, ran - failures - skipped), failed: failures, skipped, todo: 0 };
  return run.end({ counts, namesKnown: run.knowsNames(ran), isComplete: true });
}
