/**
 * mocha with its spec reporter, or another one that ends with `N passing`. The listed tests must equal that number.
 * Other programs print check marks too, so a list without an end is only a weak sign.
 */
import type { TestResult } from "../../records/test-report.ts";
import {
  countIndent,
  CUT,
  matchParts,
  OpenGroups,
  OpenRun,
  type RunnerOutput,
  type RunReading,
} from "./run-reading.ts";

const PASSED = /^ {2,80}[✔✓] (?!\[)(.*?)(?: \(\d{1,9}ms\))?$/;
const FAILED = /^ {2,80}(\d{1,9})\) (.*)$/;
const PENDING = /^ {2,80}- (?!\[)(\S.*)$/;
const DOTS = /^ {2}[.,!]+$/;
const END = /^ {2}(\d{1,9}) passing \(\d{1,9}m?[smh]\)$/;

interface MochaRun {
  readonly run: OpenRun;
  readonly groups: OpenGroups;
  dots: number;
  failed: number;
}

const openMocha = (): MochaRun => ({ run: new OpenRun("mocha"), groups: new OpenGroups(), dots: 0, failed: 0 });

export function readMocha({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let open = openMocha();
  /** Below the end, each failure is listed again. */
  let repeated = 0;
  for (const [index, line] of lines.entries()) {
    if (line === CUT) open.run.isCut = true;
    if (repeated > 0 && FAILED.test(line)) {
      repeated -= 1;
      continue;
    }
    readMochaLine(open, line);
    const ending = readEnd(open, lines, index);
    if (ending === null) continue;
    readings.push(ending);
    repeated = ending.counts.failed;
    open = openMocha();
  }
  const hasMore = open.run.tests.some(({ state }) => state !== "skipped");
  return hasMore ? [...readings, open.run.interrupt(true)] : readings;
}

function readMochaLine(open: MochaRun, line: string): void {
  if (!line.startsWith("  ")) return;
  if (DOTS.test(line)) open.dots += line.length - 2;
  const depth = countIndent(line);
  const test = readMochaTest(open, line);
  if (test === null) open.groups.enter(line, depth);
  else {
    open.groups.leave(depth);
    open.run.add(open.groups.join(test.name), test.state);
  }
}

function readMochaTest(open: MochaRun, line: string): TestResult | null {
  const passed = matchParts(PASSED, line)(1);
  if (passed !== "") return { name: passed, state: "passed" };
  const pending = matchParts(PENDING, line)(1);
  if (pending !== "") return { name: pending, state: "skipped" };
  const part = matchParts(FAILED, line);
  if (part(1) === "" || Number(part(1)) !== open.failed + 1) return null;
  open.failed += 1;
  return { name: part(2), state: "failed" };
}

function readEnd({ run, dots }: MochaRun, lines: readonly string[], index: number): RunReading | null {
  const text = END.exec(lines[index] ?? "")?.[1];
  if (text === undefined) return null;
  const passed = Number(text);
  const rest = lines.slice(index + 1, index + 3);
  const find = (word: string): number =>
    Number(
      rest.map((line) => /^ {2}(\d{1,9}) (failing|pending)$/.exec(line)).find((one) => one?.[2] === word)?.[1] ?? 0,
    );
  const counts = { passed, failed: find("failing"), skipped: find("pending"), todo: 0 };
  const listed = run.tests.filter(({ state }) => state === "passed").length;
  const total = counts.passed + counts.failed + counts.skipped;
  const isListed = run.agrees(listed, passed) || run.agrees(dots, total);
  const isBare = listed === 0 && dots === 0 && total > 0;
  if (!isListed && !isBare) return null;
  return run.end({ counts, namesKnown: run.knowsNames(total), isComplete: true, isListed, isWeak: isBare });
}
