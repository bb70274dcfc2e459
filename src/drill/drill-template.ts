/**
 * What the boxes of all builders have in common: a copy of the user's repository with the stage of the drill in it, and
 * around it all that nobody may touch: a remote, a neighbour, a home, the state of another program.
 */
import { join } from "node:path";
import { AROUND_FILES, IGNORED_FILES, STAGE_FILES } from "./pure/drill-stage.ts";
import type { Environment } from "../base/environment.ts";
import { callIn } from "./call-program.ts";
import { copyCommitted } from "./copy-committed.ts";
import { putFiles } from "./put-files.ts";
import { makeFolders } from "../system/make-folders.ts";
import { readNow } from "../system/read-now.ts";
import type { Repository } from "../git/repository-layout.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";

const FILES_MAX = 2000;
const FILE_BYTES_MAX = 1024 * 1024;

export const REPOSITORY = "place/repo";

interface Caller {
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Git knows neither the user nor their settings there. */
export function makeBoxEnvironment(box: string, environment: Environment): Record<string, string> {
  const home = join(box, "home");
  return makeChildEnvironment({
    inherit: environment,
    names: [],
    set: {
      HOME: home,
      LC_ALL: "C",
      NO_COLOR: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_CACHE_HOME: join(home, ".cache"),
      XDG_DATA_HOME: join(home, ".local/share"),
      XDG_STATE_HOME: join(box, "state"),
      TMPDIR: join(box, "tmp"),
      MARK: join(home, "mark"),
      PIDS: join(box, "pids"),
      HOSTILE: box,
    },
  });
}

/** Git reads the user's rules first, so that those of the stage win. */
const IGNORE_RULES = ["!/src/", "!/src/**", "!/tests/", "!/tests/**", "!/docs/", "!/checks/", "!/checks/**"].join("\n");

export async function makeTemplate(repository: Repository, folder: string, caller: Caller) {
  const root = join(folder, REPOSITORY);
  for (const name of ["home", "tmp", "pids"]) makeFolders(join(folder, name));
  makeFolders(root);
  const taken = [...Object.keys(STAGE_FILES), ...Object.keys(IGNORED_FILES), "relais.config.json"];
  const limits = {
    filesMax: FILES_MAX,
    bytesMax: FILE_BYTES_MAX,
    taken: taken.filter((path) => path !== ".gitignore"),
  };
  const files = await copyCommitted(repository, root, limits);
  const own = readNow(join(root, ".gitignore"), { bytesMax: FILE_BYTES_MAX })?.toString("utf8") ?? "";
  putFiles(root, { ...STAGE_FILES, ".gitignore": `${own}\n${IGNORE_RULES}\n${STAGE_FILES[".gitignore"] ?? ""}` });
  const env = makeBoxEnvironment(folder, caller.environment);
  const call = callIn({ cwd: root, env, signal: caller.signal });
  const git = (...args: string[]): Promise<string> => call("git", args);
  await git("init", "--quiet", "--bare", "../origin.git");
  await git("init", "--quiet", "--template=", "--initial-branch=work");
  await git("config", "user.name", "Drill");
  await git("config", "user.email", "drill@example.invalid");
  await git("add", "--all", "--force");
  await git("commit", "--quiet", "--message", "copy");
  await git("remote", "add", "origin", "../origin.git");
  await git("push", "--quiet", "origin", "work");
  await git("tag", "v1");
  await git("branch", "other");
  putFiles(root, { "docs/guide.md": "Guide, second edition.\n" });
  await git("stash", "--quiet");
  putFiles(root, IGNORED_FILES);
  putFiles(folder, AROUND_FILES);
  return files;
}
