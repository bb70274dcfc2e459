/** cargo nextest: `Starting N tests`, a line for each of them, and a summary that repeats the number. */
import * as v from "valibot";
import {
  addCounts,
  CUT,
  isFileName,
  LINE_MAX,
  matchParts,
  NO_COUNTS,
  OpenRun,
  readNumbers,
  type RunnerOutput,
  type RunnerReader,
  type RunReading,
  splitPrefixed,
  sumCounts,
} from "./run-reading.ts";
import {
  type NamesKnown,
  TEST_NAME_CHARS,
  TEST_NAMES_MAX,
  type TestReport,
  type TestResult,
} from "../../records/test-report.ts";
import { splitOutput } from "../../records/last-lines.ts";
import { readCargo } from "./cargo.ts";
import { readGoText } from "./go-text.ts";
import { readJest } from "./jest.ts";
import { readMocha } from "./mocha.ts";
import { readNodeSpec } from "./node-spec.ts";
import { readPytest } from "./pytest.ts";
import { readTap } from "./tap.ts";
import { readUnittest } from "./unittest.ts";
import { readVitest } from "./vitest.ts";

const START = /^ +Starting (\d{1,9}) tests? across /;
const NEXTEST =
  /^ +(?:TRY \d{1,9} )?(PASS|FAIL|SIGSEGV|SIGABRT|SIGKILL|TIMEOUT|LEAK) \[[^\]]{1,30}\] (?:\( *\d{1,9}\/\d{1,9}\) )?(\S.*)$/;
const END = /^ +Summary \[[^\]]{1,30}\] +(\d{1,9})(?:\/\d{1,9})? tests? run: (.*)$/;

interface NextestOpen {
  readonly run: OpenRun;
  readonly expected: string;
  readonly states: Map<string, string>;
}

