import { lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FilterSettings } from "./filter-settings.ts";
import { type GitAccess, accessRepository, runGit } from "./git.ts";
import { adoptInfo, createPrivateRepository } from "./private-repository.ts";
import type { Repository } from "./repository-layout.ts";
import { MeasurementError } from "../base/errors.ts";
import { readNow } from "../system/read-files.ts";
import { findProgram } from "../system/find-program.ts";

/**
 * A git directory for storing content the way the repository stored it before any agent worked in it.
 *
 * Configuration, attributes, index and hooks are ours. Objects go straight into the user's store, where they are
 * unreachable until a branch moves. Filters keep keys and data of their own in the git directory (LFS, git-crypt), so
 * every folder there that is not git's own is linked.
 */

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

/** Filters that git must run for files of this repository, and whose program this machine lacks. */

interface MissingFilter {
  readonly filter: string;
  readonly program: string;
}

const COMMAND = /^filter\.(?<filter>.+)\.(?:clean|process)$/s;
/** A plain name or path; what else a shell would make of it is not guessed. */
const FIRST_WORD = /^\s*(?<program>[\w.+/-]+)(?:\s|$)/;
const USED = /(?:^|\s)filter=(?<filter>\S+)/gm;
const ATTRIBUTES_BYTES_MAX = 4 * 1024 * 1024;
const LIST_BYTES_MAX = 16 * 1024 * 1024;

interface FilterQuestion {
  readonly repository: Repository;
  readonly settings: FilterSettings;
  readonly signal?: AbortSignal | undefined;
}

/** Only filters that are required and that an attribute of the repository names: git fails without them. */
export async function listMissingFilters(question: FilterQuestion): Promise<readonly MissingFilter[]> {
  const { all } = question.settings;
  const names = listRequired(all);
  if (names.size === 0) return [];
  const used = await listUsed(question);
  const missing: MissingFilter[] = [];
  for (const command of all.flatMap(parseCommand)) {
    if (!names.has(command.filter) || !used.has(command.filter)) continue;
    if (!(await isFound(command.program, question))) missing.push(command);
  }
  return missing;
}

function parseCommand({ key, value }: FilterSettings["all"][number]): MissingFilter[] {
  const filter = COMMAND.exec(key)?.groups?.["filter"];
  const program = FIRST_WORD.exec(value)?.groups?.["program"];
  return filter === undefined || program === undefined ? [] : [{ filter, program }];
}

function listRequired(all: FilterSettings["all"]): ReadonlySet<string> {
  const required = all.filter(({ key, value }) => /^filter\..+\.required$/s.test(key) && value === "true");
  return new Set(required.map(({ key }) => key.slice("filter.".length, -".required".length)));
}

async function listUsed(question: FilterQuestion): Promise<ReadonlySet<string>> {
  const { repository } = question;
  const { stdout } = await ask(question, ["ls-files", "-z", "--", ".gitattributes", "*/.gitattributes"]);
  const listed = stdout.toString("utf8").split("\0").filter(Boolean);
  const files = [
    join(repository.root, ".gitattributes"),
    ...listed.map((path) => join(repository.root, path)),
    join(repository.commonDir, "info/attributes"),
  ];
  const texts = files.map(readText);
  return new Set(texts.flatMap((text) => [...text.matchAll(USED)].map(({ groups }) => groups?.["filter"] ?? "")));
}

/** What is no ordinary file holds no attributes for git either. */
function readText(path: string): string {
  try {
    return readNow(path, { bytesMax: ATTRIBUTES_BYTES_MAX })?.toString("utf8") ?? "";
  } catch (error) {
    if (error instanceof MeasurementError) return "";
    throw error;
  }
}

/** Git also finds programs beside its own. */
async function isFound(program: string, question: FilterQuestion): Promise<boolean> {
  const { environment, root: cwd } = question.repository;
  const path = environment["PATH"];
  if (path === undefined || (await findProgram(program, { path, cwd })) !== null) return true;
  const own = (await ask(question, ["--exec-path"])).stdout.toString("utf8").trim();
  return (await findProgram(program, { path: own, cwd })) !== null;
}

function ask({ repository, signal }: FilterQuestion, args: readonly string[]) {
  return runGit({
    ...accessRepository(repository, signal),
    args,
    env: { GIT_LITERAL_PATHSPECS: undefined },
    outputBytesMax: LIST_BYTES_MAX,
  });
}
