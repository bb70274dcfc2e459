import type { PromptSize } from "../records/review.ts";
import type { AskPerson } from "../records/decisions.ts";
import type { RecipeTexts } from "../checks/pure/recipe-commands.ts";
import type { DriverLimits } from "../agents/choose-driver.ts";
import type { Driver } from "../agents/driver.ts";
import type { Attempt, Attempts } from "../records/attempts.ts";
import type { Task } from "../records/task.ts";
import type { Report } from "../records/report.ts";
import type { LiveListener } from "../records/live-event.ts";
import type { OrchestratorPrompt } from "./pure/orchestrator-prompt.ts";
import type { ReviewPlan } from "../checks/pure/review-plan.ts";
import type { BuilderWords, LandingCommits, LandingMove, Work } from "../workflows/pure/workflow.ts";
import type { CommitIdentity } from "../store/commit-identity.ts";
import type { Journal } from "../journal/journal.ts";
import type { PinnedHooks } from "../store/pin-hooks.ts";
import type { Candidate, Workplace } from "../place/workplace.ts";
import type { BuilderTexts, PlanTexts } from "./prompt-files.ts";
import type { NoteInLocks, RenderReport } from "../workspace/workspace.ts";
import type { Config } from "../config/config.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { FilterSettings } from "../git/filter-settings.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { SandboxPrograms } from "../sandbox/bubblewrap.ts";
import type { TickEvent } from "../records/event.ts";

export interface ReadyAgent {
  readonly driver: Driver;
  readonly limits: DriverLimits;
  readonly model: string;
  /** Used in this order when it is out of quota. */
  readonly fallbacks: readonly Omit<ReadyAgent, "fallbacks">[];
}

export interface ReadyBuilder extends ReadyAgent {
  readonly texts: BuilderTexts;
}

export interface ReadyOrchestrator extends ReadyAgent {
  readonly texts: PlanTexts;
}

export interface ReadyReview extends ReadyAgent {
  readonly plan: ReviewPlan;
  /** Reviewers with an agent of their own, by name. */
  readonly others: ReadonlyMap<string, ReadyAgent>;
}

interface ReadyAgents extends Omit<Work, "task" | "review"> {
  readonly builder: ReadyBuilder | null;
  readonly review: ReadyReview | null;
}

export type ReadyWork = ReadyAgents &
  (
    | { readonly task: Task; readonly orchestrator: null }
    | { readonly task: null; readonly orchestrator: ReadyOrchestrator }
  );

/** A tick in this process: it runs from its first event, or it began in an earlier process and is recovered. */
export type OpenTick = RunningTick | RecoveringTick;

/** Six parts, and only `left` changes while the tick runs. */
export interface RunningTick extends TickParts {
  readonly kind: "running";
  readonly work: TickWork;
}

/** Only rollback and report. */
export interface RecoveringTick extends TickParts {
  readonly kind: "recovering";
}

interface TickParts {
  readonly tick: TickSettings;
  readonly where: TickPlaces;
  readonly pinned: Pinned;
  readonly record: Recorder;
  readonly left: LeftBehind;
}

interface TickSettings {
  readonly runId: string;
  readonly seriesId: string;
  readonly config: Config;
  readonly configText: string;
  /** For its commits where they may not go to the one that is checked out. */
  readonly ownBranch: string;
  /** The checks that the configuration requires before the choices of the command line. */
  readonly required: readonly string[];
  readonly signal: AbortSignal;
  /** It moves only while a person is asked. */
  readonly deadlineAt: number;
}

/** Where it works, and where its files lie. */
export interface TickPlaces extends Workplace {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** The folder of this tick in the state directory: task, evidence, logs, transcripts. */
  readonly runDirectory: string;
  readonly workspace: string;
  readonly store: ContentStore;
  /** The programs of the sandbox around agents and checks; null where there is none. */
  readonly sandbox: SandboxPrograms | null;
}

