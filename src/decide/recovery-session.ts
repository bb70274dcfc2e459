import { nameOwnBranch } from "../workspace/series-branch.ts";
import { join } from "node:path";
import type { RollbackStep } from "../records/recovery.ts";
import { findPrepared, findStart } from "../tick/pure/tick-facts.ts";
import type { TickRecord } from "../tick/pure/tick-records.ts";
import { commitIdentity } from "../store/commit-identity.ts";
import { openContentStore } from "../store/content-store.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import type { NotReady } from "../records/command-failure.ts";
import { type Config, CONFIG_NAME } from "../config/config.ts";
import type { BrokenWorkspace, CommandContext } from "../workspace/workspace.ts";
import { readRecordedConfig } from "../workspace/config-file.ts";
import { refuseUnusableConfig } from "../workspace/read-project.ts";
import { openWorkplace } from "../place/open-workplace.ts";
import { nameTickMarker } from "../process/reap-session.ts";
import { leaveNothing, type RecoveringTick } from "../tick/running-tick.ts";

export interface RecoverRequest extends Omit<CommandContext, "player" | "relaisVersion"> {
  /** Whether to abandon what cannot be rolled back. */
  readonly abandon: boolean;
  /** Asks a person about steps that git does not confirm. */
  readonly allowSteps: (steps: readonly RollbackStep[]) => Promise<boolean>;
}

export interface RecoveryWork {
  readonly request: RecoverRequest;
  readonly workspace: BrokenWorkspace;
}

/** The session that finishes a tick of an earlier process, with the configuration of that tick. */
export async function openRecoverySession(work: RecoveryWork, record: TickRecord): Promise<RecoveringTick | NotReady> {
  const { request, workspace } = work;
  const { repository, stateDirectory, journal } = workspace;
  const recorded = await readRecordedConfig(
    [join(locateRunDirectory(stateDirectory, record.runId), "config.json"), join(repository.root, CONFIG_NAME)],
    findStart(record.state)?.config_sha256 ?? null,
  );
  if (recorded.kind === "unusable") return refuseUnusableConfig(recorded);
  const { config, text: configText } = recorded;
  const settings = await readFilterSettings(repository, request.signal);
  return {
    kind: "recovering",
    tick: {
      runId: record.runId,
      seriesId: record.seriesId,
      config,
      configText,
      ownBranch: findOwnBranch(record, config),
      required: [],
      // Recovery must not be interrupted again.
      signal: new AbortController().signal,
      deadlineAt: Number.POSITIVE_INFINITY,
    },
    where: await reopenPlaces(work, record, { config, userExcludesFile: settings.excludesFile }),
    pinned: {
      settings,
      identity: await commitIdentity(repository, { settings, signal: request.signal }),
      hooks: null,
      // Nothing is judged any more.
      uncommitted: [],
      runByGit: [],
      recipes: new Map(),
      insidePrograms: [],
    },
    // Nothing is prepared any more.
    record: { journal, noteInLocks: () => Promise.resolve(), renderReport: request.renderReport },
    left: leaveNothing(),
  };
}

/** A tick that ended before its first event made none. */
function findOwnBranch({ state, seriesId }: TickRecord, config: Config): string {
  return findStart(state)?.own_branch ?? nameOwnBranch(config, "", seriesId);
}

async function reopenPlaces(
  { workspace: { repository, stateDirectory } }: RecoveryWork,
  record: TickRecord,
  settings: { readonly config: Config; readonly userExcludesFile: string | null },
): Promise<RecoveringTick["where"]> {
  const { runId, state } = record;
  const ownBranch = findOwnBranch(record, settings.config);
  const ownFolder = settings.config.workspace_dir;
  const around = { repository, stateDirectory, runDirectory: locateRunDirectory(stateDirectory, runId) };
  const own = { runId, ownBranch, ownFolder, marker: nameTickMarker(runId) };
  const isolation = findPrepared(state)?.prepared.isolation ?? "in_place";
  return {
    ...around,
    workspace: join(repository.root, ownFolder),
    store: await openContentStore(stateDirectory, repository.environment),
    ...(await openWorkplace(isolation, { ...around, ...own, ...settings })),
    sandbox: null,
  };
}
