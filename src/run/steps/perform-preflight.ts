import type { TickEvent } from "../../contract/journal/event.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { readHead } from "../../io/git/read-head.ts";
import { findPreflightRefusal } from "../preflight/preflight.ts";
import { readBudgetWarnings } from "../preflight/state-rows.ts";
import type { RunningSession } from "../session/tick-session.ts";
import { removeHalfWritten } from "../workspace/runner-documents.ts";

/** Half-written files of a crash are removed just before the documents are read. */
export async function performPreflight(session: RunningSession): Promise<TickEvent> {
  const { repository, workspace, config } = session;
  const tidy = () => removeHalfWritten({ root: repository.root, workspace, cleanup: config.runner.crash_cleanup });
  const refused = await findPreflightRefusal(session, { tidy });
  if (refused !== null) return { type: "refused", ...refused };
  const head = await readHead(repository, session.signal);
  if (head.commit === null) throw new InvariantError("HEAD lost its commit between two looks");
  return {
    type: "preflight_passed",
    base_commit: head.commit,
    head: head.text,
    warnings: [...readBudgetWarnings(session)],
  };
}
