import { RECORD_VERSION } from "../../contract/values/record-version.ts";
import type { JournalNewer, JournalRefusal } from "../../io/journal/read-journal.ts";
import { type Unready, unready } from "./ground.ts";

/** Why nothing can be said or done about a repository whose journal is damaged, or newer than this relais. */
export function journalUnusable(damage: JournalRefusal): Unready {
  if (damage.kind === "newer") return journalNewer(damage);
  const where = damage.line === null ? "" : ` at line ${damage.line}`;
  const message = `The journal ${damage.path} is damaged${where}: ${damage.reason}.`;
  const remedy =
    "`relais recover` takes the lines from their copies. Where these do not suffice, it is not repaired by guessing: `relais recover --abandon` sets it aside and goes on with the ledger of the workspace, or anew.";
  return { ...unready("journal_corrupt", message), code: "BLOCKED_CRASH_RECOVERY_REQUIRED", remedy };
}

/** Nothing is wrong with it, so nothing is to be repaired or set aside. */
function journalNewer({ path, line, version }: JournalNewer): Unready {
  return unready(
    "journal_newer",
    `Line ${line} of the journal ${path} has version ${version}, and this relais reads versions up to ${RECORD_VERSION}: update relais.`,
    "Update relais. Nothing was read further, and nothing was changed.",
  );
}
