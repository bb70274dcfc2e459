/**
 * One entry of a transcript, in the same terms for every agent's program, for a person who reads it. Texts are whole, and
 * neutralised where they are shown.
 */
export type TranscriptEntry =
  | { readonly type: "said" | "thought"; readonly text: string }
  /** A line of output about which nothing more is known. */
  | { readonly type: "output"; readonly text: string }
  | UsedTool
  /** A repeated request, a limit, a failed turn. */
  | { readonly type: "note"; readonly text: string }
  /** How relais recorded the end of the session. */
  | { readonly type: "ended"; readonly isGood: boolean; readonly text: string };

export interface UsedTool {
  readonly type: "used";
  /** As the program calls it. */
  readonly tool: string;
  readonly kind: "read" | "write" | "command" | "search" | "other";
  /** The path, command or pattern; null if unknown. */
  readonly target: string | null;
  /** `open`: no end is known. */
  readonly status: "ok" | "failed" | "denied" | "open";
  /** The exit status of a command, where it was reported. */
  readonly exit: number | null;
  readonly output: string;
}

/** A session of a tick, in the order of the journal. */
export interface LoggedSession {
  /** `builder`, `reviewer risk` or `checks`. */
  readonly name: string;
  /** Null for the checks, which relais runs itself. */
  readonly driver: string | null;
  readonly startedAt: string;
}

export interface LoggedEntry {
  readonly session: LoggedSession;
  readonly entry: TranscriptEntry;
}
