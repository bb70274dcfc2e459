/**
 * unittest: a line of 70 dashes, `Ran N tests`, an empty line, and `OK` or `FAILED`. A run that passed has a letter, or
 * with `-v` a result, for each of its tests.
 */
import { CUT, OpenRun, readNumbers, type RunnerOutput, type RunReading } from "./run-reading.ts";

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
  // Output of the program can stand in the same line as the letters.
  const around = /^\.+/.exec(line)?.[0].length ?? 0;
  open.letters += LETTERS.test(line) ? line.length : Math.max(around, countLastDots(line));
  open.name = readPlace(line) ?? open.name;
  const failed = readPlace(line.replace(/^(?:FAIL|ERROR): /, ""));
  if (failed !== null && /^(?:FAIL|ERROR): /.test(line)) open.failed.add(failed);
  const result = RESULT.exec(line)?.[1];
  if (result === undefined || open.name === null) return;
  const isPassed = result === "ok" || result === "unexpected success";
  open.run.add(open.name, isPassed ? "passed" : /^(?:skipped|expected)/.test(result) ? "skipped" : "failed");
  open.results += 1;
  open.name = null;
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
  const text = RAN.exec(lines[index] ?? "")?.[1];
  const [, word, rest = ""] = /^(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/.exec(lines[index + 2] ?? "") ?? [];
  if (text === undefined || word === undefined || !/^-{70}$/.test(lines[index - 1] ?? "")) return null;
  const ran = Number(text);
  const number = readNumbers(rest);
  const failed = number("failures") + number("errors");
  const skipped = number("skipped") + number("expected failures");
  const listed = open.results > 0 ? open.results : open.letters;
  if (word === "OK" && listed < ran && !open.run.isCut) return null;
  if (open.results === 0) for (const name of open.failed) open.run.add(name, "failed");
  // A failed sub-test is a failure, but no test.
  const counts = { passed: Math.max(0, ran - failed - skipped), failed, skipped, todo: 0 };
  return open.run.end({ counts, namesKnown: open.run.knowsNames(ran), isComplete: true });
}
