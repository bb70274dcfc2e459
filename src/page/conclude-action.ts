/** What the page says after a decision: what the command would print. */
import type { CommandFailure } from "../records/command-failure.ts";
import { CODES } from "../base/codes.ts";
import type { Misuse } from "../workspace/misuse.ts";
import { renderFailure } from "../cards/failure-text.ts";
import type { Canvas } from "../base/canvas.ts";
import { plainStyle } from "../base/style.ts";

const CANVAS: Canvas = { style: plainStyle, columns: Infinity };

export interface PerformedAction {
  readonly isDone: boolean;
  /** What the command would print. */
  readonly text: string;
}

type Answered = { readonly kind: string };

/** The words of the answer, or why nothing was done. */
export function conclude<A extends Answered, K extends string>(
  answer: A | CommandFailure | Misuse,
  kind: K,
  render: (answer: Extract<A, { readonly kind: K }>, canvas: Canvas) => string,
): PerformedAction {
  if (isFailure(answer)) return explainRefusal(answer);
  return isOfKind(answer, kind)
    ? { isDone: true, text: render(answer, CANVAS).trim() }
    : { isDone: false, text: `Nothing was done: ${answer.kind}.` };
}

function isFailure(answer: Answered | CommandFailure | Misuse): answer is CommandFailure | Misuse {
  return ["blocked", "refused", "misused"].includes(answer.kind);
}

function isOfKind<A extends Answered, K extends string>(
  answer: A,
  kind: K,
): answer is Extract<A, { readonly kind: K }> {
  return answer.kind === kind;
}

export function explainRefusal(failure: CommandFailure | Misuse): PerformedAction {
  const words = describeFailure(failure);
  return { isDone: false, text: renderFailure(words, CANVAS).trim() };
}

function describeFailure(failure: CommandFailure | Misuse): Parameters<typeof renderFailure>[0] {
  if (failure.kind === "misused") return { code: null, message: failure.message, problems: failure.problems };
  if (failure.kind === "refused")
    return { code: null, message: failure.message, problems: failure.paths, next: `Next: ${failure.next}` };
  const { code, message, problems, remedy } = failure;
  return { code, message, problems, next: `Next: ${remedy ?? CODES[code].remedy}` };
}
