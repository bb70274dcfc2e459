import type { TickEvent } from "./event.ts";

/**
 * Events that promise nothing. If a power cut takes them back, the tick never began, or it is rolled back as after any
 * crash; no session was started and nothing was kept on their word.
 */
const NOTHING: ReadonlySet<string> = new Set<TickEvent["type"]>([
  "tick_started",
  "refused",
  "prepared",
  "planned",
  "baselined",
  "judged",
  "written",
  "verified",
  "reported",
]);

/** Events that say everything themselves: the locks note the first, and the second counts what a session cost. */
const ITSELF: ReadonlySet<string> = new Set<TickEvent["type"]>(["preflight_passed", "build_ended"]);

/** What must be on the disk before anything acts on an event: nothing, its line, or also all files before it. */
export function readPromise({ type }: TickEvent): "nothing" | "line" | "files" {
  if (NOTHING.has(type)) return "nothing";
  return ITSELF.has(type) ? "line" : "files";
}
