/** Where something is to be recovered: found also when the git directory is gone, because relais remembers it. */
import { join } from "node:path";
import type { Environment } from "../../contract/values/environment.ts";
import type { Config } from "../../contract/config/config.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { isFolder } from "../../io/files/is-folder.ts";
import { recallRepository } from "../../io/workspace/remembered-repository.ts";
import { findRepository, type Repository, type RepositoryLayout } from "../../io/git/repository-layout.ts";
import { openStateDirectory } from "../../io/workspace/state-directory.ts";
import { readConfigFile } from "../workspace/config-file.ts";
import { bareRepository, noRepository, stateUnusable, type Unready, unready } from "../workspace/ground.ts";
import { defaultConfig } from "../workspace/surroundings.ts";
import type { TickSession } from "../session/tick-session.ts";

export interface RecoverRequest {
  readonly cwd: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly renderReport: TickSession["renderReport"];
  /** Give up what cannot be put back. */
  readonly abandon: boolean;
}

export interface RecoveryPlace extends RecoverRequest {
  readonly kind: "place";
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly lockPath: string;
  /** The defaults where the configuration cannot be used: it may be part of the damage. */
  readonly config: Config;
  readonly workspace: string;
  readonly ledger: string;
}

export async function findRecoveryPlace(request: RecoverRequest): Promise<RecoveryPlace | Unready> {
  const remembered = await recallRepository(request.cwd, request.environment);
  const layout = await findLayout(request, remembered);
  switch (layout.kind) {
    case "none":
      return noRepository(layout);
    case "bare":
      return bareRepository(layout.dir);
    case "repository":
      return isFolder(layout.root) ? inRepository(request, layout) : rootGone(layout.root);
    default:
      return unreachable(layout);
  }
}

/** What is found counts, unless a repository nearer to us is known and something has become of its git directory. */
async function findLayout(
  { cwd, environment }: RecoverRequest,
  remembered: Repository | null,
): Promise<RepositoryLayout> {
  try {
    const found = await findRepository(cwd, environment);
    if (remembered === null || (found.kind === "repository" && found.root === remembered.root)) return found;
    return remembered;
  } catch (error) {
    if (remembered !== null && error instanceof MeasurementError) return remembered;
    throw error;
  }
}

function rootGone(root: string): Unready {
  const message = `The repository was at ${root}, and there is no such folder any more.`;
  const remedy = `If it was moved, move it back. Otherwise make an empty folder there, and \`relais recover --cwd ${root}\` puts back what it can.`;
  return { ...unready("root_gone", message), code: "BLOCKED_CRASH_RECOVERY_REQUIRED", remedy };
}

async function inRepository(
  request: RecoverRequest,
  repository: Repository,
): Promise<RecoveryPlace | Unready> {
  const state = openStateDirectory(repository, request.environment);
  if (state.kind === "unusable") return stateUnusable(state);
  const file = await readConfigFile(repository.root);
  const config = file.kind === "config" ? file.config : defaultConfig();
  const workspace = join(repository.root, config.workspace_dir);
  return {
    ...request,
    kind: "place",
    repository,
    stateDirectory: state.path,
    lockPath: state.lockPath,
    config,
    workspace,
    ledger: join(workspace, "ledger.jsonl"),
  };
}
