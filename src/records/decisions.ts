import type { LastSeries, SeriesOptions } from "./series.ts";
import type { BlastRadius } from "./judgement.ts";
import type { Report } from "./report.ts";
import type { WorkspaceState } from "./state.ts";
import type { Code } from "../base/codes.ts";

/** The results of a person's decision about the last tick. */

/** What the person writes about the change, now or in an editor. */
export type OwnMessage = { readonly text: string } | { readonly edits: true };

/** `relais accept`: the change is committed. */
export interface AcceptedChange {
  readonly kind: "committed";
  readonly runId: string;
  readonly commit: string;
  readonly branch: string;
  readonly files: number;
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

/** `relais undo`: the change is reverted. */
export interface UndoneChange {
  readonly kind: "undone";
  readonly runId: string;
  /** The removed commit; null if nothing was committed. */
  readonly commit: string | null;
  readonly branch: string | null;
  /** The branch before the tick, if relais created another one for the commit and HEAD is still on it. */
  readonly beganOn: string | null;
  readonly paths: readonly string[];
  /** Changes outside git's index, such as ignored files: reverted, and not reverted. */
  readonly besides: readonly string[];
  readonly notBack: readonly string[];
  readonly problems: readonly string[];
}

/** `relais salvage apply`: the change is in the working tree again. */
export interface AppliedWork {
  readonly kind: "applied";
  readonly runId: string;
  readonly paths: readonly string[];
  /** How many paths were not kept. */
  readonly leftOut: number;
}

/** `relais answer`: the next plan gets the answer, or the next builder of the person's own task. */
export interface AnsweredQuestion {
  readonly kind: "answered";
  readonly runId: string;
  readonly question: string;
  /** Null if the question was dropped. */
  readonly answer: string | null;
  /** The number of the choice, from 1; null for a free answer. */
  readonly choice: number | null;
  /** The sentence to type again, null where that was none; absent where an orchestrator is told. */
  readonly again?: string | null;
  /** The series that asked, if it can be resumed. */
  readonly series: readonly LastSeries[];
  readonly branch: string | null;
  readonly problems: readonly string[];
}

/** `relais milestone next`: the counters of the milestone begin anew. */
export interface OpenedMilestone {
  readonly kind: "opened";
  /** The tick after which it was opened. */
  readonly runId: string;
  /** Null is named by the next task. */
  readonly milestoneId: string | null;
  /** The name of the one before; null if no task named it. */
  readonly closed: string | null;
  readonly spent: WorkspaceState["budgets"];
  readonly problems: readonly string[];
}

/** The relais that runs here. */
export interface RunningRelais {
  /** Its current tick, or the last one. */
  readonly runId: string;
  readonly pid: number;
  /** Null before its first tick. */
  readonly command: string | null;
  readonly mode: SeriesOptions["mode"];
}

/** `relais pause`: it ends after its tick. */
export interface RequestedPause extends RunningRelais {
  readonly kind: "pausing";
}

/** `relais resume`: it goes on after its tick. */
export interface WithdrawnPause extends RunningRelais {
  readonly kind: "resumed";
}

/** `relais stop`: its process is gone. */
export interface StoppedRunner extends RunningRelais {
  readonly kind: "stopped";
  /** Where its reverted work is kept; null if there was none. */
  readonly salvage: string | null;
}

/** `relais accept RUN` or `relais reject RUN`, about a change that a running relais asks about. */
export interface AskedDecision {
  readonly kind: "decided";
  readonly runId: string;
  /** `edit`: its files changed since it was judged, so it is judged again first. */
  readonly decision: "accept" | "reject" | "edit";
  readonly message: string | null;
}

/** A change that waits for a person: judged and checked, and not settled yet. */
export interface AskedChange {
  readonly runId: string;
  readonly intent: string | null;
  /** The builder's own words. */
  readonly summary: string | null;
  /** `SUCCESS`, or a failed check in a workflow that keeps its attempts. */
  readonly code: Code;
  readonly change: BlastRadius;
  readonly paths: readonly string[];
  readonly pathsTotal: number;
  readonly runs: Report["verification"]["runs"];
  readonly approvals: number;
  readonly isCommitted: boolean;
  readonly until: string;
  readonly root: string;
  /** The whole change as a patch. */
  readonly readPatch: () => Promise<string>;
}

export type PersonDecision =
  | { readonly decision: "accept" }
  | { readonly decision: "reject"; readonly message: string | null }
  /** The person changed the files in the working tree. */
  | { readonly decision: "edit" };

/** Shows the change to the person at the terminal. It may never answer, because another terminal can. */
export type AskPerson = (asked: AskedChange, signal: AbortSignal) => Promise<PersonDecision>;

export interface PruneFolder {
  readonly runId: string;
  readonly startedAt: string;
  readonly bytes: number;
}

export interface PrunePlan {
  readonly removed: readonly PruneFolder[];
  /** Folders beyond the limit that must stay. */
  readonly held: readonly { readonly runId: string; readonly reason: string }[];
}

/** `relais history prune`: what was removed, or would be. */
export interface PrunedHistory extends PrunePlan {
  readonly kind: "pruned";
  readonly isDryRun: boolean;
  /** `history.max_mb`. */
  readonly bytesMax: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Freed in the state directory. */
  readonly privateBytes: number;
  readonly problems: readonly string[];
}

/** Part of the answer of `relais salvage`: reverted commits and ignored files outside of any salvage. */
/** A name that led to a commit or a stash before a rollback. */
interface RescuedCommit {
  readonly at: string;
  readonly ref: string;
  readonly id: string;
}

export interface Rescued {
  readonly objects: string;
  /** Newest first, each once. */
  readonly commits: readonly RescuedCommit[];
  /** Folders with copies of ignored files. */
  readonly folders: readonly string[];
}
