/**
 * Which paths git would ignore, by ignore files as they were at a given moment.
 *
 * A builder can edit the ignore files of a repository, so the rules are laid out in an empty folder of our own, where
 * git is asked. No entry of the repository is read.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { readErrorCode } from "../system/read-files.ts";
import { runGit } from "./git.ts";
import { createPrivateRepository } from "./private-repository.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";

interface IgnoreRules {
  /** The content of each `.gitignore`, by the folder it lies in (a byte string, "" for the root). */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly exclude: Buffer | null;
  readonly userExcludesFile: string | null;
}

/** The ignored ones among the paths, all as byte strings. */
export async function listIgnoredPaths(
  rules: IgnoreRules,
  paths: readonly string[] /** Those of the paths that are folders: a rule may hold for folders only. */,
  folders: readonly string[],
  environment: Environment,
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  return withTemporaryFolder(environment, async (place) => {
    const workTree = join(place, "tree");
    mkdirSync(workTree);
    const { gitDir } = await createPrivateRepository(join(place, "git"));
    if (rules.exclude !== null) writeFileSync(join(gitDir, "info", "exclude"), rules.exclude);
    for (const folder of folders) makeFolder(joinPath(workTree, folder));
    for (const [folder, content] of rules.files) {
      const path = joinPath(workTree, folder === "" ? ".gitignore" : `${folder}/.gitignore`);
      mkdirSync(path.subarray(0, path.lastIndexOf("/")), { recursive: true });
      writeFileSync(path, content);
    }
    const { stdout } = await runGit({
      args: [
        ...(rules.userExcludesFile === null ? [] : ["-c", `core.excludesFile=${rules.userExcludesFile}`]),
        "check-ignore",
        "-z",
        "--stdin",
        "--no-index",
      ],
      gitDir,
      workTree,
      cwd: workTree,
      environment,
      // This command refuses literal pathspecs; behind "./" no name can be taken for a pattern of another kind.
      env: { GIT_LITERAL_PATHSPECS: undefined },
      input: Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1"),
      okStatuses: [0, 1],
      outputBytesMax: paths.reduce((bytes, path) => bytes + path.length + 3, 1024),
    });
    const answers = stdout.toString("latin1").split("\0");
    return new Set(answers.filter((path) => path !== "").map((path) => path.slice("./".length)));
  });
}

/**
 * A folder near the longest possible path may not fit here, where its path is longer. It then counts as no folder:
 * rules for folders only do not match it, and a path that is not ignored is judged more strictly.
 */
function makeFolder(path: Buffer): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    if (readErrorCode(error) !== "ENAMETOOLONG") throw error;
  }
}

function joinPath(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}
