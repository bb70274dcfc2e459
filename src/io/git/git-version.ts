import type { Environment } from "../../contract/values/environment.ts";
import { runGit } from "./git.ts";

/** The oldest git that has everything that relais asks of it. */
export const GIT_WANTED: readonly number[] = [2, 36];

export async function readGitVersion(cwd: string, environment: Environment): Promise<string> {
  const { stdout } = await runGit({ args: ["--version"], cwd, environment });
  return stdout.toString("utf8").trim();
}
