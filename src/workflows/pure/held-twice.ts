/**
 * When a series ends because a change was held. It goes on from the base, and the next prompt has the finding; but the
 * same rule twice for one leaf, story, task or goal is a matter for a person: a third attempt would only learn to evade.
 */
import type { Config } from "../../config/config.ts";
import type { JournalLine } from "../../records/event.ts";
import { HELD, nameUnit } from "../../records/suspicions.ts";
import { endSeries, type SeriesOver } from "./after-tick.ts";
import { fingerprintTask } from "./breakers.ts";

export interface HeldTicks {
  readonly workflow: string;
  /** What the open tick works for: a planner may give the same words another name. */
  readonly units: readonly string[];
  /** How often each rule held each unit. */
  readonly times: ReadonlyMap<string, number>;
  /** The last tick, if it was held and nobody has seen that yet. */
  readonly last: { readonly runId: string; readonly rule: string; readonly times: number } | null;
}

export const NOTHING_HELD: HeldTicks = { workflow: "", units: [], times: new Map(), last: null };

export function foldHeld(held: HeldTicks, { run_id: runId, event }: JournalLine): HeldTicks {
  const { type } = event;
  if (type === "tick_started") return { ...held, workflow: event.workflow, units: [], last: null };
  // A person who resumes the series has seen what waits.
  if (type === "series_resumed") return { ...held, last: null };
  if (type === "tick_ended") return event.code === HELD ? count(held, runId, event.cause ?? HELD) : held;
  if (type !== "planned") return held;
  const { workflow } = held;
  return { ...held, units: [nameUnit(workflow, event.task.task_id), ...nameWords(workflow, event.task)] };
}

function nameWords(workflow: string, task: Parameters<typeof fingerprintTask>[0]): readonly string[] {
  return workflow === "relay" ? [fingerprintTask(task)] : [];
}

function count(held: HeldTicks, runId: string, rule: string): HeldTicks {
  const times = new Map(held.times);
  const keys = held.units.map((unit) => JSON.stringify([unit, rule]));
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  const most = Math.max(1, ...keys.map((key) => times.get(key) ?? 0));
  return { ...held, times, last: { runId, rule, times: most } };
}

/** For the prompt of the next session. */
export const WAS_HELD = "The change is held for a person and reverted; do it without what it is held for";

const TIMES_MAX = 2;

/** Null where the series goes on. */
export function findHeldEnd({ last }: HeldTicks, { on_suspicion: setting }: Config["loop"]): SeriesOver | null {
  if (last === null || (setting !== "stop" && last.times < TIMES_MAX)) return null;
  const { runId, rule, times } = last;
  const often = times < TIMES_MAX ? "" : ` ${times === TIMES_MAX ? "twice" : `${times} times`} for the same work`;
  const message = `A change was held${often}: rule \`${rule}\`.`;
  const hint = `Look at it with \`relais diff ${runId}\`; keep it with \`relais accept ${runId}\`, or say what is wanted.`;
  return endSeries("needs_human", { reason: HELD, message, hint });
}
