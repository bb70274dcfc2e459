/** ava: a list of tests, a line `─`, and its numbers. It prints no number of passed tests if one failed. */
import { matchParts } from "./line-parts.ts";
import { CUT, OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";

const TEST = /^ {2}(✔|✘|-) (?:\[(fail|skip|todo|expected fail)\]:? )?(.*)$/;
const COUNT =
  /^ {2}(\d{1,9}) (tests?|known failures?|uncaught exceptions?|unhandled rejections?)(?: (passed|failed|skipped|todo))?$/;

export function readAva({ lines }: RunnerOutput): readonly RunReading[] {
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
