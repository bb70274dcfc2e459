import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { Environment } from "../base/environment.ts";
import { MeasurementError } from "../base/errors.ts";
import { isAtLeast } from "../base/version-order.ts";
import { GIT_WANTED, readGitVersion } from "../git/git-version.ts";

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
