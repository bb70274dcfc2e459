import type { CommandFailure } from "../records/command-failure.ts";
import type { TickChange } from "../records/status-answers.ts";
import { listPatchFiles, listPatchLines, type PatchFile } from "../judge/pure/patch-files.ts";
import { listPastTicks } from "../history/past-ticks.ts";
import { findLastChange, findTickChange } from "../history/find-tick-change.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { renderDiff, renderDiffStat } from "../cards/diff-text.ts";
import type { CommandEnd, Misused, Session } from "./command.ts";
import { showText } from "./show-text.ts";
import { makeDocument, printAnswer } from "./print-answer.ts";
import { readCommandEnd } from "./refusal-answer.ts";
import { chooseRun } from "./run-choice.ts";

export interface DiffQuestion {
  /** Letters of the tick's id; null is the last one with a change. */
  readonly asked: string | null;
  readonly isStat?: boolean;
  readonly isPaged?: boolean;
}

/** Shows the change of a tick. */
export async function showDiff(question: DiffQuestion, session: Session): Promise<CommandEnd> {
  const found = await withSnapshot(session, (around) => findChange(around, question, session));
  return found.kind === "change" ? printChange(found, question, session) : readCommandEnd(found, session);
}

async function findChange(
  around: WorkspaceSnapshot,
  { asked }: DiffQuestion,
  { signal }: Session,
): Promise<TickChange | CommandFailure | Misused> {
  const ticks = await listPastTicks(around);
  if (asked === null) return findLastChange(around, ticks, signal);
  const known = ticks.map(({ runId }) => runId);
  const chosen = chooseRun(asked, known, "No tick has been recorded yet.");
  if (chosen.kind !== "run") return chosen;
  const tick = ticks.find(({ runId }) => runId === chosen.runId);
  return tick === undefined ? findLastChange(around, [], signal) : findTickChange(around, tick, signal);
}

/** In a pipe the patch to the last byte; for a person text that does nothing to the terminal. */
async function printChange(change: TickChange, question: DiffQuestion, session: Session): Promise<CommandEnd> {
  const { isStat = false, isPaged = true } = question;
  if (session.json || (!session.isTerminal && !isStat))
    return printAnswer({ document: makeChangeDocument(change), text: () => change.patch, isAsked: true }, session);
  const text = isStat ? renderDiffStat(change, session.prose) : renderDiff(change, session.prose);
  await showText(text, session, isPaged);
  return { kind: "ended", status: 0 };
}

const FILE_FIELDS = ["path", "oldPath", "status", "added", "deleted", "oldMode", "newMode"] as const;

const makeFileDocument = (file: PatchFile): object => ({ ...makeDocument(file, FILE_FIELDS), binary: file.isBinary });

function makeChangeDocument(change: TickChange): object {
  const patch = Buffer.from(change.patch);
  const text = patch.toString("utf8");
  const exact = Buffer.from(text).equals(patch) ? null : patch.toString("base64");
  return {
    ...makeDocument(change, ["runId", "state", "intent", "commit", "branch"]),
    files: listPatchFiles(listPatchLines(text)).map(makeFileDocument),
    left_out: change.leftOut,
    patch: text,
    patch_base64: exact,
  };
}
