/** cargo nextest: `Starting N tests`, a line for each of them, and a summary that repeats the number. */
import { CUT, OpenRun, readNumbers, type RunnerOutput, type RunReading } from "./run-reading.ts";

const START = /^ +Starting (\d{1,9}) tests? across /;
const TEST =
  /^ +(?:TRY \d{1,9} )?(PASS|FAIL|SIGSEGV|SIGABRT|SIGKILL|TIMEOUT|LEAK) \[[^\]]{1,30}\] (?:\( *\d{1,9}\/\d{1,9}\) )?(\S.*)$/;
const END = /^ +Summary \[[^\]]{1,30}\] +(\d{1,9})(?:\/\d{1,9})? tests? run: (.*)$/;

export function readNextest({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let open: { readonly run: OpenRun; readonly expected: number; readonly states: Map<string, string> } | null = null;
  for (const line of lines) {
    const expected = START.exec(line)?.[1];
    if (expected !== undefined) {
      if (open !== null) readings.push(open.run.interrupt());
      open = { run: new OpenRun("nextest"), expected: Number(expected), states: new Map() };
    }
    if (open === null) continue;
    if (line === CUT) open.run.isCut = true;
    const [, word, name = ""] = TEST.exec(line) ?? [];
    // With retries the last result counts.
    if (word !== undefined) open.states.set(name, word);
    const [, ran, text = ""] = END.exec(line) ?? [];
    if (ran === undefined || Number(ran) !== open.expected) continue;
    readings.push(endNextest(open.run, open.states, text));
    open = null;
  }
  return open === null ? readings : [...readings, open.run.interrupt()];
}

function endNextest(run: OpenRun, states: ReadonlyMap<string, string>, text: string): RunReading {
  for (const [name, word] of states) run.add(name, word === "PASS" || word === "LEAK" ? "passed" : "failed");
  const number = readNumbers(text);
  const failed = number("failed") + number("timed out") + number("exec failed");
  const counts = { passed: number("passed"), failed, skipped: number("skipped"), todo: 0 };
  const ran = counts.passed + failed;
  return run.end({ counts, namesKnown: run.knowsNames(ran), isComplete: true, isListed: run.agrees(states.size, ran) });
}
