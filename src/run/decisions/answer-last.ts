/** Records the answer to the question of the last tick, for the next plan. */
import type { AnsweredQuestion } from "../../contract/answers/decisions.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { chooseAnswer } from "../../core/words/choose-answer.ts";
import { openSeries } from "../../core/series/last-series.ts";
import { findTickRecord } from "../../core/tick/tick-records.ts";
import { WorkspaceFold } from "../../core/history/workspace-state.ts";
import { type CommandFailure, type Refusal, refuse } from "../../contract/answers/command-failure.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { recordDecision } from "./record-decision.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { LockedWorkspace, WorkspaceRequest } from "../workspace/workspace.ts";

/** How the journal records a dropped question. */
const DROPPED = { kind: "dropped", text: "(dropped)", choice: null } as const;
const BRANCH = "ref: refs/heads/";

/** `relais answer`; null drops the question. */
export function answerLast(
  request: WorkspaceRequest,
  words: string | null,
): Promise<AnsweredQuestion | CommandFailure> {
  return withWorkspace(request, "decide", (workspace) => recordAnswer(workspace, words));
}

async function recordAnswer(workspace: LockedWorkspace, words: string | null): Promise<AnsweredQuestion | Refusal> {
  const { repository, head, journal } = workspace;
  const asked = journal.fold(WorkspaceFold).question;
  if (asked === null) {
    const message = "No question waits for an answer.";
    return refuse({ cause: "no_question", message, next: "See `relais status`." });
  }
  const { run_id: runId, prompt, choices } = asked;
  const chosen = words === null ? DROPPED : chooseAnswer(words, choices);
  if (chosen.kind === "no-such-choice") {
    const message = `There is no choice ${words?.trim() ?? ""}: the question has ${chosen.count}.`;
    const next = "Give the number of a choice, or your own answer.";
    return refuse({ cause: "no_such_choice", runId, message, next });
  }
  const record = findTickRecord(journal.lines(), runId);
  if (record === null) throw new InvariantError("a question of a tick that is not in the journal");
  const problems = await recordDecision(workspace, record, {
    type: "answered",
    text: chosen.text,
    ...(chosen.kind === "dropped" ? { dropped: true } : {}),
  });
  const series = openSeries(listRepositoryLines(journal.lines(), repository), repository.root);
  return {
    kind: "answered",
    runId,
    question: prompt,
    answer: chosen.kind === "dropped" ? null : chosen.text,
    choice: chosen.choice,
    series: series.filter(({ seriesId }) => seriesId === record.seriesId),
    branch: head.text.startsWith(BRANCH) ? head.text.slice(BRANCH.length) : null,
    problems,
  };
}
