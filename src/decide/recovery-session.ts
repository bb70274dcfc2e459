import { join } from "node:path";
import type { RollbackStep } from "../records/recovery.ts";
import { findPrepared, findStart } from "../tick/pure/tick-facts.ts";
import type { TickRecord } from "../tick/pure/tick-records.ts";
import { commitIdentity } from "../store/commit-identity.ts";
import { openContentStore } from "../store/content-store.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import type { NotReady } from "../records/command-failure.ts";
import { CONFIG_NAME } from "../config/config.ts";
import type { CommandContext } from "../workspace/workspace.ts";
import { readRecordedConfig } from "../workspace/config-file.ts";
import { refuseUnusableConfig } from "../workspace/read-project.ts";
import type { BrokenWorkspace } from "../workspace/workspace.ts";
import { openWorkplace } from "../place/open-workplace.ts";
import { nameTickMarker } from "../process/reap-session.ts";
import type { RecoveringSession } from "../tick/tick-session.ts";

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
export async function openRecoverySession(
  { request, workspace }: RecoveryWork,
  { runId, seriesId, state }: TickRecord,
): Promise<RecoveringSession | NotReady> {
  const { repository, stateDirectory, journal } = workspace;
  const { signal, renderReport } = request;
  const runDirectory = locateRunDirectory(stateDirectory, runId);
  const places = [join(runDirectory, "config.json"), join(repository.root, CONFIG_NAME)];
  const recorded = await readRecordedConfig(places, findStart(state)?.config_sha256 ?? null);
  if (recorded.kind === "unusable") return refuseUnusableConfig(recorded);
  const { config, text: configText } = recorded;
  const settings = await readFilterSettings(repository, signal);
  const ownBranch = `${config.git.branch_prefix}${seriesId}`;
  const around = { repository, stateDirectory, runDirectory, config, runId };
  const own = { ownBranch, ownFolder: config.workspace_dir, marker: nameTickMarker(runId) };
  return {
    kind: "recovering",
    ...around,
    workspace: join(repository.root, config.workspace_dir),
    configText,
    seriesId,
    store: await openContentStore(stateDirectory, repository.environment),
    ...(await openWorkplace(findPrepared(state)?.prepared.isolation ?? "in_place", {
      ...around,
      ...own,
      userExcludesFile: settings.excludesFile,
    })),
    sandbox: null,
    settings,
    identity: await commitIdentity(repository, { settings, signal }),
    hooks: null,
    // Nothing is judged any more.
    runByGit: [],
    recipes: new Map(),
    insidePrograms: [],
    // Recovery must not be interrupted again.
    signal: new AbortController().signal,
    deadlineAt: Number.POSITIVE_INFINITY,
    journal,
    // Nothing is prepared any more.
    noteInLocks: () => Promise.resolve(),
    memory: { foreseen: null, candidate: null, tolerated: [], heldMs: 0, report: null, problems: [] },
    renderReport,
  };
}
