/** prove without `-v`: a line for each file, and the totals. With `-v` the files are TAP documents. */
import { matchParts } from "./line-parts.ts";
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
