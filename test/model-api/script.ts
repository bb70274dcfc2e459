/**
 * What a scripted model says, and which request gets which answer.
 *
 * A script is a list of turns. A request takes the first turn that still has uses left and whose words all occur in it;
 * a request that nobody expected is answered with an error and remembered, so that a test can tell.
 */

export interface ToolCall {
  readonly tool: string;
  /** Arguments by name; a text is for tools that take one text, as codex's patches do. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** What goes wrong in place of an answer, or in the middle of one. */
export type Fault =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Laid over the body that the API would send. */
      readonly error?: Readonly<Record<string, unknown>>;
    }
  /** No answer, ever. */
  | { readonly kind: "hang" }
  /** The connection is closed without an answer. */
  | { readonly kind: "drop" }
  /** A page with status 200 that is no answer. */
  | { readonly kind: "page"; readonly contentType: string; readonly text: string }
  /** Silence, or the end of the connection, after some events of the answer. */
  | { readonly kind: "stall" | "cut"; readonly afterEvents: number };

export interface Turn {
  readonly name?: string;
  /** All of these occur somewhere in what the request tells the model. */
  readonly when?: readonly string[];
  /** How often it answers; once, unless it is said. */
  readonly times?: number;
  readonly text?: string;
  /** Becomes the text. */
  readonly json?: unknown;
  readonly calls?: readonly ToolCall[];
  /** Why the answer ends, where that is not the usual reason; for APIs that tell it. */
  readonly stop?: string;
  readonly usage?: { readonly input: number; readonly cached: number; readonly output: number };
  readonly delayMs?: number;
  /** A function is asked when the turn comes, for what depends on the moment. */
  readonly fault?: Fault | (() => Fault);
}

/** An answer that is ready to be sent: what is told, what is called, and what it is said to have cost. */
export interface Answer {
  readonly name: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly stop: string | null;
  readonly usage: NonNullable<Turn["usage"]>;
  readonly delayMs: number;
  readonly fault: Fault | null;
}

const USUAL_USAGE = { input: 100, cached: 10, output: 20 } as const;
const UNEXPECTED: Turn = {
  name: "unexpected",
  fault: { kind: "status", status: 400, error: { message: "no turn of the script is left for this" } },
};

/** Answers with the turn for a request that holds these words. */
export type Script = (words: string) => Answer;

export function scriptOf(turns: readonly Turn[]): Script {
  const left = turns.map(({ times = 1 }) => times);
  return (words) => {
    const at = turns.findIndex(
      ({ when = [] }, index) => (left[index] ?? 0) > 0 && when.every((word) => words.includes(word)),
    );
    if (at !== -1) left[at] = (left[at] ?? 0) - 1;
    return answerOf(turns[at] ?? UNEXPECTED, at);
  };
}

function answerOf(turn: Turn, at: number): Answer {
  return {
    name: turn.name ?? `turn ${at + 1}`,
    text: turn.json === undefined ? (turn.text ?? "") : JSON.stringify(turn.json),
    calls: turn.calls ?? [],
    stop: turn.stop ?? null,
    usage: turn.usage ?? USUAL_USAGE,
    delayMs: turn.delayMs ?? 0,
    fault: typeof turn.fault === "function" ? turn.fault() : (turn.fault ?? null),
  };
}
