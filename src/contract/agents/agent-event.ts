/**
 * What a session is doing right now, in the same few words for every agent's program.
 *
 * Nothing is decided by these events: they are for whoever watches, and a program that tells less than another tells
 * fewer of them. All texts come from the agent, so they are cut where they are made and neutralised where they are shown.
 */
export type AgentEvent =
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  /** A line that the program printed, where nobody knows more about it. */
  | { readonly type: "output"; readonly text: string }
  /** `target` is what the tool is used on: a path, a command, a pattern; null where that cannot be told. */
  | { readonly type: "tool_call"; readonly tool: string; readonly target: string | null }
  | { readonly type: "tool_error"; readonly tool: string | null; readonly text: string }
  /** What was used so far; null is "it did not say". */
  | {
      readonly type: "usage";
      readonly inputTokens: number | null;
      readonly cachedInputTokens: number | null;
      readonly outputTokens: number | null;
      readonly costUsd: number | null;
    }
  /** The program repeats a request by itself. */
  | { readonly type: "retry"; readonly attempt: number; readonly reason: string }
  /** The account's limit is near or reached; `until` is when it is lifted, as an ISO time, where that was said. */
  | { readonly type: "limit"; readonly text: string; readonly until: string | null }
  | { readonly type: "denied"; readonly tool: string; readonly target: string | null };
