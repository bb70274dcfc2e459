/**
 * A git directory for storing content the way the repository stored it before anybody worked in it.
 *
 * Configuration, attributes, index and hooks are ours. Objects go straight into the user's store, where they are
 * unreachable until a branch moves. Filters keep keys and data of their own in the git directory (LFS, git-crypt), so
 * every folder there that is not git's own is lent to them through a link.
 */
import { lstatSync, symlinkSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { FilterSettings } from "./filter-settings.ts";
import type { GitAccess } from "./git.ts";
import { adoptInfo, createPrivateRepository } from "./private-repository.ts";
import type { Repository } from "./repository-layout.ts";

export interface FilterViewRequest {
  readonly repository: Repository;
  readonly settings: FilterSettings;
  /** An empty folder of our own, outside the repository. */
  readonly folder: string;
  readonly objectFormat: "sha1" | "sha256";
  readonly signal?: AbortSignal | undefined;
}

export interface FilterView {
  /** An empty tree that holds what is to be stored. */
  readonly tree: string;
  /** What git writes where there is no object. */
  readonly zeroId: string;
  readonly access: GitAccess & { readonly gitDir: string; readonly indexFile: string };
}

const GITS_OWN = new Set(
  "branches hooks info logs modules objects refs reftable worktrees rebase-merge rebase-apply sequencer rr-cache".split(
    " ",
  ),
);

/** Everything on the disk before anything of it is believed: a crash may cut the power as well. */
export const DURABLE = ["-c", "core.fsync=all", "-c", "core.fsyncMethod=batch"] as const;

export async function openFilterView(request: FilterViewRequest): Promise<FilterView> {
  const { repository, settings, folder, objectFormat, signal } = request;
  const tree = join(folder, "tree");
  await mkdir(tree);
  const own = await createPrivateRepository(join(folder, "git"), {
    objectFormat,
    isWritingElsewhere: true,
  });
  await adoptInfo(own, repository.commonDir);
  for (const name of await readdir(repository.commonDir)) {
    const theirs = join(repository.commonDir, name);
    if (!GITS_OWN.has(name) && lstatSync(theirs).isDirectory()) symlinkSync(theirs, join(own.gitDir, name));
  }
  return {
    tree,
    zeroId: "0".repeat(objectFormat === "sha1" ? 40 : 64),
    access: {
      cwd: tree,
      environment: repository.environment,
      gitDir: own.gitDir,
      workTree: tree,
      indexFile: own.indexFile,
      objectDirectory: join(repository.commonDir, "objects"),
      env: withSetting(fromTheTop(settings.env, repository.root), "lfs.storage", lfsStorage(settings, repository)),
      signal,
    },
  };
}

/** The last value of a setting among those taken over. */
export function findSetting({ env }: FilterSettings, key: string): string | null {
  const count = Number(env["GIT_CONFIG_COUNT"] ?? 0);
  for (let at = count - 1; at >= 0; at -= 1)
    if (env[`GIT_CONFIG_KEY_${at}`] === key) return env[`GIT_CONFIG_VALUE_${at}`] ?? null;
  return null;
}

/** The same variables with one setting more, which wins over an earlier one. */
export function withSetting(env: FilterSettings["env"], key: string, value: string): FilterSettings["env"] {
  const count = Number(env["GIT_CONFIG_COUNT"] ?? 0);
  return {
    ...env,
    [`GIT_CONFIG_KEY_${count}`]: key,
    [`GIT_CONFIG_VALUE_${count}`]: value,
    GIT_CONFIG_COUNT: String(count + 1),
  };
}

/** A filter that is named by its absolute path in the working tree is looked for in the view, like every other of them. */
function fromTheTop(env: FilterSettings["env"], root: string): FilterSettings["env"] {
  const isCommand = (name: string): boolean =>
    /^filter\..+\.(?:clean|process)$/s.test(env[name.replace("VALUE", "KEY")] ?? "");
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      name.startsWith("GIT_CONFIG_VALUE_") && isCommand(name) ? value?.replaceAll(`${root}/`, "./") : value,
    ]),
  );
}

/** Content that LFS takes away must land where a push will look for it, also on its first use. */
function lfsStorage(settings: FilterSettings, { commonDir }: Repository): string {
  return resolve(commonDir, findSetting(settings, "lfs.storage") ?? "lfs");
}
