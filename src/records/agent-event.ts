/**
 * What a session does right now, in the same terms for every agent's program. For display only: nothing is decided by
 * these events. Their texts are cut where they are created and neutralised where they are shown.
 */
export type AgentEvent =
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  /** A line of output about which nothing more is known. */
  | { readonly type: "output"; readonly text: string }
  /** `target`: the path, command or pattern that the tool is used on; null if unknown. */
  | { readonly type: "tool_call"; readonly tool: string; readonly target: string | null }
  | { readonly type: "tool_error"; readonly tool: string | null; readonly text: string }
  /** Used so far; null is "not reported". */
  | {
      readonly type: "usage";
      readonly inputTokens: number | null;
      readonly cachedInputTokens: number | null;
      readonly outputTokens: number | null;
      readonly costUsd: number | null;
    }
  | { readonly type: "retry"; readonly attempt: number; readonly reason: string }
  /** The account's limit is near or reached; `until` is when it is lifted, as an ISO time, where that was said. */
  | { readonly type: "limit"; readonly text: string; readonly until: string | null }
  | { readonly type: "denied"; readonly tool: string; readonly target: string | null };
