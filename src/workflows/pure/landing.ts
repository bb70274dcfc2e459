import type { TickEvent } from "../../records/event.ts";
import type { EntrySide } from "../../records/evidence.ts";

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
