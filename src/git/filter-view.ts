/**
 * A git directory for storing content the way the repository stored it before any agent worked in it.
 *
 * Configuration, attributes, index and hooks are ours. Objects go straight into the user's store, where they are
 * unreachable until a branch moves. Filters keep keys and data of their own in the git directory (LFS, git-crypt), so
 * every folder there that is not git's own is linked.
 */
import { lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
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
  /** Git's id for "no object". */
  readonly zeroId: string;
  readonly access: GitAccess & { readonly gitDir: string; readonly indexFile: string };
}

const GITS_OWN = new Set(
  "branches hooks info logs modules objects refs reftable worktrees rebase-merge rebase-apply sequencer rr-cache".split(
    " ",
  ),
);

/**
 * Objects and refs are on the disk before anything relies on them: a crash may cut the power as well. An index that git
 * writes is a private one, which is thrown away.
 */
export const DURABLE = ["-c", "core.fsync=committed,loose-object,reference", "-c", "core.fsyncMethod=batch"] as const;

export async function openFilterView(request: FilterViewRequest): Promise<FilterView> {
  const { repository, settings, folder, objectFormat, signal } = request;
  const tree = join(folder, "tree");
  mkdirSync(tree);
  const own = await createPrivateRepository(join(folder, "git"), {
    objectFormat,
    isWritingElsewhere: true,
  });
  await adoptInfo(own, repository.commonDir);
  for (const name of readdirSync(repository.commonDir)) {
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
      env: withSetting(
        relocateFilters(settings.env, repository.root),
        "lfs.storage",
        // Content that LFS takes away must land where a push will look for it, also on its first use.
        resolve(repository.commonDir, findSetting(settings, "lfs.storage") ?? "lfs"),
      ),
      signal,
    },
  };
}

type Variables = FilterSettings["env"];

/** In the order in which later ones win. */
export function listSettings(env: Variables): readonly { readonly key: string; readonly value: string }[] {
  return Array.from({ length: Number(env["GIT_CONFIG_COUNT"] ?? 0) }, (_, at) => ({
    key: env[`GIT_CONFIG_KEY_${at}`] ?? "",
    value: env[`GIT_CONFIG_VALUE_${at}`] ?? "",
  }));
}

/** The last value of a setting that was taken over. */
export function findSetting({ env }: FilterSettings, key: string): string | null {
  return listSettings(env).findLast((setting) => setting.key === key)?.value ?? null;
}

/** The commands that convert content on its way into the repository, each with the name of its filter. */
export function listFilterCommands(env: Variables): readonly { readonly filter: string; readonly command: string }[] {
  return listSettings(env).flatMap(({ key, value: command }) => {
    const filter = /^filter\.(?<filter>.+)\.(?:clean|process)$/s.exec(key)?.groups?.["filter"];
    return filter === undefined ? [] : [{ filter, command }];
  });
}

/** The same variables with one setting more, which wins over an earlier one. */
export function withSetting(env: Variables, key: string, value: string): Variables {
  const count = Number(env["GIT_CONFIG_COUNT"] ?? 0);
  return {
    ...env,
    [`GIT_CONFIG_KEY_${count}`]: key,
    [`GIT_CONFIG_VALUE_${count}`]: value,
    GIT_CONFIG_COUNT: String(count + 1),
  };
}

/** A filter without a command leaves content as it is, and one that is required would be an error then. */
export function withoutFilters(env: Variables, filters: Iterable<string>): Variables {
  const settings = [...new Set(filters)].flatMap((name) => [
    [`filter.${name}.clean`, ""] as const,
    [`filter.${name}.process`, ""] as const,
    [`filter.${name}.required`, "false"] as const,
  ]);
  return settings.reduce((variables, [key, value]) => withSetting(variables, key, value), env);
}

/** A filter named by its absolute path in the working tree is looked for in the view, like every other one. */
function relocateFilters(env: Variables, root: string): Variables {
  const isCommand = (name: string): boolean =>
    /^filter\..+\.(?:clean|process)$/s.test(env[name.replace("VALUE", "KEY")] ?? "");
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      name.startsWith("GIT_CONFIG_VALUE_") && isCommand(name) ? value?.replaceAll(`${root}/`, "./") : value,
    ]),
  );
}
