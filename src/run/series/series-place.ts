/** Where a series works: what must be there before it begins, and again before each of its ticks. */
import type { Environment } from "../../contract/values/environment.ts";
import { type Ground, findGround, type Unready, unready } from "../workspace/ground.ts";

/** The ground of a series, which commits whatever it keeps. */
export async function seriesGround(cwd: string, environment: Environment): Promise<Ground | Unready> {
  const ground = await findGround(cwd, environment);
  if (ground.kind === "blocked" || ground.config.git.commit !== "never") return ground;
  return unready(
    "commit_never",
    "`git.commit` is `never`, and a series of ticks has to commit each one before it begins the next.",
    "Set `git.commit` to `loop` or `always`, or run single ticks with `relais run`.",
  );
}

/** The ground as it is now. The locks were taken by the first configuration, so their places must not move. */
export async function groundAgain(
  first: Ground,
  { cwd, environment }: { readonly cwd: string; readonly environment: Environment },
): Promise<Ground | Unready> {
  const ground = await seriesGround(cwd, environment);
  if (ground.kind === "blocked") return ground;
  const isSame =
    ground.workspace === first.workspace &&
    ground.stateDirectory === first.stateDirectory &&
    ground.config.runner.lockfile === first.config.runner.lockfile;
  if (isSame) return ground;
  const message = "`workspace_dir` or `runner.lockfile` was changed while a series was at work.";
  return unready("workspace_moved", message, "Start again, so that everything begins in the new place.");
}
