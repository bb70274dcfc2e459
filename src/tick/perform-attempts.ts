/**
 * Several sessions instead of one: each works elsewhere, and the best work is written into the place of this tick, where
 * it is judged and checked again.
 */
import type { Attempt, Attempts } from "../records/attempts.ts";
import type { Task } from "../records/task.ts";
import type { TickEvent } from "../records/event.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { listSideBySide } from "../workflows/pure/side-by-side.ts";
import { countLeft } from "./pure/budget.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { compareAttempts } from "./pure/attempt-report.ts";
import { countNoun } from "../base/words.ts";
import { createDispatch } from "../system/drop-folder.ts";
import { readClockMs } from "../system/clock.ts";
import {
  type AttemptsEnd,
  type AttemptsPort,
  readInterruption,
  type RoundPort,
  type RunningTick,
} from "./running-tick.ts";
import { writeMoves } from "./adopt-landing.ts";

export function announceAttempts(
  { tick: { config }, where: { sandbox } }: RunningTick,
  { count }: Pick<AttemptsPort, "count">,
): Extract<TickEvent, { type: "build_started" }> {
  const mode = config.roles.builder.driver ?? config.builder.default_mode;
  return {
    type: "build_started",
    driver: mode === "cursor" ? "command" : mode,
    sandbox: sandbox === null ? "none" : "bubblewrap",
    dispatch: createDispatch(),
    attempts: count,
  };
}

/** Each task of a round has a session; the work of the first is the change of this tick. */
export function announceRound(session: RunningTick, tasks: readonly Task[]): TickEvent {
  const ids = tasks.map(({ task_id }) => task_id);
  return { ...announceAttempts(session, { count: tasks.length }), tasks: ids };
}

/**
 * As many as the budget has builder calls and ticks for, because each lands in a tick of its own, the first in this
 * one. The others are worked on one by one.
 */
export function listRoundTasks(
  {
    tick: {
      config: { budgets },
    },
    record: { journal },
    work: { round },
  }: RunningTick,
  planned: PlannedTasks,
): readonly Task[] {
  const { also = [] } = planned;
  if (round === null || also.length === 0) return [planned.task];
  const state = journal.fold(WorkspaceFold).state(budgets);
  const builders = countLeft(state, budgets, "builder_calls") ?? Infinity;
  const ticks = 1 + (countLeft(state, budgets, "ticks") ?? Infinity);
  return listSideBySide(planned.task, also).slice(0, Math.max(1, Math.min(builders, ticks)));
}

interface PlannedTasks {
  readonly task: Task;
  readonly also?: readonly Task[];
}

export function performAttempts(session: RunningTick, port: AttemptsPort, task: Task): Promise<TickEvent> {
  return conclude(session, () => port.run(session, task));
}

export function performRound(session: RunningTick, port: RoundPort, state: StateIn<"build">): Promise<TickEvent> {
  const ids = state.building.tasks ?? [];
  const tasks = [state.task, ...(state.also ?? [])].filter(({ task_id }) => ids.includes(task_id));
  return conclude(session, () => port.run(session, tasks));
}

async function conclude(session: RunningTick, work: () => Promise<AttemptsEnd>): Promise<TickEvent> {
  const startedAt = readClockMs();
  const { attempts, usage, moves, commits, summary } = await work();
  if (session.tick.signal.aborted)
    return { ...readInterruption(session.tick.signal), type: "refused", usage, attempts };
  if (attempts.chosen === null) return { type: "refused", ...refuseAll(attempts, summary), usage, attempts };
  const refusal = await writeMoves(session, moves);
  if (commits !== null) session.left.commits = commits;
  if (refusal !== null) return refusal;
  const duration_ms = Math.max(0, Math.round(readClockMs() - startedAt));
  return { type: "build_ended", failure: null, builder_output_valid: null, summary, duration_ms, usage, attempts };
}

/** Where one of them gave the task back, a person decides: its words say more than the red checks of the others. */
function refuseAll({ list }: Attempts, words: string | null) {
  const [first] = list;
  if (first?.task_id !== undefined) {
    const { code, message = null, until } = first;
    return { code, cause: null, message, ...(until === undefined ? {} : { until }) };
  }
  const ends = `None of ${countNoun(list.length, "attempt")} passed: ${list.map(nameEnd).join(", ")}.`;
  if (words !== null && list.some(({ code }) => code === "STOP_QUESTION"))
    return { code: "STOP_QUESTION", cause: "no_attempt_passed", message: `${words}\n\n${ends}` } as const;
  const code = list.toSorted(compareAttempts)[0]?.code ?? "STOP_INTERRUPTED";
  return { code, cause: "no_attempt_passed", message: ends };
}

function nameEnd({ number, code }: Attempt): string {
  return `${number} ${code}`;
}
