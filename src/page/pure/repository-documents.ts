/** What a page shows of whole repositories, and how it is sent. */
import type { Scorecard } from "../../records/scorecard.ts";
import type { DiffPage, PageTone, RunPage, SeriesPage, TickRow, TranscriptPage } from "./page-documents.ts";

export interface Spent {
  readonly cost: number;
  readonly ticks: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

export interface MoneyPage {
  readonly kind: "money";
  readonly total: Spent;
  /** Ticks with a session that reported no cost. */
  readonly unreported: number;
  readonly days: readonly (Spent & { readonly day: string })[];
  readonly agents: readonly (Spent & { readonly name: string })[];
  readonly keptLines: number;
  readonly perKeptLine: number | null;
  /** The newest first; older ones are left out. */
  readonly series: readonly PageSeriesCost[];
  readonly budgets: readonly PageBudget[];
  readonly milestone: string | null;
  /** When each value of the budgets was reached. */
  readonly moments: readonly string[];
}

export interface PageSeriesCost extends Spent {
  readonly seriesId: string;
  readonly command: string;
  readonly startedAt: string;
}

export interface PageBudget {
  readonly name: string;
  readonly used: number;
  /** Only dollars may have none. */
  readonly cap: number | null;
  readonly isDollars: boolean;
  /** How it grew, tick by tick. */
  readonly values: readonly number[];
}

export interface InboxItem {
  readonly kind: string;
  readonly what: string;
  readonly command: string;
  readonly runId: string | null;
  readonly question: { readonly prompt: string; readonly choices: readonly string[] } | null;
  readonly actions: readonly PageAction[];
}

export type PageAction = "answer" | "drop" | "accept" | "reject" | "undo" | "apply" | "pause" | "resume" | "stop";

export type JobAction = "cancel" | "pause" | "resume" | "retry";

/** One job of the queue. */
export interface PageJob {
  readonly id: string;
  readonly command: string;
  readonly title: string;
  /** The branch and commit it began from. */
  readonly from: string;
  readonly word: string;
  readonly tone: PageTone;
  readonly isOver: boolean;
  /** Why it does not start now; of a running one, what it was asked for. */
  readonly waitsFor: string | null;
  readonly worker: string | null;
  /** When its worker was last seen. */
  readonly beatAt: string | null;
  readonly attempt: number;
  /** Null before it spent anything. */
  readonly spent: string | null;
  readonly result: string | null;
  readonly code: string | null;
  readonly branch: string | null;
  readonly attachments: readonly { readonly name: string; readonly bytes: number }[];
  readonly losses: readonly string[];
  readonly submittedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly actions: readonly JobAction[];
}

/** The queue of this user, for all repositories. */
export interface QueuePage {
  readonly isHeld: boolean;
  /** Agents whose service accepts no work now. */
  readonly limits: readonly { readonly agent: string; readonly until: string }[];
  /** The newest first. */
  readonly jobs: readonly PageJob[];
  readonly jobsLeftOut: number;
  readonly trouble: string | null;
}

/** One repository as it is now. */
export interface RepositoryPage {
  readonly kind: "repository";
  readonly branch: string | null;
  readonly running: {
    readonly runId: string;
    readonly pid: number;
    readonly since: string | null;
    readonly waitsUntil: string | null;
    readonly isPausing: boolean;
  } | null;
  /** How many there are; their rows are sent one part after the other. */
  readonly ticks: number;
  readonly series: readonly SeriesRow[];
  readonly inbox: readonly InboxItem[];
  readonly money: MoneyPage;
  /** The tick whose change `undo` would revert. */
  readonly undoable: string | null;
  readonly acceptable: string | null;
  readonly trouble: string | null;
  /** What the last drill came to. */
  readonly scorecard: Scorecard | null;
}

/** One series of the page Now. */
export interface SeriesRow {
  readonly seriesId: string;
  readonly workflow: string;
  readonly command: string;
  /** What it is for. */
  readonly title: string;
  readonly word: string;
  readonly tone: PageTone;
  readonly ticks: number;
  readonly cost: number | null;
  readonly lastRunId: string;
  readonly startedAt: string;
  readonly updatedAt: string;
}

export interface RepositoryName {
  readonly id: string;
  readonly name: string;
  readonly root: string;
}

/** One line of the stream. */
export type StreamLine =
  | {
      readonly kind: "hello";
      readonly version: string;
      readonly isReadOnly: boolean;
      readonly repositories: readonly RepositoryName[];
    }
  | { readonly kind: "ticks"; readonly repository: string; readonly rows: readonly TickRow[] }
  | { readonly kind: "now"; readonly repository: string; readonly page: RepositoryPage }
  | { readonly kind: "queue"; readonly page: QueuePage }
  /** Everything known until now was sent. */
  | { readonly kind: "ready" }
  | { readonly kind: "beat" };

/** Everything that a page in one file shows. */
export interface ReportBundle {
  readonly version: string;
  readonly madeAt: string;
  readonly repository: RepositoryName;
  readonly first: string;
  readonly rows: readonly TickRow[];
  readonly page: RepositoryPage;
  /** By the address that the page asks for. */
  readonly documents: Readonly<Record<string, RunPage | DiffPage | SeriesPage | TranscriptPage>>;
}
