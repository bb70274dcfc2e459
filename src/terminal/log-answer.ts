import type { LoggedEntry } from "../records/transcript-entry.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import { isPruned } from "../tick/pure/tick-facts.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { followTickLog, listLoggedRuns, readTickLog } from "../history/tick-log.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { listRuns } from "../history/watch-run.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { createLogWriter } from "../cards/log-text.ts";
import type { CommandEnd, Session } from "./command.ts";
import { showText } from "./show-text.ts";
import { readCommandEnd } from "./refusal-answer.ts";
import { chooseRun } from "./run-choice.ts";

export interface LogQuestion {
  /** Letters of the tick's id; null is the newest one with a session. */
  readonly asked: string | null;
  readonly isFull?: boolean;
  readonly isFollowing?: boolean;
  readonly isPaged?: boolean;
  readonly grep?: string | null;
}

/** Shows the transcripts of a tick. */
export async function showLog(question: LogQuestion, session: Session): Promise<CommandEnd> {
  const end = await withSnapshot(session, (around) => printLog(around, question, session));
  return readCommandEnd(end, session);
}

async function printLog(
  around: WorkspaceSnapshot,
  question: LogQuestion,
  session: Session,
): Promise<CommandEnd | CommandFailure> {
  const { asked } = question;
  const known = asked === null ? listLoggedRuns(around.lines) : listRuns(around.lines);
  const chosen = chooseRun(asked, known, "No session has been recorded yet.");
  if (chosen.kind !== "run") return chosen;
  const { runId } = chosen;
  if (question.isFollowing === true) return follow(around, { ...question, runId }, session);
  const entries = readTickLog(around, runId);
  const missing = findMissing(around, runId, entries);
  if (missing !== null) return missing;
  const text = createWriter({ ...question, runId, root: around.repository.root }, session)(entries);
  if (session.json || text === "") session.out(text);
  else await showText(text, session, question.isPaged);
  return { kind: "ended", status: 0 };
}

interface ChosenLog extends LogQuestion {
  readonly runId: string;
}

async function follow(around: WorkspaceSnapshot, chosen: ChosenLog, session: Session): Promise<CommandEnd> {
  const write = createWriter({ ...chosen, root: around.repository.root }, session);
  const signal = AbortSignal.any([session.signal, session.unread]);
  await followTickLog(around, chosen.runId, signal, (entry) => session.out(write([entry])));
  return { kind: "ended", status: 0 };
}

type WriteEntries = (entries: readonly LoggedEntry[]) => string;

function createWriter(chosen: ChosenLog & { readonly root: string }, session: Session): WriteEntries {
  const { runId, isFull = false, grep = null, root } = chosen;
  if (!session.json) return createLogWriter({ ...session.prose, isFull, grep, root });
  const isWanted = (text: string): boolean => grep === null || text.toLowerCase().includes(grep.toLowerCase());
  return (entries) =>
    entries
      .map((entry) => `${JSON.stringify(makeEntryDocument(runId, entry))}\n`)
      .filter(isWanted)
      .join("");
}

function makeEntryDocument(runId: string, { session, entry }: LoggedEntry): object {
  const { name, driver, startedAt } = session;
  const own = entry.type === "ended" ? { type: entry.type, good: entry.isGood, text: entry.text } : entry;
  return { run_id: runId, session: name, driver, started_at: startedAt, ...own };
}

function findMissing(around: WorkspaceSnapshot, runId: string, entries: readonly LoggedEntry[]): Refusal | null {
  const record = findTickRecord(around.lines, runId);
  if (record !== null && isPruned(record.state)) {
    const message = `The transcripts of ${runId} were removed by \`relais history prune\`.`;
    const next = `See \`relais events --run ${runId}\` for what the journal has.`;
    return refuse({ cause: "history_pruned", runId, message, next });
  }
  if (entries.length > 0) return null;
  if (record !== null && record.endedAt === null) {
    const message = `The agents of ${runId} have said and done nothing yet.`;
    return refuse({ cause: "nothing_there", runId, message, next: "Follow it with `relais log --follow`." });
  }
  const next = `See \`relais history show ${runId}\`.`;
  return refuse({ cause: "no_session", runId, message: `${runId} has no session and no check.`, next });
}
