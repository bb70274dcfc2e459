/**
 * Reads from the output of a check which tests ran, whatever runner printed it. The output comes from the code under
 * test too, so an end counts only if its numbers agree with everything that the runner printed before.
 *
 * What no reader can know: a program that prints the whole output of its runner, list and summary with the right
 * numbers, and then ends the process. The same holds for a runner that lists nothing (vitest with the dot reporter,
 * mocha with another reporter than spec or dot) at the base already, and for a TAP plan of fewer tests, which shows as
 * removed tests. A patched assertion looks like a passing test.
 */
import { TEST_NAME_CHARS, TEST_NAMES_MAX } from "../../records/test-report.ts";
import type { NamesKnown, TestReport } from "../../records/test-report.ts";
import { splitOutput } from "../../records/last-lines.ts";
import { readAva } from "./ava.ts";
import { readCargo } from "./cargo.ts";
import { readGoJson } from "./go-json.ts";
import { readGoText } from "./go-text.ts";
import { readJest } from "./jest.ts";
import { readJunitXml } from "./junit-xml.ts";
import { readMocha } from "./mocha.ts";
import { readNextest } from "./nextest.ts";
import { readNodeSpec } from "./node-spec.ts";
import { splitPrefixed } from "./prefixed-lines.ts";
import { readProve } from "./prove.ts";
import { readPytest } from "./pytest.ts";
import { addCounts, CUT, LINE_MAX, NO_COUNTS, type RunnerReader, type RunReading, sumCounts } from "./run-reading.ts";
import { readTap } from "./tap.ts";
import { readUnittest } from "./unittest.ts";
import { readVitest } from "./vitest.ts";

/** A reader looks at every line, so it runs only if the output has one of its signs. */
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
