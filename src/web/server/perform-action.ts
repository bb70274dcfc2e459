/** A decision from the page: the same function as the command, and the same words as an answer. */
import * as v from "valibot";
import type { CommandFailure } from "../../contract/answers/command-failure.ts";
import { CODES } from "../../contract/values/codes.ts";
import { RunId } from "../../contract/values/identifier.ts";
import { answerLast } from "../../run/decisions/answer-last.ts";
import { bringBack } from "../../run/decisions/bring-back.ts";
import { acceptRun, rejectRun } from "../../run/decisions/decide-held.ts";
import { requestPause, withdrawPause } from "../../run/decisions/pause-runner.ts";
import { stopRunner } from "../../run/decisions/stop-runner.ts";
import { undoLast } from "../../run/decisions/undo-last.ts";
import type { Misuse } from "../../run/workspace/misuse.ts";
import type { WorkspaceRequest } from "../../run/workspace/workspace.ts";
import { renderFailure } from "../../view/cards/failure-text.ts";
import { renderAccepted, renderAnswered, renderApplied, renderUndone } from "../../view/history/decision-text.ts";
import { renderHeldDecision, renderPaused, renderResumed, renderStopped } from "../../view/history/runner-text.ts";
import type { Canvas } from "../../view/text/canvas.ts";
import { plainStyle } from "../../view/text/style.ts";
import type { PageAction } from "../page-model/repository-documents.ts";

const CANVAS: Canvas = { style: plainStyle, columns: Infinity };
const TEXT_CHARS = 4000;

/** What the page sends; it names the tick that the person saw. */
export const ActionWish = v.strictObject({
  repository: v.string(),
  action: v.picklist([
    "answer",
    "drop",
    "accept",
    "reject",
    "undo",
    "apply",
    "pause",
    "resume",
    "stop",
  ] as const satisfies readonly PageAction[]),
  run: RunId,
  text: v.nullable(v.pipe(v.string(), v.maxLength(TEXT_CHARS))),
});
export type ActionWish = v.InferOutput<typeof ActionWish>;

export interface PerformedAction {
  readonly isDone: boolean;
  /** What the command would print. */
  readonly text: string;
}

type Perform = (request: WorkspaceRequest, wish: ActionWish) => Promise<PerformedAction>;

const PERFORM: Readonly<Record<PageAction, Perform>> = {
  answer: async (request, { run, text }) => {
    if ((text ?? "").trim() === "") return explain({ kind: "misused", message: "an answer is needed", problems: [] });
    return conclude(await answerLast(request, { words: text, seen: run }), "answered", renderAnswered);
  },
  drop: async (request, { run }) =>
    conclude(await answerLast(request, { words: null, seen: run }), "answered", renderAnswered),
  accept: async (request, { run }) => {
    const answer = await acceptRun(request, run);
    if (answer.kind === "decided") return conclude(answer, "decided", renderHeldDecision);
    return conclude(answer, "committed", renderAccepted);
  },
  reject: async (request, { run, text }) => {
    const reason = (text ?? "").trim() === "" ? null : text;
    return conclude(await rejectRun(request, { run, reason }), "decided", renderHeldDecision);
  },
  undo: async (request, { run }) => conclude(await undoLast(request, run), "undone", renderUndone),
  apply: async (request, { run }) => conclude(await bringBack({ ...request, runId: run }), "applied", renderApplied),
  pause: async (request, { run }) => conclude(await requestPause(request, run), "pausing", renderPaused),
  resume: async (request, { run }) => conclude(await withdrawPause(request, run), "resumed", renderResumed),
  stop: async (request, { run }) => conclude(await stopRunner(request, run), "stopped", renderStopped),
};

export function performAction(request: WorkspaceRequest, wish: ActionWish): Promise<PerformedAction> {
  return PERFORM[wish.action](request, wish);
}

type Answered = { readonly kind: string };

function conclude<A extends Answered, K extends string>(
  answer: A | CommandFailure | Misuse,
  kind: K,
  render: (answer: Extract<A, { readonly kind: K }>, canvas: Canvas) => string,
): PerformedAction {
  if (isFailure(answer)) return explain(answer);
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

function explain(failure: CommandFailure | Misuse): PerformedAction {
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
