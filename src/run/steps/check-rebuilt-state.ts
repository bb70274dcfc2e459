/**
 * The state directory, written again by a process that still knows everything that was in it.
 *
 * A builder can reach it as long as no sandbox holds it. What it removed or forged there must neither keep the repository
 * from being put back nor make the tick disappear, so the journal and what a recovery needs are written from memory.
 */
import type { TickEvent } from "../../contract/journal/event.ts";
import { rememberRepository } from "../../io/workspace/remembered-repository.ts";
import { createRunDirectory } from "../../io/workspace/run-directory.ts";
import { reclaimStateDirectory } from "../../io/workspace/state-directory.ts";
import type { TickSession } from "../session/tick-session.ts";

/** The end of a tick during which somebody else wrote in the journal, or removed it. */
export const JOURNAL_CHANGED: TickEvent = {
  type: "interrupted",
  code: "STOP_RUNNER_OWNED_MUTATION",
  cause: "journal_changed",
  message: "Something changed the journal of relais (outside the repository) during the tick.",
};

/** The end of a tick during which somebody else reconfigured the store, by which its work would be measured. */
export const STORE_CHANGED: TickEvent = {
  type: "interrupted",
  code: "STOP_RUNNER_OWNED_MUTATION",
  cause: "store_changed",
  message: "Something changed the store of relais (outside the repository) during the tick.",
};

/** Writes everything again that the journal, the locks and a recovery of this tick need. */
export async function rebuildState(session: TickSession): Promise<void> {
  const { stateDirectory, repository, runId, configText, journal } = session;
  reclaimStateDirectory(stateDirectory);
  await rememberRepository(stateDirectory, repository);
  const task = session.kind === "running" ? session.work.task : null;
  await createRunDirectory(stateDirectory, runId, {
    "config.json": configText,
    ...(task === null ? {} : { "task.json": `${JSON.stringify(task, null, 2)}\n` }),
  });
  await journal.rewrite();
  // The same words as before: the lock in the workspace is a part of what was remembered.
  const prepared = journal.lines().find(({ run_id, event }) => run_id === runId && event.type === "prepared");
  if (typeof prepared?.prev === "string")
    await session.noteInLocks({ run_id: runId, journal: { seq: prepared.seq, sha256: prepared.prev } });
}
