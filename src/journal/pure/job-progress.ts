/** What the journal of a job says about its work so far, over all attempts. */
import type { JournalLine } from "../../records/event.ts";
import type { JobSpent } from "../../queue/pure/job.ts";
import type { GrowingLines } from "../../records/folded-lines.ts";
import type { Code } from "../../base/codes.ts";
import { RateLimitFold } from "./rate-limit.ts";
import { WorkspaceFold } from "./workspace-state.ts";

export interface JobProgress {
  /** Without the seconds, which the journal does not know. */
  readonly spent: Required<Omit<JobSpent, "seconds">>;
  /** Whether there is a series that the same command resumes. */
  readonly isBegun: boolean;
  /** How the last tick ended; null where none has ended. */
  readonly lastCode: Code | null;
  /** When the service of an agent answers again, where it refused the last session. */
  readonly limit: { readonly agent: string; readonly until: string } | null;
}

export function readProgress(folded: GrowingLines): JobProgress {
  const lines = folded.lines();
  const { allSeries, last } = folded.fold(WorkspaceFold);
  const spent = { ticks: 0, sessions: 0, dollars: 0, tokens: 0 };
  for (const { budgets, tokens } of allSeries.values()) {
    spent.ticks += budgets.ticks;
    spent.sessions += budgets.orchestrator_calls + budgets.builder_calls + budgets.reviewer_calls;
    spent.dollars += budgets.estimated_cost_usd;
    spent.tokens += tokens;
  }
  return {
    spent,
    isBegun: lines.some(({ event }) => event.type === "tick_started" && event.series !== undefined),
    lastCode: last?.code ?? null,
    limit: findLimit(lines, folded.fold(RateLimitFold).limit),
  };
}

function findLimit(lines: readonly JournalLine[], limit: RateLimitFold["limit"]): JobProgress["limit"] {
  if (limit === null) return null;
  const drivers = lines.flatMap(({ run_id, event }) =>
    run_id === limit.runId && (event.type === "build_started" || event.type === "plan_started") ? [event.driver] : [],
  );
  return { agent: drivers.at(-1) ?? "unknown", until: limit.until };
}

/** What was spent since; never less than nothing, because a tick that does not count is refunded. */
export function subtractSpent(now: JobSpent, before: JobSpent): JobSpent {
  const since = (name: keyof JobSpent): number => Math.max(0, (now[name] ?? 0) - (before[name] ?? 0));
  return {
    ticks: since("ticks"),
    sessions: since("sessions"),
    dollars: since("dollars"),
    seconds: since("seconds"),
    tokens: since("tokens"),
  };
}
