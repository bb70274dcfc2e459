import { MeasurementError, unreachable, describeError } from "../base/errors.ts";
import { decodePath } from "../base/path-names.ts";
import { toBytePath } from "../system/byte-path.ts";
import { isFolder } from "../system/read-files.ts";
import type { Repository } from "../git/repository-layout.ts";
import { listMounts } from "../system/mounts.ts";
import { canShareContent, countFreeBytes, surveyTree, type TreeObstacle } from "../sandbox/survey-tree.ts";
import type { Config } from "../config/config.ts";
import { tryOverlay } from "../sandbox/mount-holder.ts";
import { isKnownToWork, type ProbeMemory, rememberThatItWorks } from "../system/remembered-probe.ts";
import type { IsolationName } from "./workplace.ts";
import type { GrowthCaps } from "../base/manifest.ts";
import { NO_CAPS } from "../system/walk.ts";

interface CloneQuestion {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** Whether the configuration names it. Otherwise it must be cheap. */
  readonly isAsked: boolean;
}

const MEGABYTE = 1024 * 1024;
/** What is copied for each tick without being asked for. */
const COPIED_BYTES_MAX = 1024 * MEGABYTE;
const COPIED_ENTRIES_MAX = 100_000;
/** Room for the work itself. */
const SPARE_BYTES = 256 * MEGABYTE;

/** Null where a clone of the worktree can be made, else why not. */
export async function findCloneRefusal(question: CloneQuestion): Promise<string | null> {
  try {
    return (await findLayoutRefusal(question)) ?? findCostRefusal(question);
  } catch (error) {
    // An entry that cannot be listed could not be copied.
    if (error instanceof MeasurementError) return describeError(error);
    throw error;
  }
}

async function findLayoutRefusal({ repository, stateDirectory }: CloneQuestion): Promise<string | null> {
  const { root, gitDir, commonDir } = repository;
  if (`${stateDirectory}/`.startsWith(`${root}/`)) return `the state directory ${stateDirectory} lies in the worktree`;
  if (root.startsWith(`${commonDir}/`)) return "the worktree lies in git's own folder";
  const isUsual = gitDir === `${root}/.git`;
  if (!isUsual && `${commonDir}/`.startsWith(`${root}/`)) return "git's own folder lies in the worktree, not as .git";
  if (isFolder(`${commonDir}/reftable`)) return "its refs are kept in a reftable, which is not copied";
  const inside = (await listMounts()).find(({ point }) => point.startsWith(`${toBytePath(root)}/`));
  return inside === undefined ? null : `something is mounted in the worktree, at ${decodePath(inside.point).text}`;
}

function findCostRefusal({ repository: { root }, stateDirectory, isAsked }: CloneQuestion): string | null {
  const { entries, bytes, obstacle } = surveyTree(root);
  if (obstacle !== null) return describeObstacle(obstacle);
  if (canShareContent(root, stateDirectory)) return null;
  const megabytes = Math.ceil(bytes / MEGABYTE);
  if (bytes + SPARE_BYTES > countFreeBytes(stateDirectory))
    return `its copy needs ${megabytes} MB, and ${stateDirectory} has less free space`;
  if (isAsked || (bytes <= COPIED_BYTES_MAX && entries <= COPIED_ENTRIES_MAX)) return null;
  return `each tick would copy ${megabytes} MB in ${entries} files, because the file system cannot share them`;
}

function describeObstacle({ kind, path }: TreeObstacle): string {
  const { text } = decodePath(path);
  switch (kind) {
    case "outer_git_data":
      return `${text} leads to git data elsewhere, as in a submodule or a linked worktree`;
    case "outer_link":
      return `the link ${text} leads out of the worktree by a relative path, which is another place from a copy`;
    case "link_to_original":
      return `the link ${text} names the worktree by its absolute path, so a write in a copy would reach the original`;
    case "virtual_environment":
      return `${text} belongs to a virtual environment of Python, whose programs name the original by its path and would run its sources`;
    default:
      return unreachable(kind);
  }
}

export interface IsolationQuestion {
  readonly isolation: Config["isolation"];
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** A tick takes the word of an earlier one that an overlay works. */
  readonly remembers?: boolean;
}

/** `refusals` says why the better places are not used. */
export interface IsolationChoice {
  /** Null where the configured one cannot be had. */
  readonly isolation: IsolationName | null;
  readonly refusals: Readonly<Partial<Record<IsolationName, string>>>;
}

/** `auto` is the first place whose test passes. */
export async function chooseIsolation(question: IsolationQuestion): Promise<IsolationChoice> {
  const { isolation: wanted } = question;
  if (wanted === "in_place") return { isolation: "in_place", refusals: {} };
  const overlay = wanted === "clone" ? undefined : await findOverlayRefusal(question);
  if (overlay === null) return { isolation: "overlay", refusals: {} };
  const clone = wanted === "overlay" ? undefined : await findCloneRefusal({ ...question, isAsked: wanted === "clone" });
  const refusals = {
    ...(overlay === undefined ? {} : { overlay }),
    ...(typeof clone === "string" ? { clone } : {}),
  };
  if (clone === null) return { isolation: "clone", refusals };
  return { isolation: wanted === "auto" ? "in_place" : null, refusals };
}

export async function findOverlayRefusal({
  repository: { root, commonDir },
  stateDirectory,
  remembers = false,
}: Omit<IsolationQuestion, "isolation">): Promise<string | null> {
  if (`${stateDirectory}/`.startsWith(`${root}/`)) return `the state directory ${stateDirectory} lies in the worktree`;
  if (process.platform !== "linux") return "overlays exist on Linux only";
  // An overlay shows nothing of what is mounted in the folders below it.
  const inside = (await listMounts()).find(({ point }) => point.startsWith(`${toBytePath(root)}/`));
  if (inside !== undefined) return `something is mounted in the worktree, at ${decodePath(inside.point).text}`;
  if (root.startsWith(`${commonDir}/`)) return "the worktree lies in git's own folder";
  return remembers ? tryUnlessKnown(stateDirectory) : tryOverlay(stateDirectory);
}

async function tryUnlessKnown(stateDirectory: string): Promise<string | null> {
  const memory: ProbeMemory = { stateDirectory, name: "overlay" };
  const subject = { about: null, files: [stateDirectory] };
  if (isKnownToWork(memory, subject)) return null;
  const refusal = await tryOverlay(stateDirectory);
  if (refusal === null) rememberThatItWorks(memory, subject);
  return refusal;
}

const MIB = 1024 * 1024;

/** How much a tick may add to the repository; without a configuration there is no limit. */
export function readGrowthCaps({ config }: { readonly config?: Pick<Config, "runner"> }): GrowthCaps {
  return config === undefined ? NO_CAPS : { files: config.runner.max_new_files, bytes: config.runner.max_new_mb * MIB };
}
