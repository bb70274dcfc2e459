import { accessSync, constants, cpSync, lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import { readErrorCode, isFolder } from "../system/read-files.ts";
import { USER_CONFIG_VARIABLES } from "../git/filter-settings.ts";
import { accessRepository, runGit } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";
import { pickVariables } from "../system/child-environment.ts";
import { writeFile } from "node:fs/promises";
import type { FilterView } from "../git/filter-view.ts";

/**
 * Copies of the hooks, made before any agent works in the repository.
 *
 * Hooks may lie in the working tree (`core.hooksPath`), where a builder can edit them. A hook often calls a file beside
 * it, so its whole folder is copied; in the working tree its parent as well, because some tools keep the real scripts
 * there.
 */

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

/**
 * Makes the attributes of some paths independent of every attributes file.
 *
 * A change that edits attributes is stored by the old ones. When git then refreshes the index, it would use the new
 * ones and call stored files modified. So the old ones are written path by path into the file with the highest
 * priority, for the private git directory only.
 */

const DECIDING = ["text", "crlf", "eol", "filter", "ident", "working-tree-encoding"];
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/** Asks git in the view, where the old attributes still lie, and pins its answers there. */
export async function freezeAttributes({ access }: FilterView, paths: readonly string[]): Promise<void> {
  const { stdout } = await runGit({
    ...access,
    args: ["check-attr", "-z", "--stdin", ...DECIDING],
    input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
    outputBytesMax: ANSWER_BYTES_MAX,
  });
  const fields = stdout.toString("latin1").split("\0").slice(0, -1);
  if (fields.length !== 3 * DECIDING.length * paths.length)
    throw new MeasurementError("git check-attr", "an unreadable answer");
  const lines = paths.map((path, index) => {
    const states = DECIDING.map((name, at) => renderState(name, fields[3 * (index * DECIDING.length + at) + 2]));
    return `${renderPattern(path)} ${states.join(" ")}\n`;
  });
  await writeFile(join(access.gitDir, "info", "attributes"), Buffer.from(lines.join(""), "latin1"));
}

function renderState(name: string, value = "unspecified"): string {
  if (value === "set") return name;
  if (value === "unset") return `-${name}`;
  return value === "unspecified" ? `!${name}` : `${name}=${value}`;
}

/** A pattern for exactly this path, with every special character escaped. */
function renderPattern(path: string): string {
  const exact = `/${path.replaceAll(/[\\*?[\]]/g, (character) => `\\${character}`)}`;
  return `"${exact.replaceAll(/["\\]/g, (character) => `\\${character}`).replaceAll("\n", "\\n")}"`;
}
