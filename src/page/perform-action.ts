/** A decision from the page: the same function as the command, and the same words as an answer. */
import * as v from "valibot";
import { RunId } from "../base/identifier.ts";
import { answerLast } from "../decide/answer-last.ts";
import { bringBack } from "../decide/bring-back.ts";
import { acceptRun, rejectRun } from "../decide/decide-held.ts";
import { requestPause, withdrawPause } from "../workspace/pause-runner.ts";
import { stopRunner } from "../workspace/stop-runner.ts";
import { undoLast } from "../decide/undo-last.ts";
import type { WorkspaceRequest } from "../workspace/workspace.ts";
import { renderAccepted, renderAnswered, renderApplied, renderUndone } from "../cards/decision-text.ts";
import { renderHeldDecision, renderPaused, renderResumed, renderStopped } from "../cards/runner-text.ts";
import type { PageAction } from "./pure/repository-documents.ts";
import { conclude, explainRefusal, type PerformedAction } from "./conclude-action.ts";

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

type Perform = (request: WorkspaceRequest, wish: ActionWish) => Promise<PerformedAction>;

const PERFORM: Readonly<Record<PageAction, Perform>> = {
  answer: async (request, { run, text }) => {
    if ((text ?? "").trim() === "")
      return explainRefusal({ kind: "misused", message: "an answer is needed", problems: [] });
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
