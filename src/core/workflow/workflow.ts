/**
 * What a workflow is to the kernel.
 *
 * The kernel knows how one piece of work is built, judged, checked, reviewed and settled. A workflow knows which piece
 * comes next, what the builder is told, which gates apply and what becomes of each outcome. All of it is pure: a
 * workflow's state is a fold over the journal of its series, so any process can take a series up and tell it again.
 */
import type * as v from "valibot";
import type { WorkflowName } from "../../contract/agents/agent.ts";
import type { Code, SeriesEnd } from "../../contract/values/codes.ts";
import type { Config } from "../../contract/config/config.ts";
import type { JournalLine, SettleAction, TickEvent } from "../../contract/journal/event.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { ReviewPlan } from "../review/review-plan.ts";
import type { SeriesOver } from "../series/after-tick.ts";
import type { FinishedWork, UnfinishedWork } from "../series/left-work.ts";
import type { JudgedFacts, Outcome } from "../tick/tick-state.ts";
import type { Check } from "../checks/verification-plan.ts";
import type { BuilderBrief, BuilderWords } from "./builder-brief.ts";

export interface Workflow<State> {
  readonly name: v.InferOutput<typeof WorkflowName>;
  /** Its state before anything of the series was recorded. */
  readonly start: State;
  /** Folds one line of the series, in the order of the journal. */
  readonly reduce: (state: State, line: JournalLine) => State;
  /** The next piece of work, or how the series ends. `first` is the state that this process took the series up with. */
  readonly next: (state: State, first: State) => NextWork;
}

export type NextWork =
  | { readonly kind: "work"; readonly work: Work }
  /** A limit of an agent's service has to pass first, or so many milliseconds. */
  | { readonly kind: "wait"; readonly ms?: number }
  /** Whoever knows more than the end says why; the table gives the status where nobody does. */
  | ({ readonly kind: "end"; readonly end: SeriesEnd } & Partial<SeriesOver>);

/** One piece of work: everything about a tick that is not the same in every workflow. */
export interface Work {
  /** Whether a person brought the patch themselves: the cap on patches bounds what orchestrators try. */
  readonly isOwnPatch?: boolean;
  /** Null where an orchestrator is to propose it. */
  readonly task: Task | null;
  /** How large a change may be at most; the task can only ask for less. */
  readonly ceiling: Config["diff_limits"];
  readonly brief: BuilderBrief;
  readonly checks: OwnChecks;
  /** Null where nobody reviews. */
  readonly review: ReviewPlan | null;
  readonly settle: SettlePolicy;
  /**
   * What `scope.default_allowed_globs` mean to its task: a bound that no plan can widen, or what the report tells where a
   * person's own task goes further; absent where the workflow has a scope of its own.
   */
  readonly ceilingOfScope?: "enforced" | "told";
  /** Whether an `execute` task that changes nothing is stopped, unless the task allows it; absent is no. */
  readonly changeRequired?: boolean;
  /** Why a task that is fine by itself cannot be worked on in this series, before anybody is paid to build it. */
  readonly admit?: (task: Task) => TaskRefusal | null;
  /** How long the tick may take, where it is not `runner.max_tick_seconds`. */
  readonly maxSeconds?: number;
  /** Whether its commits go to a branch of the series wherever it began, and not only from a protected one. */
  readonly hasOwnBranch?: boolean;
  /** What an earlier tick had finished before it was cut short: it is judged and settled without a session. */
  readonly finished?: FinishedWork | null;
  /** What the session before had done when a limit ended it, where the next one is to begin from it. */
  readonly continues?: (task: Task) => UnfinishedWork | null;
  /** How many turns the builder has where nobody set a number; absent is no limit but time and money. */
  readonly usualTurns?: number;
  /** What its sessions are given instead of what the configuration says of their roles. */
  readonly roles?: Readonly<Partial<Record<keyof Config["roles"], RoleSettings>>>;
  /** What the runner itself adds to a tick that was judged when it is settled; null or absent is nothing. */
  readonly record?: (ended: EndedWork) => OwnRecord | null;
}

/** The cause of a tick whose finished work could not be taken up: somebody has to do it again. */
export const FINISHED_WORK_LOST = "finished_work_lost";

/** What can be chosen for the sessions of one role. */
export type RoleSettings = Config["roles"]["builder"];

/** A tick that was judged and whose outcome is known, and what its builder proposed. */
export interface EndedWork {
  readonly facts: JudgedFacts;
  readonly outcome: Outcome;
  readonly action: SettleAction;
  readonly seriesId: string;
  readonly proposals: BuilderWords["proposals"];
}

/** What the runner itself writes about a tick. */
export interface OwnRecord {
  /** Texts that are committed with the work, or alone where the work is put back, by path from the workspace. */
  readonly files: Readonly<Record<string, string>>;
  /** The first line of the commit. */
  readonly subject: string;
  /** What the journal remembers of it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Texts for the history of the tick, by file name. */
  readonly logs: Readonly<Record<string, string>>;
  /** Files of the history under a second name, each cut to so many bytes. */
  readonly copies: { readonly bytesMax: number; readonly names: Readonly<Record<string, string>> };
}

/** How a tick ends whose task is refused. */
export interface TaskRefusal {
  readonly code: Extract<Code, "STOP_BREAKER" | "STOP_INTERRUPTED">;
  readonly cause: string;
  readonly message: string;
}

/** Checks that the workflow brings itself, besides the templates that the task names. */
export interface OwnChecks {
  /** How many there are at most; the budget pays for so many. */
  readonly max: number;
  /** Those of this tick and of the next ones: their programs have to be found before anybody is paid. */
  readonly known: readonly Check[];
  /** Those that this change needs, once it was judged. They run after all others. */
  readonly choose: (facts: JudgedFacts) => readonly Check[];
}

type Started = Extract<TickEvent, { type: "tick_started" }>;

interface SettlePolicy {
  readonly onSuccess: Started["on_success"];
  readonly onFailure: NonNullable<Started["on_failure"]>;
}

/** What a workflow does next after these lines, of which only those of its own series count. */
export function decideNextWork<State>(
  { start, reduce, next }: Workflow<State>,
  { lines, seriesId }: { readonly lines: readonly JournalLine[]; readonly seriesId: string },
): NextWork {
  const state = lines.filter(({ series_id }) => series_id === seriesId).reduce(reduce, start);
  return next(state, state);
}
