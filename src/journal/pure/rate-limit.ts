import type { JournalLine } from "../../records/event.ts";
import type { LineFold, GrowingLines } from "../../records/folded-lines.ts";
import type { WorkspaceState } from "../../records/state.ts";
import { WorkspaceFold } from "./workspace-state.ts";
import type { JobSpent } from "../../queue/pure/job.ts";
import type { Code } from "../../base/codes.ts";

type Caller = "orchestrator" | "builder" | "review";

/** By the service's own word. */
export interface RateLimit {
  readonly runId: string;
  readonly caller: Caller;
  readonly until: string;
  /** Another configuration may use another model or another account. */
  readonly configSha256: string | null;
}

interface OpenTick {
  readonly runId: string;
  readonly configSha256: string | null;
  caller: Caller | null;
  until: string | null;
}

/** The last limit, until a session was answered again. */
export class RateLimitFold implements LineFold {
  limit: RateLimit | null = null;
  private tick: OpenTick | null = null;

  take = ({ run_id: runId, event }: JournalLine): void => {
    if (event.type === "tick_started")
      this.tick = { runId, configSha256: event.config_sha256, caller: null, until: null };
    const { tick } = this;
    if (tick?.runId !== runId) return;
    tick.caller = findCaller(event) ?? tick.caller;
    tick.until = ("until" in event ? event.until : null) ?? tick.until;
    if (event.type === "tick_ended") this.end(tick, event.code);
  };

  /** Between two ticks. */
  save(): string {
    return JSON.stringify(this.limit);
  }

  load(text: string): void {
    this.limit = JSON.parse(text);
  }

  private end({ caller, until, ...tick }: OpenTick, code: string): void {
    this.tick = null;
    // A tick without a session says nothing about a service.
    if (caller === null) return;
    if (code !== "STOP_RATE_LIMITED") this.limit = null;
    else if (until !== null) this.limit = { ...tick, caller, until };
  }
}

function findCaller({ type }: JournalLine["event"]): Caller | null {
  if (type === "plan_started") return "orchestrator";
  if (type === "build_started") return "builder";
  return type === "review_started" ? "review" : null;
}

/** How the budgets of the milestones were used up, tick by tick: the same counts as the state for the next tick. */

export interface BudgetPoint {
  readonly at: string;
  readonly runId: string;
  readonly milestoneId: string | null;
  /** What the milestone had used by then. */
  readonly used: WorkspaceState["budgets"];
}

export class BudgetCourse implements LineFold {
  readonly #fold = new WorkspaceFold();
  /** One list for each milestone; one that came back has another. */
  readonly #courses = new Map<object, BudgetPoint[]>();
  #last: JournalLine | null = null;

  take = (line: JournalLine): void => {
    this.#fold.take(line);
    this.#last = line;
    if (line.event.type !== "tick_ended") return;
    const { milestone } = this.#fold;
    const course = this.#courses.get(milestone) ?? [];
    course.push(this.#makePoint(line));
    this.#courses.set(milestone, course);
  };

  /** Of the milestone of now, with the tick that is not over. */
  list(): readonly BudgetPoint[] {
    const course = this.#courses.get(this.#fold.milestone) ?? [];
    const last = this.#last;
    return last === null || last.event.type === "tick_ended" ? course : [...course, this.#makePoint(last)];
  }

  #makePoint({ at, run_id: runId }: JournalLine): BudgetPoint {
    const { milestoneId, budgets } = this.#fold.milestone;
    return { at, runId, milestoneId, used: { ...budgets } };
  }

  /** Of the milestone of the last of these ticks, and only theirs. */
  listOf(runIds: ReadonlySet<string>): readonly BudgetPoint[] {
    const courses = [...this.#courses.values()].map((course) => course.filter(({ runId }) => runIds.has(runId)));
    return courses.findLast(({ length }) => length > 0) ?? [];
  }
}

/** What the journal of a job says about its work so far, over all attempts. */

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
