/**
 * go test without `-json`. Each package ends with its own line. With `-v` every test that started must have ended, and
 * `PASS` must stand above: `go test` prints `ok` for any program that exits with 0. Without `-v` only packages are
 * known, so they are what is counted.
 */
import type { TestResult } from "../../records/test-report.ts";
import { CUT, matchParts, NO_COUNTS, OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";

const STARTED = /^=== RUN {3}(\S+)$/;
const RESULT = /^ *--- (PASS|FAIL|SKIP): (\S.*) \(\d[\d.]*s\)$/;
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:\t| )(.*)$/;

interface GoPackage {
  readonly tests: TestResult[];
  readonly started: Set<string>;
  hasPass: boolean;
}

const openPackage = (): GoPackage => ({ tests: [], started: new Set(), hasPass: false });

interface GoRun {
  readonly run: OpenRun;
  readonly packages: { passed: number; failed: number; skipped: number; todo: number };
  readonly isVerbose: boolean;
  isSeen: boolean;
  isWhole: boolean;
  open: GoPackage;
}

export function readGoText({ lines }: RunnerOutput): readonly RunReading[] {
  const isVerbose = lines.some((line) => STARTED.test(line));
  const run = new OpenRun("go test");
  const go: GoRun = {
    run,
    packages: { ...NO_COUNTS },
    isVerbose,
    isSeen: isVerbose,
    isWhole: true,
    open: openPackage(),
  };
  for (const line of lines) {
    if (line === CUT) run.isCut = true;
    const part = matchParts(PACKAGE, line);
    if (part(2) === "") readGoLine(go.open, line);
    else endPackage(go, part(2), readPackageState(part(1), part(3)));
  }
  if (!go.isSeen) return [];
  for (const { name, state } of go.open.tests) run.add(name, state);
  const isComplete = go.isWhole && go.open.started.size === 0;
  if (isVerbose) return [run.end({ counts: run.countListed(), namesKnown: run.isCut ? "some" : "all", isComplete })];
  return [run.end({ counts: go.packages, namesKnown: run.tests.length > 0 ? "some" : "none", isComplete })];
}

function endPackage(go: GoRun, name: string, state: "passed" | "failed" | null): void {
  const { run, packages, isVerbose, open } = go;
  if (state !== null) packages[state] += 1;
  const isEnded = state !== "passed" || !isVerbose || run.isCut || isEndOf(open);
  go.isWhole = go.isWhole && isEnded;
  go.isSeen = true;
  for (const test of open.tests) run.add(`${name} > ${test.name}`, test.state);
  go.open = openPackage();
}

/** Null for a package without tests. */
function readPackageState(word: string, rest: string): "passed" | "failed" | null {
  if (word === "FAIL") return "failed";
  return word.startsWith("?") || rest.includes("[no tests to run]") ? null : "passed";
}

/** Every test that started has a result, and the program reached its own end. */
function isEndOf({ started, tests, hasPass }: GoPackage): boolean {
  return started.size === 0 && (hasPass || tests.length === 0);
}

function readGoLine(open: GoPackage, line: string): void {
  const started = matchParts(STARTED, line)(1);
  if (started !== "") open.started.add(started);
  if (line === "PASS") open.hasPass = true;
  const part = matchParts(RESULT, line);
  if (part(1) === "") return;
  open.started.delete(part(2));
  open.tests.push({ name: part(2), state: part(1) === "PASS" ? "passed" : part(1) === "FAIL" ? "failed" : "skipped" });
}
