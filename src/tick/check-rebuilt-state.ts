/**
 * Rewrites the state directory from memory.
 *
 * Without a sandbox, a builder can write there. What it removed or forged must neither keep the repository
 * from being restored nor hide the tick, so the journal and everything that a recovery needs are rewritten.
 */
import type { TickEvent } from "../records/event.ts";
import { rememberRepository } from "../journal/remembered-repository.ts";
import { createRunDirectory } from "../journal/run-directory.ts";
import { reclaimStateDirectory } from "../journal/state-directory.ts";
import type { OpenTick } from "./running-tick.ts";

/** Another process wrote in the journal, or removed it. */
export const JOURNAL_CHANGED: TickEvent = {
  type: "interrupted",
  code: "STOP_RUNNER_OWNED_MUTATION",
  cause: "journal_changed",
  message: "Something changed the journal of relais (outside the repository) during the tick.",
};

/** Another process reconfigured the store, which measures the work. */
export const STORE_CHANGED: TickEvent = {
  type: "interrupted",
  code: "STOP_RUNNER_OWNED_MUTATION",
  cause: "store_changed",
  message: "Something changed the store of relais (outside the repository) during the tick.",
};

export async function rebuildState(session: OpenTick): Promise<void> {
  const {
    tick: { runId, configText },
    where: { stateDirectory, repository },
    record: { journal },
  } = session;
  reclaimStateDirectory(stateDirectory);
  await rememberRepository(stateDirectory, repository);
  const task = session.kind === "running" ? session.work.task : null;
  createRunDirectory(stateDirectory, runId, {
    "config.json": configText,
    ...(task === null ? {} : { "task.json": `${JSON.stringify(task, null, 2)}\n` }),
  });
  await journal.rewrite();
  // The same note as before: the lock in the workspace is part of T0.
  const prepared = journal.linesOf(runId).find(({ event }) => event.type === "prepared");
  if (typeof prepared?.prev === "string")
    await session.record.noteInLocks({ run_id: runId, journal: { seq: prepared.seq, sha256: prepared.prev } });
}
