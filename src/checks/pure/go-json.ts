/** go test with `-json`: one event on each line. Every package and every test that started must have ended. */
import * as v from "valibot";
import type { TestResult } from "../../records/test-report.ts";
import { OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";

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

export function readGoJson({ longLines }: RunnerOutput): readonly RunReading[] {
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
