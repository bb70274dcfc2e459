import { dirname, join } from "node:path";
import { writeFileSync } from "node:fs";
import { readCommittedTree } from "../git/read-committed-tree.ts";
import { withObjects } from "../git/git-objects.ts";
import { accessRepository } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import { makeFolders } from "../system/folders.ts";
import { AROUND_FILES, IGNORED_FILES, STAGE_FILES } from "./pure/drill-stage.ts";
import type { Environment } from "../base/environment.ts";
import { callIn } from "./call-program.ts";
import { putFiles } from "./plain-listing.ts";
import { readNow } from "../system/read-files.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";

/**
 * Copies the files of the checked out commit into a folder, without git's own data. Links and submodules are left out:
 * they may lead out of the copy, and a hostile builder works in it.
 */

interface CopyLimits {
  readonly filesMax: number;
  /** Of one file; a larger one is left out. */
  readonly bytesMax: number;
  /** Paths that the copy has already. */
  readonly taken: readonly string[];
}

/** The files nearest to the root come first: they hold most of what decides about a change. */
export async function copyCommitted(repository: Repository, folder: string, limits: CopyLimits) {
  const tree = await readCommittedTree(repository);
  if (tree === null) return { copied: 0, total: 0 };
  const isFree = makeFreeTest(limits.taken);
  const files = [...tree.files].filter(([path, { mode }]) => mode.startsWith("100") && isFree(path));
  const chosen = files.toSorted(([one], [other]) => measureDepth(one) - measureDepth(other)).slice(0, limits.filesMax);
  let copied = 0;
  await withObjects(accessRepository(repository), async (read) => {
    for (const [path, { id, mode }] of chosen) {
      const { content } = await read(id, limits.bytesMax);
      if (content === null) continue;
      const target = joinBytes(toBytePath(folder), path);
      makeFolders(Buffer.from(dirname(target.toString("latin1")), "latin1"));
      writeFileSync(target, content, { mode: mode === "100755" ? 0o755 : 0o644, flag: "wx" });
      copied += 1;
    }
  });
  return { copied, total: tree.files.size };
}

const measureDepth = (path: string): number => path.split("/").length;

/** Neither a file of the copy, nor the place of one of its folders, nor below one of its files. */
function makeFreeTest(taken: readonly string[]): (path: string) => boolean {
  const folders = new Set(taken.flatMap(listAncestors));
  const files = new Set(taken);
  return (path) => !files.has(path) && !folders.has(path) && !listAncestors(path).some((above) => files.has(above));
}

function listAncestors(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/**
 * What the boxes of all builders have in common: a copy of the user's repository with the stage of the drill in it, and
 * around it all that nobody may touch: a remote, a neighbour, a home, the state of another program.
 */

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
  return makeChildEnvironment(environment, [], {
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
  const call = callIn(root, env, caller.signal);
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
