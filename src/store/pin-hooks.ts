/**
 * Copies of the hooks, made before any agent works in the repository.
 *
 * Hooks may lie in the working tree (`core.hooksPath`), where a builder can edit them. A hook often calls a file beside
 * it, so its whole folder is copied; in the working tree its parent as well, because some tools keep the real scripts
 * there.
 */
import { accessSync, constants, cpSync, lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { MeasurementError } from "../base/measurement-error.ts";
import { readErrorCode } from "../system/error-code.ts";
import { isFolder } from "../system/is-folder.ts";
import { USER_CONFIG_VARIABLES } from "../git/filter-settings.ts";
import { accessRepository, runGit } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";
import { pickVariables } from "../system/child-environment.ts";

export interface PinnedHooks {
  readonly folder: string;
}

const ENTRIES_MAX = 2_000;
const BYTES_MAX = 32 * 1024 * 1024;

/** Copies the hooks of a repository into an empty folder outside of it. */
export async function pinHooks(repository: Repository, folder: string): Promise<PinnedHooks> {
  const hooks = await locateHooks(repository);
  const below = relative(repository.root, hooks);
  const isInTree = below !== "" && !below.startsWith("..") && !isAbsolute(below) && !below.startsWith(".git/");
  const copied = isInTree && below.includes("/") ? dirname(hooks) : hooks;
  if (!isFolder(hooks)) return { folder };
  refuseLarge(copied);
  cpSync(copied, folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  return { folder: join(folder, relative(copied, hooks)) };
}

/** The copy of one hook, or null where there is none that git would run. */
export function findPinnedHook({ folder }: PinnedHooks, name: string): string | null {
  const path = join(folder, name);
  try {
    if (!statSync(path).isFile()) return null;
    accessSync(path, constants.X_OK);
    return path;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(readErrorCode(error) ?? "")) return null;
    throw error;
  }
}

async function locateHooks(repository: Repository): Promise<string> {
  const { root, commonDir, environment } = repository;
  const { stdout } = await runGit({
    ...accessRepository(repository),
    // The last value is the one before our own hardening, which comes from the command line.
    args: ["config", "--show-scope", "-z", "--type=path", "--get-all", "core.hooksPath"],
    env: pickVariables(environment, USER_CONFIG_VARIABLES),
    okStatuses: [0, 1],
  });
  const fields = stdout.toString("utf8").split("\0");
  let configured: string | null = null;
  for (let at = 0; at + 1 < fields.length; at += 2) if (fields[at] !== "command") configured = fields[at + 1] ?? null;
  return configured === null || configured === "" ? join(commonDir, "hooks") : resolve(root, configured);
}

function refuseLarge(folder: string): void {
  let entries = 0;
  let bytes = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of readdirSync(next)) {
      const stats = lstatSync(join(next, name));
      entries += 1;
      bytes += stats.isFile() ? stats.size : 0;
      if (stats.isDirectory()) pending.push(join(next, name));
      if (entries > ENTRIES_MAX || bytes > BYTES_MAX) throw new MeasurementError(folder, "holds too much to be copied");
    }
  }
}
