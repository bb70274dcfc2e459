/**
 * What a person decides between two ticks: it changes the repository, so it holds the same locks as a tick does.
 *
 * A tick that was cut short comes first. Until it is recovered nobody knows what the working tree holds.
 */
import { join } from "node:path";
import type { Environment } from "../../contract/values/environment.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import type { TickRecord } from "../../core/tick/tick-records.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { type Journal, openJournal } from "../../io/journal/journal.ts";
import { newRunId } from "../../io/workspace/run-directory.ts";
import { findGround, type Ground, type Unready } from "../workspace/ground.ts";
import { unfinished } from "../steps/perform-preflight.ts";
import { incompleteJournal, lockPathsOf } from "../workspace/incomplete-journal.ts";
import { publishState } from "../workspace/publish.ts";
import { refused, type Refused } from "../workspace/refused.ts";
import { journalUnusable } from "../workspace/unusable-journal.ts";
import { type LockRefusal, withLocks } from "../workspace/with-locks.ts";

export interface DecisionRequest {
  readonly cwd: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** The ground and the journal, for as long as the locks are held. */
export interface Held {
  readonly ground: Ground;
  readonly journal: Journal;
}

/** Does some work under the locks; a measurement that fails refuses it. */
export async function underLock<T>(
  { cwd, environment }: DecisionRequest,
  work: (held: Held) => Promise<T>,
): Promise<T | Refused | Unready | LockRefusal> {
  const ground = await findGround(cwd, environment);
  if (ground.kind === "blocked") return ground;
  const runId = newRunId(currentTimeMs());
  const incomplete = await incompleteJournal(ground);
  if (incomplete !== null) return incomplete;
  const locked = await withLocks({ paths: lockPathsOf(ground), runId }, () =>
    withJournal(ground, runId, work),
  );
  return locked.kind === "done" ? locked.value : locked;
}

async function withJournal<T>(
  ground: Ground,
  runId: string,
  work: (held: Held) => Promise<T>,
): Promise<T | Refused | Unready> {
  const path = join(ground.stateDirectory, "journal.jsonl");
  const opened = await openJournal({ path, ledger: join(ground.workspace, "ledger.jsonl") });
  if (opened.kind !== "open") return journalUnusable(opened);
  const { journal } = opened;
  try {
    const open = unfinished({ journal, runId });
    if (open !== null) return { kind: "blocked", problems: [], ...open };
    return await work({ ground, journal });
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    return refused({ cause: "measurement_failed", message: error.message, next: "Mend that and try again." });
  } finally {
    await journal.close();
  }
}

/** Writes a decision about a tick into the journal and publishes it; answers with what could not be published. */
export async function recordDecision(
  { ground, journal }: Held,
  { runId: run_id, seriesId: series_id }: TickRecord,
  event: TickEvent,
): Promise<readonly string[]> {
  await journal.append({ at: new Date(currentTimeMs()).toISOString(), run_id, series_id, event });
  const problems = await publishState({
    root: ground.repository.root,
    workspace: ground.workspace,
    journal,
    limits: ground.config.budgets,
  });
  return problems.map(({ path, reason }) => `${path}: ${reason}`);
}
