/**
 * cargo test: each test program says how many tests it runs, lists them, and ends with `test result:`. One that was
 * ended from inside has no such line; cargo runs the next one.
 */
import { CUT, matchParts, OpenRun, readNumbers, type RunnerOutput, type RunReading, sumCounts } from "./run-reading.ts";

const RUNNING = /^running (\d{1,9}) tests?$/;
const TEST = /^test (.*) \.\.\. (ok|FAILED|ignored|bench:)(?:,? .*)?$/;
/** With `-q` only failed tests have a name. */
const QUIET_FAILURE = /^(\S.*) --- FAILED$/;
const END = /^test result: (?:ok|FAILED)\. (\d{1,9} passed; .*)$/;
const LETTERS = /^[.Fi]+(?: \d{1,9}\/\d{1,9})?$/;
const TARGET = /^ +(?:Running (?:unittests )?(\S+) \(|Doc-tests (\S+)$)/;

interface CargoRun {
  readonly run: OpenRun;
  readonly expected: number;
  readonly target: string;
  letters: number;
}

export function readCargo({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let open: CargoRun | null = null;
  let target = "";
  for (const line of leaveOutNextest(lines)) {
    const place = matchParts(TARGET, line);
    if (place(0) !== "") target = place(1) + place(2);
    const running = matchParts(RUNNING, line)(1);
    if (running !== "") {
      if (open !== null) readings.push(open.run.interrupt());
      open = { run: new OpenRun("cargo test"), expected: Number(running), target, letters: 0 };
    }
    const ending: RunReading | null = open === null ? null : readCargoLine(open, line);
    if (ending === null) continue;
    readings.push(ending);
    open = null;
  }
  return open === null ? readings : [...readings, open.run.interrupt()];
}

/** nextest shows the output of failed tests, which has the same form. */
function leaveOutNextest(lines: readonly string[]): readonly string[] {
  let isNextest = false;
  return lines.filter((line) => {
    if (/^ +Starting \d{1,9} tests? across /.test(line)) isNextest = true;
    if (/^ +Summary \[/.test(line)) isNextest = false;
    return !isNextest;
  });
}

function readCargoLine(open: CargoRun, line: string): RunReading | null {
  if (line === CUT) open.run.isCut = true;
  if (LETTERS.test(line)) open.letters += line.split(" ", 1).join("").length;
  const quiet = matchParts(QUIET_FAILURE, line)(1);
  const part = matchParts(TEST, line);
  if (part(2) !== "") addCargoTest(open, part(1).replace(/ - should panic$/, ""), part(2));
  else if (quiet !== "") {
    open.letters += 1;
    addCargoTest(open, quiet, "FAILED");
  }
  const text = matchParts(END, line)(1);
  return text === "" ? null : readEnd(open, text);
}

function addCargoTest({ run, target }: CargoRun, name: string, word: string): void {
  const state = word === "FAILED" ? "failed" : word === "ignored" ? "skipped" : "passed";
  run.add(target === "" ? name : `${target} > ${name}`, state);
}

function readEnd({ run, expected, letters }: CargoRun, text: string): RunReading | null {
  const number = readNumbers(text);
  const counts = {
    passed: number("passed") + number("measured"),
    failed: number("failed"),
    skipped: number("ignored"),
    todo: 0,
  };
  if (sumCounts(counts) !== expected) return null;
  const isListed = run.agrees(run.tests.length, expected) || run.agrees(letters, expected);
  // Output of a test can stand in the same line as its name.
  return run.end({ counts, namesKnown: run.knowsNames(expected), isComplete: true, isListed });
}
