/** cargo nextest: `Starting N tests`, a line for each of them, and a summary that repeats the number. */
import { matchParts, readNumbers } from "./run-reading.ts";
import { CUT, OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";

const START = /^ +Starting (\d{1,9}) tests? across /;
const TEST =
  /^ +(?:TRY \d{1,9} )?(PASS|FAIL|SIGSEGV|SIGABRT|SIGKILL|TIMEOUT|LEAK) \[[^\]]{1,30}\] (?:\( *\d{1,9}\/\d{1,9}\) )?(\S.*)$/;
const END = /^ +Summary \[[^\]]{1,30}\] +(\d{1,9})(?:\/\d{1,9})? tests? run: (.*)$/;

interface NextestOpen {
  readonly run: OpenRun;
  readonly expected: string;
  readonly states: Map<string, string>;
}

export function readNextest({ lines }: RunnerOutput): readonly RunReading[] {
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
  const part = matchParts(TEST, line);
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
