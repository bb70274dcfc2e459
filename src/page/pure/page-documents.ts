/**
 * What a page shows, as plain data: made from the journal by the functions beside it, sent as JSON, and drawn by a page
 * that decides nothing itself.
 */
export type PageTone = "good" | "bad" | "wait" | "calm";

/** One tick in a list. */
export interface TickRow {
  readonly runId: string;
  readonly seriesId: string;
  readonly workflow: string;
  /** What was typed to start it. */
  readonly command: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly word: string;
  readonly tone: PageTone;
  readonly code: string | null;
  readonly reason: string | null;
  readonly intent: string | null;
  /** The step of a tick that is not over. */
  readonly step: string | null;
  readonly stepSince: string | null;
  readonly limitMs: number | null;
  /** Null where the change was never measured. */
  readonly files: number | null;
  readonly added: number;
  readonly deleted: number;
  /** In dollars, as far as agents reported it; null is "not reported". */
  readonly cost: number | null;
  /** The folder that it works in; null where that is not known. */
  readonly worktree: string | null;
  readonly change: "kept" | "committed" | "reverted" | "undone" | null;
  /** Until when its change waits for a decision. */
  readonly asksUntil: string | null;
}

export interface PhaseBar {
  readonly step: string;
  readonly from: string;
  /** Null while it lasts. */
  readonly to: string | null;
  readonly tone: PageTone;
}

export interface PageCheck {
  readonly name: string;
  readonly command: string;
  readonly when: "before" | "after";
  readonly isGreen: boolean;
  readonly words: string;
  readonly durationMs: number;
  readonly lastLines: readonly string[];
}

export interface PageFinding {
  readonly subject: string;
  readonly rule: string;
  readonly code: string;
}

/** A finding about a file of the change. */
export interface PlacedFinding extends PageFinding {
  /** A line after the change; null where it is about the file, or where its line is not shown. */
  readonly line: number | null;
}

export interface PageVote {
  readonly name: string;
  readonly tone: PageTone;
  readonly vote: string;
  readonly text: string;
}

export interface PageUsage {
  readonly role: string;
  readonly agent: string;
  readonly cost: number | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
}

export interface PageEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly words: string;
}

export interface PageStep {
  readonly command: string;
  readonly explains: string;
}

export interface RunPage {
  readonly kind: "run";
  readonly row: TickRow;
  /** The meaning of the code, and what to do about it. */
  readonly meaning: string | null;
  readonly message: string | null;
  readonly remedy: string | null;
  readonly said: string | null;
  readonly bars: readonly PhaseBar[];
  readonly checks: readonly PageCheck[];
  readonly findings: readonly PageFinding[];
  readonly findingsTotal: number;
  readonly paths: readonly string[];
  readonly pathsTotal: number;
  readonly newFiles: number;
  readonly largest: { readonly path: string; readonly added: number; readonly deleted: number } | null;
  readonly votes: readonly PageVote[];
  readonly votesNeeded: number | null;
  readonly usage: readonly PageUsage[];
  readonly notes: readonly string[];
  readonly facts: readonly (readonly [label: string, text: string])[];
  readonly question: { readonly prompt: string; readonly choices: readonly string[] } | null;
  /** The tick under which the reverted work is kept. */
  readonly salvage: string | null;
  readonly next: readonly PageStep[];
  readonly events: readonly PageEvent[];
}

/** One side of a row: its line number and text; null where the other side has one line more. */
export interface DiffSide {
  readonly number: number;
  readonly text: string;
  readonly isChanged: boolean;
}

export type DiffRow =
  | { readonly kind: "hunk"; readonly text: string }
  | { readonly kind: "lines"; readonly left: DiffSide | null; readonly right: DiffSide | null };

export interface DiffFile {
  readonly path: string;
  readonly oldPath: string | null;
  readonly status: "added" | "deleted" | "modified" | "renamed" | "copied";
  readonly added: number;
  readonly deleted: number;
  readonly isBinary: boolean;
  readonly mode: string | null;
  /** Why it is listed early; the first counts most. */
  readonly risks: readonly string[];
  readonly findings: readonly PlacedFinding[];
  readonly rows: readonly DiffRow[];
  /** Rows that are left out of a very large change. */
  readonly rowsLeftOut: number;
}

export interface DiffPage {
  readonly kind: "diff";
  readonly runId: string;
  readonly state: string;
  readonly files: readonly DiffFile[];
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
  /** Findings about no file of the change. */
  readonly findings: readonly PageFinding[];
}

export interface TranscriptPage {
  readonly kind: "transcript";
  readonly runId: string;
  readonly sessions: readonly TranscriptSession[];
}

export interface TranscriptSession {
  readonly name: string;
  readonly agent: string | null;
  readonly startedAt: string;
  readonly entries: readonly TranscriptLine[];
  readonly entriesLeftOut: number;
}

export interface TranscriptLine {
  readonly kind: "said" | "thought" | "output" | "used" | "note" | "ended";
  readonly tone: PageTone;
  readonly head: string;
  readonly body: string;
}

export interface TreeLeaf {
  readonly id: string;
  readonly title: string;
  readonly passes: boolean;
  readonly isNext: boolean;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly acceptance: readonly string[];
  /** Its iterations, each by its tick. */
  readonly tries: readonly { readonly runId: string; readonly tone: PageTone; readonly words: string }[];
  readonly children: readonly TreeLeaf[];
}

export interface GoalTurn {
  readonly turn: number;
  readonly receipt: string | null;
  readonly votes: readonly PageVote[];
  readonly decision: string | null;
  readonly reason: string | null;
}

export interface PageStory {
  readonly id: string;
  readonly title: string;
  readonly criteria: readonly { readonly id: string; readonly text: string }[];
  readonly state: "verified" | "due" | "open" | "failed";
  readonly history: readonly { readonly iteration: number; readonly tone: PageTone; readonly words: string }[];
}

export interface SeriesPage {
  readonly kind: "series";
  readonly seriesId: string;
  readonly workflow: string;
  readonly command: string;
  readonly title: string;
  readonly tone: PageTone;
  readonly word: string;
  readonly message: string | null;
  readonly hint: string | null;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly ticks: { readonly total: number; readonly success: number; readonly stop: number; readonly blocked: number };
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
  readonly cost: number | null;
  readonly commits: number;
  readonly branch: string | null;
  readonly maxTurns: number | null;
  readonly quorum: number | null;
  readonly turns: readonly GoalTurn[];
  readonly tree: TreeLeaf | null;
  readonly stories: readonly PageStory[];
  readonly runIds: readonly string[];
}
