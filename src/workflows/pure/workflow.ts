import type * as v from "valibot";
import { BuilderResult, type GivenBack } from "../../records/builder-result.ts";
import { joinProblems, parseWith } from "../../base/schema-error.ts";
import { type ExtractRefusal, extractAnswer } from "../../base/strict-json.ts";
import type { DecisionNote, TickEvent, JournalLine, SettleAction } from "../../records/event.ts";
import type { EntrySide, Rules } from "../../records/evidence.ts";
import type { WorkflowName } from "../../records/agent.ts";
import type { Code, SeriesEnd } from "../../base/codes.ts";
import type { Config } from "../../config/config.ts";
import type { Attempt } from "../../records/attempts.ts";
import type { Task } from "../../records/task.ts";
import type { ReviewPlan } from "../../checks/pure/review-plan.ts";
import type { SeriesOver } from "./after-tick.ts";
import type { FinishedWork, UnfinishedWork } from "./left-work.ts";
import type { RepairWork } from "../../tick/pure/repair.ts";
import type { JudgedFacts, Outcome } from "../../tick/pure/tick-state.ts";
import type { Check } from "../../checks/pure/verification-plan.ts";

export interface BuilderBrief {
  /** Null if TASK.json says everything. */
  readonly prompt: string | null;
  readonly files: Readonly<Record<string, string>>;
  /** Other files that it may leave there: the name and the size limit. */
  readonly proposals: Readonly<Record<string, number>>;
  /** Among those that the configuration grants; absent is all of them. */
  readonly tools?: readonly string[];
  readonly schema: string;
  readonly read: (left: BuilderWords) => ReadWords;
  /** Whether an unreadable result is a failure whatever the configuration says. */
  readonly isStrict?: boolean;
}

/** As unread bytes. */
export interface BuilderWords {
  readonly result: Uint8Array;
  readonly proposals: ReadonlyMap<string, Uint8Array>;
  /** Proposals that were refused, with the reason. */
  readonly refused?: ReadonlyMap<string, string>;
}

type ReadWords =
  | {
      readonly kind: "valid";
      readonly summary: string;
      readonly data: Readonly<Record<string, unknown>> | null;
    }
  /** It did not do the task, and says why. */
  | { readonly kind: "given_back"; readonly cause: GivenBack; readonly words: string }
  | { readonly kind: "invalid"; readonly cause: string; readonly message: string };

/** TASK.json and the usual result, nothing else. */
export const TASK_ONLY: BuilderBrief = {
  prompt: null,
  files: {},
  proposals: {},
  schema: "builder_result",
  read: ({ result }) => {
    const read = readBuilderResult(result);
    if (read.kind === "invalid") return read;
    const { summary, outcome, evidence } = read.result;
    if (outcome === "done") return { kind: "valid", summary, data: null };
    const shown = evidence.trim() === "" ? "" : `\n\nEvidence: ${evidence.trim()}`;
    return { kind: "given_back", cause: outcome, words: `${summary}${shown}` };
  },
};

type ReadBuilderResult =
  | { readonly kind: "valid"; readonly result: BuilderResult }
  | {
      readonly kind: "invalid";
      readonly cause: `result_${ExtractRefusal | "invalid"}`;
      readonly message: string;
    };

export function readBuilderResult(data: Uint8Array): ReadBuilderResult {
  const extracted = extractAnswer(data);
  if (extracted.kind === "refused")
    return { kind: "invalid", cause: `result_${extracted.cause}`, message: extracted.message };
  const result = parseWith(BuilderResult, extracted.value);
  if (result.kind === "valid") return { kind: "valid", result: result.value };
  return { kind: "invalid", cause: "result_invalid", message: joinProblems(result.problems) };
}

/** A change that was made beside the worktree, on top of what the worktree has now. */
export interface Landing {
  /** A run, a job or a branch, for people. */
  readonly name: string;
  readonly moves: readonly LandingMove[];
  /** Commits that stay as they are; null makes one commit of the change, or none. */
  readonly commits: LandingCommits | null;
  readonly summary: string;
  /** Files that the runner itself adds to the commits, by path from the workspace; absent is none. */
  readonly own?: Readonly<Record<string, string>>;
  /** Why it cannot land: its tick records it; absent lands it. */
  readonly refusal?: LandingRefusal;
  /** Who accepted this held run; absent is nobody. */
  readonly accepted?: DecisionNote;
}

type Refused = Extract<TickEvent, { type: "refused" }>;
export type LandingRefusal = Omit<Refused, "type" | "usage" | "attempts" | "question">;

export interface LandingMove {
  /** A byte string, relative to the root. */
  readonly path: string;
  readonly from: EntrySide | null;
  /** Its content is in the content store. */
  readonly to: EntrySide | null;
}

export interface LandingCommits {
  /** The parent of the first one. */
  readonly base: string;
  readonly tip: string;
  /** The tree of the last one. */
  readonly tree: string;
}

/**
 * The interface of a workflow. It chooses the next work, its prompt, its gates and how each outcome is settled; the
 * kernel does the rest. All of it is pure: the state is a fold of the journal of the series, so any process can resume
 * it.
 */

export interface Workflow<State> {
  readonly name: v.InferOutput<typeof WorkflowName>;
  readonly start: State;
  readonly reduce: (state: State, line: JournalLine) => State;
  /** `first` is the state with which this process started. */
  readonly next: (state: State, first: State) => NextWork;
}

export type NextWork =
  | {
      readonly kind: "work";
      readonly work: Work;
      /** What was made beside earlier, and lands now; absent is nothing. */
      readonly lands?: Attempt;
    }
  /** Waits for a limit of an agent's service, or for this many milliseconds. */
  | { readonly kind: "wait"; readonly ms?: number }
  /** Without a reason and an exit status, the table of ends gives them. */
  | ({ readonly kind: "end"; readonly end: SeriesEnd } & Partial<SeriesOver>);