function readNextest({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let open: NextestOpen | null = null;
  for (const line of lines) {
    const expected = matchParts(START, line)(1);
    if (expected !== "") {
      if (open !== null) readings.push(open.run.interrupt());
      open = { run: new OpenRun("nextest"), expected, states: new Map() };
    }
    const ending: RunReading | null = open === null ? null : readNextestLine(open, line);
    if (ending === null) continue;
    readings.push(ending);
    open = null;
  }
  return open === null ? readings : [...readings, open.run.interrupt()];
}

function readNextestLine({ run, expected, states }: NextestOpen, line: string): RunReading | null {
  if (line === CUT) run.isCut = true;
  const part = matchParts(NEXTEST, line);
  // With retries the last result counts.
  if (part(1) !== "") states.set(part(2), part(1));
  const end = matchParts(END, line);
  return end(1) === expected ? endNextest(run, states, end(2)) : null;
}

function endNextest(run: OpenRun, states: ReadonlyMap<string, string>, text: string): RunReading {
  for (const [name, word] of states) run.add(name, word === "PASS" || word === "LEAK" ? "passed" : "failed");
  const number = readNumbers(text);
  const failed = number("failed") + number("timed out") + number("exec failed");
  const counts = { passed: number("passed"), failed, skipped: number("skipped"), todo: 0 };
  const ran = counts.passed + failed;
  return run.end({ counts, namesKnown: run.knowsNames(ran), isComplete: true, isListed: run.agrees(states.size, ran) });
}

/** ava: a list of tests, a line `─`, and its numbers. It prints no number of passed tests if one failed. */

const TEST = /^ {2}(✔|✘|-) (?:\[(fail|skip|todo|expected fail)\]:? )?(.*)$/;
const COUNT =
  /^ {2}(\d{1,9}) (tests?|known failures?|uncaught exceptions?|unhandled rejections?)(?: (passed|failed|skipped|todo))?$/;

function readAva({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let run = new OpenRun("ava");
  let hasEnd = false;
  for (const [index, line] of lines.entries()) {
    if (line === CUT) run.isCut = true;
    readAvaTest(run, line);
    const ending = COUNT.test(line) && hasEnd ? readEnd(run, lines.slice(index, index + 6)) : null;
    hasEnd = line === "  ─" || (hasEnd && line === "");
    if (ending === null) continue;
    readings.push(ending);
    run = new OpenRun("ava");
  }
  return readings;
}

function readAvaTest(run: OpenRun, line: string): void {
  const part = matchParts(TEST, line);
  const label = part(2);
  if (label === "" && part(1) !== "✔") return;
  const state = label === "" ? "passed" : label === "fail" ? "failed" : "skipped";
  run.add(part(3), state);
}

function readEnd(run: OpenRun, lines: readonly string[]): RunReading | null {
  const numbers = new Map<string, number>();
  for (const line of lines) {
    const part = matchParts(COUNT, line);
    if (part(1) === "") break;
    numbers.set(part(3) === "" ? part(2).replace(/s$/, "") : part(3), Number(part(1)));
  }
  const get = (word: string): number => numbers.get(word) ?? 0;
  const listed = run.countListed().passed;
  const passed = numbers.has("passed") || !numbers.has("failed") ? get("passed") : listed;
  if (!run.agrees(listed, passed)) return null;
  const counts = { passed, failed: get("failed"), skipped: get("skipped") + get("known failure"), todo: get("todo") };
  const isComplete = get("uncaught exception") + get("unhandled rejection") === 0;
  return run.end({ counts, namesKnown: run.isCut ? "some" : "all", isComplete });
}

/** go test with `-json`: one event on each line. Every package and every test that started must have ended. */

const GoEvent = v.object({ Action: v.string(), Package: v.string(), Test: v.optional(v.string()) });
type GoEvent = v.InferOutput<typeof GoEvent>;
const STATES = new Map<string, TestResult["state"]>([
  ["pass", "passed"],
  ["fail", "failed"],
  ["skip", "skipped"],
]);
/** Of the longest line that is read: events with output can be larger, and say nothing. */
const EVENT_CHARS = 20_000;

interface GoRun {
  readonly run: OpenRun;
  /** The open tests of each open package. */
  readonly open: Map<string, Set<string>>;
  isWhole: boolean;
}

function readGoJson({ longLines }: RunnerOutput): readonly RunReading[] {
  const go: GoRun = { run: new OpenRun("go test"), open: new Map(), isWhole: true };
  let isSeen = false;
  for (const line of longLines) {
    const event = readEvent(line);
    if (event === null) continue;
    isSeen = true;
    readGoEvent(go, event);
  }
  const { run, open, isWhole } = go;
  if (!isSeen) return [];
  return [run.end({ counts: run.countListed(), namesKnown: "all", isComplete: isWhole && open.size === 0 })];
}

function readGoEvent(go: GoRun, { Action: action, Package: name, Test: test }: GoEvent): void {
  const tests = go.open.get(name) ?? new Set<string>();
  if (action === "start" || action === "run") go.open.set(name, tests);
  if (action === "run" && test !== undefined) tests.add(test);
  const state = STATES.get(action);
  if (state === undefined) return;
  if (test === undefined) {
    go.isWhole = go.isWhole && (state !== "passed" || tests.size === 0);
    go.open.delete(name);
  } else {
    tests.delete(test);
    go.run.add(`${name} > ${test}`, state);
  }
}

function readEvent(line: string): GoEvent | null {
  if (!line.startsWith("{") || line.length > EVENT_CHARS || !line.includes('"Action"')) return null;
  try {
    const parsed = v.safeParse(GoEvent, JSON.parse(line));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** JUnit XML that a runner printed. The end is the closing tag of the first suite, or of the group of suites. */

const TAG_CHARS = 2000;

function readJunitXml({ longLines }: RunnerOutput): readonly RunReading[] {
  const text = longLines.join("\n");
  const readings: RunReading[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf("<testsuite", from);
    if (start === -1) return readings;
    const closing = text.startsWith("<testsuites", start) ? "</testsuites>" : "</testsuite>";
    const close = text.indexOf(closing, start);
    const end = close === -1 ? text.length : close;
    const isEmpty = close === -1 && /^<testsuites?\b[^<>]{0,2000}\/>/.test(text.slice(start, start + TAG_CHARS));
    readings.push(readCases(text.slice(start, end), close !== -1 || isEmpty));
    from = end + closing.length;
  }
}

function readCases(text: string, isClosed: boolean): RunReading {
  const run = new OpenRun("JUnit XML");
  for (const part of text.split("<testcase").slice(1)) {
    const tag = part.slice(0, TAG_CHARS);
    const body = part.slice(0, part.indexOf("</testcase>") + 1);
    const name = readAttribute(tag, "name");
    const state = /^[^<>]*\/>/.test(tag) ? "passed" : readState(body);
    run.add(joinName(readAttribute(tag, "classname"), name), state);
    if (state === "passed" && isFileName(name)) run.silentFiles.push(name);
  }
  const counted = countTests(text);
  const isComplete = isClosed && (counted === null || counted === run.tests.length);
  return run.end({ counts: run.countListed(), namesKnown: "all", isComplete });
}

/** Of the outer tag. Whether an inner one counts the tests of suites in it depends on the runner. */
function countTests(text: string): number | null {
  const tag = text.slice(0, Math.max(0, text.indexOf(">"))).slice(0, TAG_CHARS);
  const count = readAttribute(tag, "tests");
  return /^\d{1,9}$/.test(count) ? Number(count) : null;
}

function readState(body: string): "passed" | "failed" | "skipped" {
  if (body.includes("<failure") || body.includes("<error")) return "failed";
  return body.includes("<skipped") ? "skipped" : "passed";
}

const joinName = (group: string, name: string): string => (group === "" ? name : `${group} > ${name}`);

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function readAttribute(tag: string, key: string): string {
  const start = tag.indexOf(` ${key}="`);
  if (start === -1) return "";
  const from = start + key.length + 3;
  const value = tag.slice(from, Math.max(from, tag.indexOf('"', from)));
  return value.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => ENTITIES[entity] ?? "");
}

/** prove without `-v`: a line for each file, and the totals. With `-v` the files are TAP documents. */

const FILE = /^(\S+) \.{2,} (?:ok|skipped)\b/;
const DUBIOUS = /^(\S+) \.{2,}$/;
const FAILED = /^Failed (\d{1,9})\/(\d{1,9}) subtests/;
const TOTAL = /^Files=(\d{1,9}), Tests=(\d{1,9}),/;

function readProve({ lines }: RunnerOutput): readonly RunReading[] {
  const run = new OpenRun("prove");
  let files = 0;
  let failed = 0;
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? "";
    if (line === CUT) run.isCut = true;
    if (isFileLine(line, next)) files += 1;
    failed += Number(matchParts(FAILED, line)(1));
    const total = matchParts(TOTAL, line);
    const isEnd = total(1) !== "" && /^Result: (?:PASS|FAIL|NOTESTS)$/.test(next);
    if (!isEnd || files === 0 || !run.agrees(files, Number(total(1)))) continue;
    const counts = { passed: Math.max(0, Number(total(2)) - failed), failed, skipped: 0, todo: 0 };
    return [run.end({ counts, namesKnown: "none", isComplete: true })];
  }
  return [];
}

function isFileLine(line: string, next: string): boolean {
  return FILE.test(line) || (DUBIOUS.test(line) && /^Dubious|^Failed/.test(next));
}

/**
 * Reads from the output of a check which tests ran, whatever runner printed it. The output comes from the code under
 * test too, so an end counts only if its numbers agree with everything that the runner printed before.
 *
 * What no reader can know: a program that prints the whole output of its runner, list and summary with the right
 * numbers, and then ends the process. The same holds for a runner that lists nothing (vitest with the dot reporter,
 * mocha with another reporter than spec or dot) at the base already, and for a TAP plan of fewer tests, which shows as
 * removed tests. A patched assertion looks like a passing test.
 */

/**
 * A reader looks at every line, so it runs only if the output has one of its signs. A new one comes with short real outputs
 * (pass, failure, skip, an exit from inside, no tests) in `test/fixtures/test-output/` and in
 * `test/checks/pure/fixture-table.ts`.
 */
const READERS: readonly { readonly read: RunnerReader; readonly signs: readonly string[] }[] = [
  { read: readTap, signs: ["ok 1", "1..", "TAP version"] },
  { read: readNodeSpec, signs: ["ms)", "ℹ tests "] },
  { read: readVitest, signs: ["RUN  v", "DEV  v"] },
  { read: readJest, signs: ["PASS ", "FAIL ", "No tests found", "process.exit called"] },
  { read: readAva, signs: ["  ─"] },
  { read: readMocha, signs: ["✔", "✓", " passing ("] },
  { read: readPytest, signs: ["test session starts", " passed", "no tests ran", " failed", " error", "[100%]"] },
  { read: readUnittest, signs: [" ... ", "Ran "] },
  { read: readGoText, signs: ["=== RUN", "ok  \t", "FAIL\t", "[no test files]"] },
  { read: readGoJson, signs: ['"Action"'] },
  { read: readCargo, signs: ["running "] },
  { read: readNextest, signs: [" tests across ", " test across "] },
  { read: readProve, signs: ["Files="] },
  { read: readJunitXml, signs: ["<testsuite"] },
];

/** Of a longer output, the middle is left out. */
const LINES_MAX = 100_000;

/** Null if no runner is recognised. If the middle of the output is missing, `tail` is its second part. */
export function readTestReport(output: string, tail?: string): TestReport | null {
  const longLines = leaveOutMiddle([
    ...splitOutput(output),
    ...(tail === undefined ? [] : [CUT, ...splitOutput(tail)]),
  ]);
  const readings = readLines(longLines);
  const found = readings.length > 0 ? readings : readPrefixed(longLines);
  return found.length === 0 ? null : sumReadings(found);
}

function readPrefixed(longLines: readonly string[]): readonly RunReading[] {
  for (const packages of splitPrefixed(longLines)) {
    const readings = packages.filter((lines) => lines.length > 1).flatMap(readLines);
    if (readings.length > 0) return readings;
  }
  return [];
}

function readLines(longLines: readonly string[]): readonly RunReading[] {
  const lines = longLines.map((line) => (line.length > LINE_MAX ? line.slice(0, LINE_MAX) : line));
  const text = longLines.join("\n");
  const readers = READERS.filter(({ signs }) => signs.some((sign) => text.includes(sign)));
  const readings = readers.flatMap(({ read }) => read({ lines, longLines }));
  const sure = readings.filter(({ isWeak }) => !isWeak);
  return sure.length > 0 ? sure : readings;
}

function leaveOutMiddle(lines: readonly string[]): readonly string[] {
  if (lines.length <= LINES_MAX) return lines;
  return [...lines.slice(0, LINES_MAX / 2), CUT, ...lines.slice(-LINES_MAX / 2)];
}

function sumReadings(readings: readonly RunReading[]): TestReport {
  const tests = readings.flatMap((reading) => reading.tests);
  return {
    runners: [...new Set(readings.map(({ runner }) => runner))],
    counts: readings.map(({ counts }) => counts).reduce(addCounts, NO_COUNTS),
    tests: tests.slice(0, TEST_NAMES_MAX).map(({ name, state }) => ({ name: cutName(name), state })),
    namesKnown: tests.length > TEST_NAMES_MAX ? "some" : joinNamesKnown(readings),
    isComplete: readings.every(({ isComplete }) => isComplete),
    isListed: readings.every(({ isListed }) => isListed),
    silentFiles: readings
      .flatMap(({ silentFiles }) => silentFiles)
      .slice(0, TEST_NAMES_MAX)
      .map(cutName),
  };
}

const cutName = (name: string): string => name.slice(0, TEST_NAME_CHARS);

function joinNamesKnown(readings: readonly RunReading[]): NamesKnown {
  const known = new Set(readings.filter(({ counts }) => sumCounts(counts) > 0).map(({ namesKnown }) => namesKnown));
  const isWhole = readings.every(({ isComplete }) => isComplete);
  if (!isWhole) return readings.some(({ tests }) => tests.length > 0) ? "some" : "none";
  return known.size > 1 ? "some" : ([...known][0] ?? "all");
}
