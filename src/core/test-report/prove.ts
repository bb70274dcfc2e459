/** prove without `-v`: a line for each file, and the totals. With `-v` the files are TAP documents. */
import { CUT, OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";

const FILE = /^(\S+) \.{2,} (?:ok|skipped)\b/;
const DUBIOUS = /^(\S+) \.{2,}$/;
const FAILED = /^Failed (\d{1,9})\/(\d{1,9}) subtests/;
const TOTAL = /^Files=(\d{1,9}), Tests=(\d{1,9}),/;

export function readProve({ lines }: RunnerOutput): readonly RunReading[] {
  const run = new OpenRun("prove");
  let files = 0;
  let failed = 0;
  for (const [index, line] of lines.entries()) {
    if (line === CUT) run.isCut = true;
    if (FILE.test(line) || (DUBIOUS.test(line) && /^Dubious|^Failed/.test(lines[index + 1] ?? ""))) files += 1;
    failed += Number(FAILED.exec(line)?.[1] ?? 0);
    const [, counted, tests] = TOTAL.exec(line) ?? [];
    if (counted === undefined || files === 0 || !run.agrees(files, Number(counted))) continue;
    if (!/^Result: (?:PASS|FAIL|NOTESTS)$/.test(lines[index + 1] ?? "")) continue;
    const counts = { passed: Math.max(0, Number(tests) - failed), failed, skipped: 0, todo: 0 };
    return [run.end({ counts, namesKnown: "none", isComplete: true })];
  }
  return [];
}
