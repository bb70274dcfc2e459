/**
 * The TAP of node-tap, tape, bats, mocha, vitest, and of node:test with its tap reporter. A plan (`1..N`)
 * that equals the number of points is the end; node:test must also have its footer, with numbers that add up.
 *
 * A test is a named group (a subtest, or a heading of tape) without another one inside. A point outside of a group is a
 * test of its own.
 */
import type { TestCounts, TestResult } from "../../records/test-report.ts";
import { CUT, isFileName, matchParts, OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";
import { readNodeFooter } from "./node-spec.ts";

const POINT = /^( {0,80})(not )?ok (\d{1,9})(?![^\s])(?: -)?(.*)$/;
const PLAN = /^( {0,80})1\.\.(\d{1,9})(?: *#.*)?$/;
const SUBTEST = /^( {0,80})# Subtest: /;
const DIRECTIVE = / # (skip|todo|time=)\b.*$/i;

interface Point extends TestResult {
  readonly depth: number;
  /** A group or a subtest, so its group is not the test. */
  readonly isTest: boolean;
}

interface TapDocument {
  readonly run: OpenRun;
  points: Point[];
  /** Points at any depth, groups included, as the footer of node:test counts them. */
  pointCount: number;
  topCount: number;
  plan: number | null;
  readonly subtests: Set<number>;
  /** Groups that stand before their points, with a brace. */
  readonly braces: string[];
  /** Only tape has headings: comments in a document with a version and without a plan before its points. */
  readonly isVersioned: boolean;
  heading: string | null;
  hasHeadings: boolean;
  /** node:test prints a duration below each point. */
  isNode: boolean;
}

const openDocument = (firstLine: string): TapDocument => ({
  run: new OpenRun("TAP"),
  points: [],
  pointCount: 0,
  topCount: 0,
  plan: null,
  subtests: new Set(),
  braces: [],
  isVersioned: firstLine.startsWith("TAP"),
  heading: null,
  hasHeadings: false,
  isNode: false,
});

export function readTap({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let open: TapDocument | null = null;
  const close = (): void => {
    if (open !== null && (open.pointCount > 0 || open.plan !== null)) readings.push(endDocument(open));
    open = null;
  };
  for (const [index, line] of lines.entries()) {
    if (startsDocument(line, open)) {
      close();
      open = openDocument(line);
    }
    if (open === null) continue;
    const footer = readNodeFooter(lines, index, "# ");
    if (footer === null) readLine(open, line);
    else {
      const isListed = open.run.agrees(open.pointCount, footer.tests + footer.suites);
      if (isListed && isPlanned(open)) {
        readings.push(endNodeTest(open, footer.counts));
        open = null;
      }
    }
  }
  close();
  return readings;
}

function startsDocument(line: string, open: TapDocument | null): boolean {
  if (/^TAP version 1[34]$/.test(line)) return true;
  const isStart = /^(?:not )?ok 1(?!\S)/.test(line) || /^1\.\.\d{1,9}(?: *#.*)?$/.test(line);
  if (open === null) return isStart;
  if (!isStart || open.plan === null || !isPlanned(open)) return false;
  return open.topCount > 0 || open.plan === 0;
}

const isPlanned = (open: TapDocument): boolean => open.plan !== null && open.run.agrees(open.topCount, open.plan);

function readLine(open: TapDocument, line: string): void {
  if (line === CUT) {
    open.run.isCut = true;
    return;
  }
  if (POINT.test(line)) readPoint(open, line);
  else if (/^ *\}$/.test(line)) open.braces.pop();
  else if (/^ +duration_ms: /.test(line)) open.isNode = true;
  else if (/^ *#/.test(line)) readComment(open, line);
  else readPlan(open, line);
}

function readPlan(open: TapDocument, line: string): void {
  const [, indent, count] = PLAN.exec(line) ?? [];
  if (indent === "") open.plan ??= Number(count);
}

function readComment(open: TapDocument, line: string): void {
  const indent = SUBTEST.exec(line)?.[1];
  if (indent !== undefined) open.subtests.add(indent.length);
  else if (open.isVersioned && open.plan === null && /^# [^\s({]/.test(line)) open.heading = line.slice(2);
}

function readPoint(open: TapDocument, line: string): void {
  const part = matchParts(POINT, line);
  const depth = Math.max(0, part(1).length - 4 * open.braces.length);
  open.pointCount += 1;
  if (part(1) === "") open.topCount += 1;
  const own = part(4).replace(DIRECTIVE, "").replace(/ \{$/, "").trim();
  if (part(4).endsWith(" {")) {
    open.braces.push(own);
    return;
  }
  const name = [...open.braces.slice(0, 20), own].join(" > ");
  const isSubtest = open.subtests.delete(depth);
  const inside = takeInside(open, depth);
  if (!inside.some((one) => one.isTest)) {
    addTest(open, { name, state: readPointState(part(2), part(4)), depth, isTest: isSubtest || inside.length > 0 });
    return;
  }
  for (const one of inside)
    open.points.push({ ...one, name: `${name} > ${one.name}`.slice(0, 400), depth, isTest: true });
}

function readPointState(not: string, rest: string): TestResult["state"] {
  if (/^(?:skip|todo)$/i.test(matchParts(DIRECTIVE, rest)(1))) return "skipped";
  return not === "" ? "passed" : "failed";
}

function addTest(open: TapDocument, point: Point): void {
  // tape prints its headings as comments, with flat points below.
  const { heading } = open;
  const isBelow = heading !== null && !point.isTest && point.depth === 0;
  if (!isBelow) {
    open.points.push(point);
    return;
  }
  const last = open.points.at(-1);
  if (last?.name === heading && open.hasHeadings) {
    const state =
      last.state === "failed" || point.state === "failed"
        ? "failed"
        : last.state === "skipped"
          ? point.state
          : last.state;
    open.points[open.points.length - 1] = { ...last, state };
  } else open.points.push({ ...point, name: heading });
  open.hasHeadings = true;
}

function takeInside(open: TapDocument, depth: number): readonly Point[] {
  let first = open.points.length;
  while (first > 0 && (open.points[first - 1]?.depth ?? 0) > depth) first -= 1;
  return open.points.splice(first);
}

function fillRun(open: TapDocument): void {
  for (const { name, state } of open.points) {
    open.run.add(name, state);
    if (state === "passed" && isFileName(name)) open.run.silentFiles.push(name);
  }
}

function endDocument(open: TapDocument): RunReading {
  fillRun(open);
  const namesKnown = open.run.isCut ? "some" : "all";
  return open.run.end({ counts: open.run.countListed(), namesKnown, isComplete: isPlanned(open) && !open.isNode });
}

function endNodeTest(open: TapDocument, counts: TestCounts): RunReading {
  fillRun(open);
  const namesKnown = open.run.isCut ? "some" : "all";
  return { ...open.run.end({ counts, namesKnown, isComplete: true }), runner: "node:test" };
}
