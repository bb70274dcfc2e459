import type { AnsweredQuestion } from "../records/decisions.ts";
import { InvariantError } from "../base/errors.ts";
import { chooseAnswer } from "../base/choose-answer.ts";
import { openSeries } from "../workflows/pure/last-series.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { recordDecision } from "./accept-last.ts";
import { refuseOther } from "../workspace/misuse.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { LockedWorkspace, WorkspaceRequest } from "../workspace/workspace.ts";

/** Records the answer to the question of the last tick, for the next plan. */

/** How the journal records a dropped question. */
const DROPPED = { kind: "dropped", text: "(dropped)", choice: null } as const;
const BRANCH = "ref: refs/heads/";

interface Answer {
  /** Null drops the question. */
  readonly words: string | null;
  /** The tick that asked, if the person named it: no other question is answered. */
  readonly seen?: string;
}

/** `relais answer`. */
export function answerLast(request: WorkspaceRequest, answer: Answer): Promise<AnsweredQuestion | CommandFailure> {
  return withWorkspace(request, "decide", (workspace) => recordAnswer(workspace, answer));
}

async function recordAnswer(workspace: LockedWorkspace, { words, seen }: Answer): Promise<AnsweredQuestion | Refusal> {
  const { repository, head, journal } = workspace;
  const asked = journal.fold(WorkspaceFold).question;
  if (asked === null) {
    const message = "No question waits for an answer.";
    return refuse({ cause: "no_question", message, next: "See `relais status`." });
  }
  const { run_id: runId, prompt, again } = asked;
  if (seen !== undefined && seen !== runId) return refuseOther(runId, `The open question is that of ${runId}.`);
  const chosen = chooseWords(asked, words);
  if (chosen.kind === "refused") return chosen;
  const record = findTickRecord(journal.linesOf(runId), runId);
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
    ...(again === undefined ? {} : { again }),
    series: series.filter(({ seriesId }) => seriesId === record.seriesId),
    branch: head.text.startsWith(BRANCH) ? head.text.slice(BRANCH.length) : null,
    problems,
  };
}

type Chosen = Exclude<ReturnType<typeof chooseAnswer>, { kind: "no-such-choice" }> | typeof DROPPED;
type Question = NonNullable<WorkspaceFold["question"]>;

function chooseWords({ run_id: runId, choices }: Question, words: string | null): Chosen | Refusal {
  if (words === null) return DROPPED;
  const chosen = chooseAnswer(words, choices);
  if (chosen.kind !== "no-such-choice") return chosen;
  const message = `There is no choice ${words.trim()}: the question has ${chosen.count}.`;
  return refuse({ cause: "no_such_choice", runId, message, next: "Give the number of a choice, or your own answer." });
}
