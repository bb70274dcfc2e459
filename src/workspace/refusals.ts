import { describeError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { JournalFailure } from "./journal-failure.ts";
import { requireRecovery } from "./journal-state.ts";

export function explainFailure(error: unknown): NotReady {
  const message = `relais cannot continue: ${describeError(error)}.`;
  if (error instanceof JournalFailure)
    return requireRecovery("journal_unwritable", message, JOURNAL_REMEDIES[error.code ?? ""] ?? JOURNAL_REMEDY);
  const [, lock] = HELD_LOCK.exec(message) ?? [];
  if (lock !== undefined)
    return {
      ...refuseNotReady("git_lock", `Git could not write here, because of ${lock}.`, LOCK_REMEDY),
      code: "BLOCKED_LOCK_HELD",
    };
  return refuseNotReady("cannot_start", message, REMEDIES[readErrorCode(error) ?? ""] ?? "Fix that and run again.");
}

/** Something could not be read, so nothing was restored. */
export function explainNoRecovery(error: unknown): NotReady {
  const message = `Recovery failed: ${describeError(error)}.`;
  return requireRecovery("measurement_failed", message, "Fix that and run `relais recover` again.");
}

/** What git says where another git is at work, or was killed there. */
const HELD_LOCK = /Unable to create '(.+\.lock)': File exists/;
const LOCK_REMEDY = "Wait for that git; if none runs, remove the file and run again.";

const JOURNAL_REMEDY = "Make that file writable, then run `relais recover`.";
const JOURNAL_REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "Free space on that disk, then run `relais recover`.",
  EDQUOT: "Free space in your quota, then run `relais recover`.",
};

const READABLE = `If another user ran relais here, take it back from the root of the repository: \`sudo chown -R "$(id -u):$(id -g)" .\`. Otherwise make it writable, or work in a writable copy.`;
const REMEDIES: Readonly<Record<string, string>> = {
  EROFS: "The file system is read-only: mount it writable, or work in a copy elsewhere.",
  EACCES: READABLE,
  EPERM: READABLE,
  ENOSPC: "Free space on that disk and run again.",
  EDQUOT: "Free space in your quota and run again.",
};