/** The person's git and recipes as they were when the tick began. */
interface Pinned {
  readonly settings: FilterSettings;
  readonly identity: CommitIdentity;
  /** Null runs none. */
  readonly hooks: PinnedHooks | null;
  /** What they had not committed, as byte strings, where the tick takes that as its base. */
  readonly uncommitted: readonly string[];
  /** Worktree paths that git itself runs or obeys. */
  readonly runByGit: readonly string[];
  /** The recipes that checks may call. */
  readonly recipes: RecipeTexts;
  /** Programs of checks inside the repository, as globs: found on the PATH. */
  readonly insidePrograms: readonly string[];
}

/** Who hears what happened. */
interface Recorder {
  readonly journal: Journal;
  /** Notes the end of the journal in the locks, so that its loss is noticed. */
  readonly noteInLocks: NoteInLocks;
  /** Rendering is not the runner's business, so it is handed in. */
  readonly renderReport: RenderReport;
  readonly emit?: LiveListener;
}

/** What one step leaves for a later one. After a crash it is empty, and every step copes. */
interface LeftBehind {
  /** By the judge: of a patch, before it is written. */
  foreseen: Candidate | null;
  /** The change as the judge collected it, or a step that looked again after it. */
  candidate: Candidate | null;
  /** By the settling: of the document about the work that was kept. */
  keptSha256?: string;
  /** By sessions other than the builder's: what the sandbox refused to them, for the notes. */
  refusals?: readonly string[];
  /** By the builder, as far as the workflow asked for them. */
  proposals?: BuilderWords["proposals"];
  /** By the attempts: commits that hold exactly their change. */
  commits?: LandingCommits;
  /** By the plan. */
  prompt?: OrchestratorPrompt;
  /** By the builder. */
  builderPrompt?: PromptSize;
  /** By the checks: paths that they may change, so that these differ from the candidate. */
  tolerated: readonly string[];
  /** By a step that has recorded events itself: the state of the tick has not seen them yet. Absent is nothing. */
  noted?: readonly TickEvent[];
  /** By the question: how long the tick waited for a person. */
  askedMs: number;
  /** By the report. */
  report: Report | null;
  /** By anybody. */
  problems: readonly string[];
}

/** The work of this tick, and who takes part in it. */
type TickWork = ReadyWork & {
  /** Several sessions work side by side, each elsewhere; null is the usual one. */
  readonly attempts: AttemptsPort | null;
  /** How the tasks of an answer are worked on side by side; null if each answer has one. */
  readonly round: RoundPort | null;
  /** Whether a person decides about each change, and who is at the terminal; null if nobody is asked. */
  readonly ask: { readonly timeoutSeconds: number; readonly person: AskPerson | null } | null;
};

/** Several tasks of one answer are worked on side by side, each elsewhere. */
export interface RoundPort {
  readonly run: (session: RunningTick, tasks: readonly Task[]) => Promise<AttemptsEnd>;
}

/** How attempts are made and compared. */
export interface AttemptsPort {
  readonly count: number;
  readonly run: (session: RunningTick, task: Task) => Promise<AttemptsEnd>;
}

export interface AttemptsEnd {
  readonly attempts: Attempts;
  /** What all attempts used together; null if none reported it. */
  readonly usage: NonNullable<Attempt["usage"]> | null;
  /** The work of the chosen one; its content is in the content store. */
  readonly moves: readonly LandingMove[];
  /** Its commits, if they stay as they are. */
  readonly commits: LandingCommits | null;
  readonly summary: string | null;
}

export function leaveNothing(): LeftBehind {
  return { foreseen: null, candidate: null, tolerated: [], askedMs: 0, report: null, problems: [] };
}

export const TICK_TIMEOUT: Extract<TickEvent, { type: "interrupted" }> = {
  type: "interrupted",
  code: "STOP_TICK_TIMEOUT",
  cause: "tick_timeout",
  message: null,
};

/** The reason of the abort is the name of the signal. */
export function readInterruption(signal: AbortSignal): Extract<TickEvent, { type: "interrupted" }> {
  const reason: unknown = signal.reason;
  const cause = typeof reason === "string" ? reason.toLowerCase() : "stopped";
  return { type: "interrupted", code: "STOP_INTERRUPTED", cause, message: null };
}
