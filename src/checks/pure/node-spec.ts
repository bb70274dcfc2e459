import type { TestCounts, TestResult } from "../../records/test-report.ts";
import {
  matchParts,
  sumCounts,
  OpenGroups,
  CUT,
  isFileName,
  OpenRun,
  type RunnerOutput,
  type RunReading,
} from "./run-reading.ts";

/** The footer of node:test: eight lines in this order, with `# ` (tap) or `ℹ ` (spec) before each. */

const KEYS = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo", "duration_ms"] as const;

export interface NodeFooter {
  readonly tests: number;
  readonly suites: number;
  readonly counts: TestCounts;
}

/** Null unless all lines are there and the results add up to the number of tests. `index` is the first line. */
export function readNodeFooter(lines: readonly string[], index: number, mark: string): NodeFooter | null {
  if (lines[index]?.startsWith(`${mark}tests `) !== true) return null;
  const values = new Map<string, number>();
  for (const [offset, key] of KEYS.entries()) {
    const part = matchParts(/^(.{2}[a-z_]{1,20}) (\d{1,9})(?:\.\d{1,20})?$/, lines[index + offset] ?? "");
    if (part(1) !== `${mark}${key}`) return null;
    values.set(key, Number(part(2)));
  }
  const get = (key: (typeof KEYS)[number]): number => values.get(key) ?? 0;
  const counts = {
    passed: get("pass"),
    failed: get("fail") + get("cancelled"),
    skipped: get("skipped"),
    todo: get("todo"),
  };
  return sumCounts(counts) === get("tests") ? { tests: get("tests"), suites: get("suites"), counts } : null;
}

/**
 * node:test with its spec reporter. Every test and suite has one closing line with its time, so the footer's tests and
 * suites together must equal the number of these lines.
 */

/** Output without a line break at its end can stand before the mark. */
const RESULT = /^([^✔✖﹣⚠▶]*)([✔✖﹣⚠▶]) (.*) \(\d{1,12}(?:\.\d{1,12})?ms\)(?: # (.*))?$/;
const GROUP = /^( *)▶ (.*)$/;

interface SpecRun {
  readonly run: OpenRun;
  readonly groups: OpenGroups;
  closed: number;
}

const openSpec = (): SpecRun => ({ run: new OpenRun("node:test"), groups: new OpenGroups(), closed: 0 });

export function readNodeSpec({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let open = openSpec();
  let lastText = "";
  for (const [index, line] of lines.entries()) {
    if (line === CUT) open.run.isCut = true;
    const footer = readNodeFooter(lines, index, "ℹ ");
    if (footer !== null && open.run.agrees(open.closed, footer.tests + footer.suites)) {
      readings.push(endSpec(open, footer));
      open = openSpec();
    } else if (!lastText.startsWith("test at ")) readSpecLine(open, line);
    if (line.trim() !== "") lastText = line;
  }
  const isSpec = open.run.tests.length > 0;
  return isSpec ? [...readings, open.run.interrupt()] : readings;
}

function readSpecLine(open: SpecRun, line: string): void {
  const part = matchParts(RESULT, line);
  const name = part(3);
  if (part(2) === "") {
    const group = matchParts(GROUP, line);
    if (group(2) !== "") open.groups.enter(group(2), group(1).length);
    return;
  }
  // The tests of mocha have a time only if they are slow, and are indented.
  const depth = part(1).trim() === "" ? part(1).length : 0;
  if (depth > 0 && open.groups.isEmpty) return;
  open.closed += 1;
  const isGroup = open.groups.isOpen(name, depth);
  open.groups.leave(depth);
  if (!isGroup) addSpecTest(open, name, readSpecState(part(2), part(4)));
}

function readSpecState(mark: string, note: string): TestResult["state"] {
  if (mark === "✖") return "failed";
  return mark === "﹣" || note !== "" ? "skipped" : "passed";
}

function addSpecTest({ run, groups }: SpecRun, name: string, state: TestResult["state"]): void {
  const path = groups.join(name);
  run.add(path, state);
  if (state === "passed" && isFileName(path)) run.silentFiles.push(path);
}

function endSpec(open: SpecRun, { counts }: NodeFooter): RunReading {
  return open.run.end({ counts, namesKnown: open.run.isCut ? "some" : "all", isComplete: true });
}
