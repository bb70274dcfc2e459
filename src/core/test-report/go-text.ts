/**
 * go test without `-json`. Each package ends with its own line. With `-v` every test that started must have ended, and
 * `PASS` must stand above: `go test` prints `ok` for any program that exits with 0. Without `-v` only packages are
 * known, so they are what is counted.
 */
import { CUT, OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";

const STARTED = /^=== RUN {3}(\S+)$/;
const RESULT = /^ *--- (PASS|FAIL|SKIP): (\S.*) \(\d[\d.]*s\)$/;
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:\t| )(.*)$/;

interface GoPackage {
  readonly tests: { readonly name: string; readonly state: "passed" | "failed" | "skipped" }[];
  readonly started: Set<string>;
  hasPass: boolean;
}

const openPackage = (): GoPackage => ({ tests: [], started: new Set(), hasPass: false });

export function readGoText({ lines }: RunnerOutput): readonly RunReading[] {
  const run = new OpenRun("go test");
  const packages = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  let isVerbose = false;
  let isWhole = true;
  let open = openPackage();
  for (const line of lines) {
    if (line === CUT) run.isCut = true;
    const [, word = "", name = "", rest = ""] = PACKAGE.exec(line) ?? [];
    if (name === "") {
      isVerbose = readGoLine(open, line) || isVerbose;
      continue;
    }
    const isEmpty = word.startsWith("?") || rest.includes("[no tests to run]");
    if (!isEmpty) packages[word === "FAIL" ? "failed" : "passed"] += 1;
    const isEnded = !isVerbose || isEmpty || word === "FAIL" || isEndOf(open) || run.isCut;
    isWhole = isWhole && isEnded;
    for (const test of open.tests) run.add(`${name} > ${test.name}`, test.state);
    open = openPackage();
  }
  const hasPackages = packages.passed + packages.failed > 0;
  if (!hasPackages && open.started.size === 0) return [];
  for (const test of open.tests) run.add(test.name, test.state);
  const isComplete = isWhole && open.started.size === 0;
  const counts = isVerbose ? run.countListed() : packages;
  return [run.end({ counts, namesKnown: isVerbose && !run.isCut ? "all" : "some", isComplete })];
}

/** Every test that started has a result, and the program reached its own end. */
const isEndOf = ({ started, tests, hasPass }: GoPackage): boolean =>
  (hasPass || tests.length === 0) && started.size === 0;

/** True for a line that only `-v` prints. */
function readGoLine(open: GoPackage, line: string): boolean {
  const started = STARTED.exec(line)?.[1];
  if (started !== undefined) open.started.add(started);
  if (line === "PASS") open.hasPass = true;
  const [, word, name = ""] = RESULT.exec(line) ?? [];
  if (word !== undefined) {
    open.started.delete(name);
    open.tests.push({ name, state: word === "PASS" ? "passed" : word === "FAIL" ? "failed" : "skipped" });
  }
  return started !== undefined;
}