/** Everything about a tick that differs between workflows. */
export interface Work {
  /** The cap on patches does not apply to a person's own patch. */
  readonly isOwnPatch?: boolean;
  /** Null if an orchestrator proposes it. */
  readonly task: Task | null;
  /** What a person typed, or gave as a file: it lifts the protected paths that it names. Absent is nothing. */
  readonly typed?: string;
  /** Whether a person's sentence asks for other tests; absent is no. */
  readonly asksForTests?: boolean;
  /** What a person accepted of a held change: these suspicions are lifted; absent is nothing. */
  readonly accepted?: Rules["accepted"];
  /** Suspicions of text are notes; absent: they hold the change. */
  readonly suspicions?: "note";
  /** How many tasks the orchestrator may propose at once; absent is one. */
  readonly tasksMax?: number;
  /** Whether a plan may be made although the milestone is spent, because it may open another; absent is no. */
  readonly mayOpenMilestone?: boolean;
  /** What a later tick needs to look at this work: it is paid for nothing if that cannot be paid. Absent is nothing. */
  readonly leadsTo?: { readonly checks: boolean; readonly review: boolean };
  /** Checks that may fail before the work, besides those that the task names; absent is none. */
  readonly fixes?: readonly string[] | undefined;
  /** The largest change; the task can only ask for less. */
  readonly ceiling: Config["diff_limits"];
  readonly brief: BuilderBrief;
  readonly checks: OwnChecks;
  readonly review: ReviewPlan | null;
  readonly settle: SettlePolicy;
  /**
   * The meaning of `scope.default_allowed_globs` for its task: a limit for every plan, or a note in the report if a
   * person's own task exceeds it; absent if the workflow has its own scope.
   */
  readonly ceilingOfScope?: "enforced" | "told";
  /** A person forbids new files, whatever the task says; absent leaves it to the task. */
  readonly forbidsNewFiles?: true;
  /** Whether an `execute` task without changes is stopped, unless the task allows it; absent is no. */
  readonly changeRequired?: boolean;
  /** Why a valid task does not fit this series, before a builder is paid. */
  readonly admit?: (task: Task) => TaskRefusal | null;
  /** Replaces `runner.max_tick_seconds`. */
  readonly maxSeconds?: number;
  /** A person wants it to begin with what they have not committed; absent refuses such a tree. */
  readonly takesUncommitted?: true;
  /** A person's act: its commits go to the branch that they are on, protected or not. */
  readonly commitsHere?: true;
  /** What that person wants the commit to say; absent is a draft in the style of the repository. */
  readonly message?: string;
  /** Whether its commits always go to a branch of the series, not only from a protected branch. */
  readonly hasOwnBranch?: boolean;
  /** The finished work of an interrupted tick: it is judged and settled without a session. */
  readonly finished?: FinishedWork | null;
  /** A change from elsewhere: it is judged and settled without a session. */
  readonly landing?: Landing | null;
  /** The work of a session that a limit ended; the next session starts from it. */
  readonly continues?: (task: Task) => UnfinishedWork | null;
  /** The builder's program keeps what was said, for a repair; absent is no. */
  readonly keepsSession?: true;
  /** It goes on from the refused work of an earlier tick; absent begins anew. */
  readonly repair?: RepairWork;
  /** The default turns of the builder; absent is no limit but time and money. */
  readonly usualTurns?: number;
  /** Replaces the configured settings of a role. */
  readonly roles?: Readonly<Partial<Record<keyof Config["roles"], RoleSettings>>>;
  /** What the runner adds when a judged tick is settled. */
  readonly record?: (ended: EndedWork) => OwnRecord | null;
}

/** The cause of a tick whose finished work was lost: it must be done again. */
export const FINISHED_WORK_LOST = "finished_work_lost";

export const NO_CHECKS: OwnChecks = { max: 0, known: [], choose: () => [] };

/** Before the first worker is paid; a later tick runs them on the work. */
export function checkBaseOnly(base: readonly Check[]): OwnChecks {
  return { ...NO_CHECKS, known: base, base };
}

/** The limits of a workflow as the ceiling of its tasks. */
export function makeCeiling({ max_files_touched, max_lines_changed }: Config["goal"]["diff_limits"]): Work["ceiling"] {
  return { default_max_files_touched: max_files_touched, default_max_lines_changed: max_lines_changed };
}

export type RoleSettings = Config["roles"]["builder"];

export interface EndedWork {
  readonly facts: JudgedFacts;
  readonly outcome: Outcome;
  readonly action: SettleAction;
  readonly seriesId: string;
  readonly proposals: BuilderWords["proposals"];
}

export interface OwnRecord {
  /** Committed with the work, or alone if the work is reverted, by path from the workspace. */
  readonly files: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly logs: Readonly<Record<string, string>>;
  /** Files of the history under a second name, with a size limit. */
  readonly copies: { readonly bytesMax: number; readonly names: Readonly<Record<string, string>> };
}

export interface TaskRefusal {
  readonly code: Extract<Code, "STOP_BREAKER" | "STOP_INTERRUPTED">;
  readonly cause: string;
  readonly message: string;
}

/** Besides the templates that the task names. */
export interface OwnChecks {
  /** The budget reserves this many. */
  readonly max: number;
  /** Those of this tick and of the next ones: their programs have to be found before anybody is paid. */
  readonly known: readonly Check[];
  /** Those that also run before the first paid session, besides those of the task; absent is none. */
  readonly base?: readonly Check[];
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
