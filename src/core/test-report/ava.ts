/** ava: a list of tests, a line `─`, and its numbers. It prints no number of passed tests if one failed. */
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
    const [, mark, label, name = ""] = TEST.exec(line) ?? [];
    if (mark === "✔" || label !== undefined)
      run.add(name, label === "fail" ? "failed" : mark === "✔" && label === undefined ? "passed" : "skipped");
    const ending = COUNT.test(line) && hasEnd ? readEnd(run, lines.slice(index, index + 6)) : null;
    hasEnd = line === "  ─" || (hasEnd && line.trim() === "");
    if (ending === null) continue;
    readings.push(ending);
    run = new OpenRun("ava");
  }
  return readings;
}

function readEnd(run: OpenRun, lines: readonly string[]): RunReading | null {
  const listed = run.countListed();
  const numbers = new Map<string, number>();
  for (const line of lines) {
    const [, count, subject = "", state] = COUNT.exec(line) ?? [];
    if (count === undefined) break;
    numbers.set(state ?? subject.replace(/s$/, ""), Number(count));
  }
  const passed = numbers.get("passed") ?? (numbers.has("failed") ? listed.passed : 0);
  const skipped = (numbers.get("skipped") ?? 0) + (numbers.get("known failure") ?? 0);
  const counts = { passed, failed: numbers.get("failed") ?? 0, skipped, todo: numbers.get("todo") ?? 0 };
  if (!run.agrees(listed.passed, passed)) return null;
  const isComplete = !numbers.has("uncaught exception") && !numbers.has("unhandled rejection");
  return run.end({ counts, namesKnown: run.isCut ? "some" : "all", isComplete });
}
