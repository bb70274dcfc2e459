import { errorCode } from "../io/error-code.ts";
import { type Unready, unready } from "./ground.ts";
import { JournalFailure } from "./run-session.ts";

/** What keeps the runner itself from working, as an answer with its remedy. */
export function cannotGoOn(error: unknown): Unready {
  const message = `relais cannot go on: ${error instanceof Error ? error.message : String(error)}.`;
  if (error instanceof JournalFailure)
    return {
      ...unready("journal_unwritable", message, "Make room or mend that, then run `relais recover`."),
      code: "BLOCKED_CRASH_RECOVERY_REQUIRED",
    };
  return unready("cannot_start", message, REMEDIES[errorCode(error) ?? ""] ?? "Mend that and run again.");
}

const READABLE = "Make it writable for you, or work in a copy that is.";
const REMEDIES: Readonly<Record<string, string>> = {
  EROFS: "The file system is read-only: mount it writable, or work in a copy elsewhere.",
  EACCES: READABLE,
  EPERM: READABLE,
  ENOSPC: "Make room on that disk and run again.",
  EDQUOT: "Make room within your quota and run again.",
};
