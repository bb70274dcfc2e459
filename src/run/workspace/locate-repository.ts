import { type NotReady, refuseNotReady } from "../../contract/answers/command-failure.ts";
import type { Caller, Environment } from "../../contract/values/environment.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { isAtLeast } from "../../core/words/version-order.ts";
import { GIT_WANTED, readGitVersion } from "../../io/git/git-version.ts";
import { findRepository, type Repository, type RepositoryLayout } from "../../io/git/repository-layout.ts";
import { findStateDirectory } from "../../io/workspace/state-directory.ts";

/** Git itself is checked only if the command runs it. */
export async function locateRepository(
  { cwd, environment }: Caller,
  { needsGit }: { readonly needsGit: boolean },
): Promise<Repository | NotReady> {
  const layout = await findRepository(cwd, environment);
  const isFolder = layout.kind !== "none" || layout.exists;
  const state = layout.kind === "repository" ? findStateDirectory(layout, environment).path : null;
  const unusable = needsGit && isFolder ? await explainUnusableGit(cwd, environment, state) : null;
  return unusable ?? requireWorktree(layout);
}

/** Refuses a bare or missing repository. */
export function requireWorktree(layout: RepositoryLayout): Repository | NotReady {
  switch (layout.kind) {
    case "none":
      return refuseNoRepository(layout);
    case "bare":
      return refuseNotReady("bare_repository", `${layout.dir} is a bare repository.`, "Use a clone of it.");
    case "repository":
      return layout;
    default:
      return unreachable(layout);
  }
}

function refuseNoRepository({ searched, exists }: Extract<RepositoryLayout, { kind: "none" }>): NotReady {
  if (!exists)
    return refuseNotReady("no_folder", `There is no folder ${searched}.`, "Use --cwd with an existing folder.");
  return refuseNotReady(
    "no_repository",
    `There is no git repository at ${searched} or above it.`,
    "Change to a repository, use --cwd, or create one with `git init`.",
  );
}

/** Null where the git of this machine is usable. */
export async function explainUnusableGit(
  cwd: string,
  environment: Environment,
  stateDirectory: string | null = null,
): Promise<NotReady | null> {
  const wanted = GIT_WANTED.join(".");
  try {
    const version = await readGitVersion(cwd, environment, stateDirectory);
    if (isAtLeast(version, GIT_WANTED)) return null;
    return refuseNotReady(
      "git_too_old",
      `${version} is too old; relais needs git ${wanted} or later.`,
      `Install git ${wanted} or later, and put it first on the PATH.`,
    );
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    const remedy = `Install git ${wanted} or later and make sure that it is on the PATH.`;
    return refuseNotReady("git_missing", `git cannot be run: ${error.detail}.`, remedy);
  }
}
