/** Whether the journal can be believed. Nothing begins on one that has lost lines: nobody knows what the working tree holds. */
import { dirname, join } from "node:path";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { FoldedLines } from "../records/folded-lines.ts";
import type { Lock } from "../records/lock.ts";
import { RECORD_VERSION } from "../base/record-version.ts";
import { unreachable } from "../base/errors.ts";
import type { JournalForeign, JournalRefusal } from "../journal/read-journal.ts";
import { type JournalSummary, recallJournal } from "../journal/journal-summary.ts";
import { NOT_READABLE } from "../system/bounded-file.ts";
import { type JournalSurvey, surveyJournal } from "../journal/survey-journal.ts";
import { findNotPutBackRun } from "../journal/pure/journal-runs.ts";
import { TickRecords } from "../tick/pure/tick-records.ts";
import { lockPaths } from "./read-locks.ts";
import type { Workspace } from "./workspace.ts";

export type JournalPaths = Pick<Workspace, "repository" | "config" | "stateDirectory" | "lockPath">;

/** The journal and its published copy. */
export function locateJournal({ repository, config, stateDirectory }: Omit<JournalPaths, "lockPath">): {
  readonly path: string;
  readonly ledger: string;
} {
  return {
    path: join(stateDirectory, "journal.jsonl"),
    ledger: join(repository.root, config.workspace_dir, "ledger.jsonl"),
  };
}

export function surveyWorkspace(places: JournalPaths): Promise<JournalSurvey> {
  const { ledger } = locateJournal(places);
  return surveyJournal({ stateDirectory: places.stateDirectory, ledger, lockPaths: lockPaths(places) });
}

/** The summary of a journal that is whole; null where every line has to be read. */
export function recallWorkspace(places: JournalPaths): JournalSummary | null {
  const { ledger } = locateJournal(places);
  return recallJournal(places.stateDirectory, ledger, lockPaths(places));
}

/** Before the locks are taken, because that removes the notes of a killed process. */
export async function findIncompleteJournal(places: JournalPaths): Promise<NotReady | null> {
  const survey = await surveyWorkspace(places);
  switch (survey.kind) {
    case "whole":
    case "corrupt": // Opening it says so.
      return null;
    case "foreign":
      return refuseUnusableJournal(survey);
    case "short":
      return survey.damage === null ? explainShortJournal(survey.missing.length) : null;
    case "lost":
      return explainLostTick(survey.holder);
    default:
      return unreachable(survey);
  }
}

/** Lines are missing, but copies exist. */
export function explainShortJournal(count: number): NotReady {
  const lines = count === 1 ? "1 line is" : `${count} lines are`;
  return requireRecovery("journal_short", `${lines} missing from the journal; copies exist.`);
}

/** An interrupted tick without a journal: the earlier state of the repository is unknown. */
export function explainLostTick({ run_id, pid, started_at }: Lock): NotReady {
  const message = `The tick ${run_id} (process ${pid}, since ${started_at}) was interrupted, and its journal is lost: relais cannot revert it.`;
  const remedy =
    "Clean up the repository yourself, then run `relais recover --abandon`. It changes no files and unblocks relais.";
  return {
    ...requireRecovery("tick_lost", message, remedy),
    problems: [
      "`git status`, `git stash list` and `git reflog` show the changes",
      "ledger.jsonl in the workspace lists the earlier ticks, if it still exists",
    ],
  };
}

export function refuseUnusableJournal(damage: JournalRefusal): NotReady {
  if (damage.kind === "foreign") return refuseForeignJournal(damage);
  if (damage.reason === NOT_READABLE) {
    const remedy = describeGiveBack(dirname(damage.path));
    return refuseNotReady("repository_not_writable", `This user may not read ${damage.path}.`, remedy);
  }
  const where = damage.line === null ? "" : ` at line ${damage.line}`;
  const message = `The journal ${damage.path} is damaged${where}: ${damage.reason}.`;
  const remedy =
    "Run `relais recover` to restore it from copies. If that fails, `relais recover --abandon` sets it aside and starts from the ledger of the workspace, or empty.";
  return requireRecovery("journal_corrupt", message, remedy);
}

/** What helps after a command as another user, such as root. */
export function describeGiveBack(folder: string): string {
  return `If another user ran relais here, take it back: \`sudo chown -R "$(id -u):$(id -g)" ${folder}\`.`;
}

/** Nothing is wrong with it, so nothing is to be repaired or set aside. */
function refuseForeignJournal({ path, line, version }: JournalForeign): NotReady {
  return refuseNotReady(
    "journal_version",
    `Line ${line} of the journal ${path} has version ${version}, but this relais reads only version ${RECORD_VERSION}.`,
    "Use the relais that wrote it. Nothing was changed.",
  );
}

/** Another tick that was interrupted, or could not be reverted. */
export function findUnfinishedTick(journal: FoldedLines, runId: string): NotReady | null {
  const records = journal.foldRecent(TickRecords).all();
  const open = records.find((record) => record.runId !== runId && record.endedAt === null);
  if (open !== undefined) return requireRecovery("tick_unfinished", `The tick ${open.runId} was interrupted.`);
  const failed = findNotPutBackRun(records);
  if (failed === null) return null;
  return requireRecovery("rollback_failed", `The tick ${failed.runId} could not be reverted.`);
}

export function requireRecovery(cause: string, message: string, remedy?: string): NotReady {
  return { ...refuseNotReady(cause, message, remedy), code: "BLOCKED_CRASH_RECOVERY_REQUIRED" };
}
