/** go test with `-json`: one event on each line. Every package and every test that started must have ended. */
import * as v from "valibot";
import type { TestResult } from "../../contract/evidence/test-report.ts";
import { OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";

const GoEvent = v.object({ Action: v.string(), Package: v.optional(v.string()), Test: v.optional(v.string()) });
const STATES = new Map<string, TestResult["state"]>([
  ["pass", "passed"],
  ["fail", "failed"],
  ["skip", "skipped"],
]);
/** Of the longest line that is read: events with output can be larger, and say nothing. */
const EVENT_CHARS = 20_000;

export function readGoJson({ longLines }: RunnerOutput): readonly RunReading[] {
  const run = new OpenRun("go test");
  /** The open tests of each open package. */
  const open = new Map<string, Set<string>>();
  let isWhole = true;
  for (const line of longLines) {
    const { Action: action = "", Package: name, Test: test } = readEvent(line) ?? {};
    if (name === undefined) continue;
    const tests = open.get(name) ?? new Set<string>();
    if (action === "start" || action === "run") open.set(name, test === undefined ? tests : tests.add(test));
    const state = STATES.get(action);
    if (state === undefined) continue;
    if (test === undefined) {
      isWhole = isWhole && (state !== "passed" || tests.size === 0);
      open.delete(name);
    } else {
      tests.delete(test);
      run.add(`${name} > ${test}`, state);
    }
  }
  if (run.tests.length === 0 && open.size === 0) return [];
  return [run.end({ counts: run.countListed(), namesKnown: "all", isComplete: isWhole && open.size === 0 })];
}

function readEvent(line: string): v.InferOutput<typeof GoEvent> | null {
  if (!line.startsWith("{") || line.length > EVENT_CHARS || !line.includes('"Action"')) return null;
  try {
    const parsed = v.safeParse(GoEvent, JSON.parse(line));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
