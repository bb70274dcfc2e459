/** go test with `-json`: one event on each line. Every package and every test that started must have ended. */
import * as v from "valibot";
import { OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";

const GoEvent = v.object({ Action: v.string(), Package: v.optional(v.string()), Test: v.optional(v.string()) });
const STATES = new Map([
  ["pass", "passed"],
  ["fail", "failed"],
  ["skip", "skipped"],
] as const);
/** Of the longest line that is read: events with output can be larger, and say nothing. */
const EVENT_CHARS = 20_000;

export function readGoJson({ longLines }: RunnerOutput): readonly RunReading[] {
  const run = new OpenRun("go test");
  const open = new Map<string, "package" | "test">();
  let isBroken = false;
  for (const line of longLines) {
    const event = readEvent(line);
    if (event?.Package === undefined) continue;
    const { Action: action, Package: name, Test: test } = event;
    const id = test === undefined ? name : `${name} > ${test}`;
    if (action === "start" || action === "run") open.set(id, test === undefined ? "package" : "test");
    const state = STATES.get(action === "pass" || action === "fail" || action === "skip" ? action : "pass");
    if (state === undefined || !["pass", "fail", "skip"].includes(action)) continue;
    open.delete(id);
    if (test !== undefined) run.add(id, state);
    else if (state === "passed") isBroken = hasOpenTest(open, name) || isBroken;
  }
  if (run.tests.length === 0 && open.size === 0) return [];
  const isComplete = !isBroken && ![...open.values()].includes("package");
  return [run.end({ counts: run.countListed(), namesKnown: "all", isComplete })];
}

function hasOpenTest(open: ReadonlyMap<string, string>, name: string): boolean {
  return [...open.keys()].some((id) => id.startsWith(`${name} > `));
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
