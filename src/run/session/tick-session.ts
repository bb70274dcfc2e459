import type { RecipeTexts } from "../../core/checks/recipe-commands.ts";
import type { DriverLimits } from "../../agents/choose-driver.ts";
import type { Driver } from "../../agents/session/driver.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { Report } from "../../contract/documents/report.ts";
import type { LiveListener } from "../../contract/journal/live-event.ts";
import type { OrchestratorPrompt } from "../../core/prompt/orchestrator-prompt.ts";
import type { ReviewPlan } from "../../core/review/review-plan.ts";
import type { BuilderWords } from "../../core/workflow/builder-brief.ts";
import type { Work } from "../../core/workflow/workflow.ts";
import type { CommitIdentity } from "../../io/commit/commit-identity.ts";
import type { Journal } from "../../io/journal/journal.ts";
import type { PinnedHooks } from "../../io/commit/pin-hooks.ts";
import type { Candidate } from "../evidence/in-place.ts";
import type { BuilderTexts, PlanTexts } from "./prompt-files.ts";
import type { TickContext } from "./tick-context.ts";
import type { NoteInLocks } from "../workspace/workspace.ts";

/** An agent that can be called, and what the configuration gives it. */
export interface ReadyAgent {
  readonly driver: Driver;
  readonly limits: DriverLimits;
  readonly model: string;
  /** Who works in its place when it is out of quota, in this order. */
  readonly fallbacks: readonly Omit<ReadyAgent, "fallbacks">[];
}

export interface ReadyBuilder extends ReadyAgent {
  readonly texts: BuilderTexts;
}

export interface ReadyOrchestrator extends ReadyAgent {
  readonly texts: PlanTexts;
}

/** The review of this tick, with its reviewers. */
export interface ReadyReview extends ReadyAgent {
  readonly plan: ReviewPlan;
}

/** Who is called to do the work and to review it. */
interface ReadyAgents extends Omit<Work, "task" | "review"> {
  /** Null where the task needs none. */
  readonly builder: ReadyBuilder | null;
  readonly review: ReadyReview | null;
}

/** The work of this tick: a given task, or an orchestrator that plans one. */
export type ReadyWork = ReadyAgents &
  (
    | { readonly task: Task; readonly orchestrator: null }
    | { readonly task: null; readonly orchestrator: ReadyOrchestrator }
  );

/** A tick in this process: either it runs from its first event on, or one of an earlier process is finished. */
export type TickSession = RunningSession | RecoveringSession;

export interface RunningSession extends SessionParts {
  readonly kind: "running";
  readonly work: ReadyWork;
}

/** Recovery: no planning or building, only rollback and report. */
export interface RecoveringSession extends SessionParts {
  readonly kind: "recovering";
}

/** The context of a tick, its journal, and what only this process has seen. */
interface SessionParts extends TickContext {
  readonly journal: Journal;
  /** Leaves word in the locks that the journal has come this far; from then on its loss is noticed. */
  readonly noteInLocks: NoteInLocks;
  /** Who commits, as it was configured when the tick began. */
  readonly identity: CommitIdentity;
  /** The hooks as they were when the tick began; null runs none. */
  readonly hooks: PinnedHooks | null;
  /** The paths of what git itself runs or obeys in the worktree, as it was configured when the tick began. */
  readonly runByGit: readonly string[];
  /** The recipes that checks may call, as they were when the tick began. */
  readonly recipes: RecipeTexts;
  readonly memory: TickMemory;
  /** How a report reads for a person. Rendering is not the runner's business, so it is handed in. */
  readonly renderReport: (report: Report, maxChars: number) => string;
  /** The live view; absent is none. */
  readonly emit?: LiveListener;
}

/** What one step leaves for a later one of the same process. After a crash it is empty, and every step copes. */
interface TickMemory {
  /** What a patch would make, before it is written. */
  foreseen: Candidate | null;
  candidate: Candidate | null;
  /** What the builder proposed, as far as the workflow asked for it. */
  proposals?: BuilderWords["proposals"];
  /** What the orchestrator is about to be asked. */
  prompt?: OrchestratorPrompt;
  /** What green checks changed and may change: it differs from the candidate and belongs to nobody. */
  tolerated: readonly string[];
  report: Report | null;
  /** What could not be published. */
  problems: readonly string[];
}
