/** A journal that has lost lines: nothing begins on it, because nobody knows what the working tree holds. */
import { join } from "node:path";
import type { Lock } from "../../contract/journal/lock.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { surveyJournal } from "../../io/journal/survey-journal.ts";
import { type Ground, type Unready, unready } from "./ground.ts";
import { journalUnusable } from "./unusable-journal.ts";

type Place = Pick<Ground, "repository" | "config" | "workspace" | "stateDirectory" | "lockPath">;

/** The lock of the state directory, which linked worktrees share, and the one in the workspace. */
export function lockPathsOf({
  lockPath,
  repository,
  config,
}: Pick<Ground, "lockPath" | "repository" | "config">): readonly string[] {
  return [lockPath, join(repository.root, config.runner.lockfile)];
}

/** Asked before the locks are taken, because taking them over removes what a killed process left in them. */
export async function incompleteJournal(place: Place): Promise<Unready | null> {
  const { stateDirectory, workspace } = place;
  const ledger = join(workspace, "ledger.jsonl");
  const survey = await surveyJournal({ stateDirectory, ledger, lockPaths: lockPathsOf(place) });
  switch (survey.kind) {
    case "whole":
    case "corrupt": // The command that opens it reports this.
      return null;
    case "newer":
      return journalUnusable(survey);
    case "short":
      return survey.damage === null ? shortJournal(survey.missing.length) : null;
    case "lost":
      return lostTick(survey.holder);
    default:
      return unreachable(survey);
  }
}

/** Lines are gone, and nothing is lost yet. */
export function shortJournal(count: number): Unready {
  const lines = count === 1 ? "1 line is" : `${count} lines are`;
  const message = `${lines} missing from the journal; copies of them are kept.`;
  return { ...unready("journal_short", message), code: "BLOCKED_CRASH_RECOVERY_REQUIRED" };
}

/** Somebody was at work here, and nothing is left that says what the repository was before. */
export function lostTick({ run_id, pid, started_at }: Lock): Unready {
  const message = `The tick ${run_id} (process ${pid}, since ${started_at}) was cut short, and what relais had written down about it is gone: it cannot be put back by itself.`;
  return {
    ...unready("tick_lost", message),
    code: "BLOCKED_CRASH_RECOVERY_REQUIRED",
    problems: [
      "`git status`, `git stash list` and `git reflog` show what was changed",
      "ledger.jsonl in the workspace tells of the ticks before it, if it is still there",
    ],
    remedy:
      "Make the repository what you want it to be, then run `relais recover --abandon`. Nothing is touched by it, and ticks can begin again.",
  };
}
