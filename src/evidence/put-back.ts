/**
 * Restores a repository to an earlier observation, whole or only git's own data, and proves it.
 *
 * The proof is a fresh observation that equals the target. Everything else is a RollbackError.
 */
import { dirname } from "node:path";
import type { GrowthCaps, Manifest, Observation } from "../base/manifest.ts";
import { RollbackError } from "../base/rollback-error.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { compareManifests, type Difference } from "./pure/compare-manifests.ts";
import { classifyGitPath } from "../records/git-area.ts";
import { findPlaceIn, type MountChange } from "./pure/mount-changes.ts";
import { decodePath } from "../base/path-names.ts";
import { planRestoration } from "./pure/restoration-plan.ts";
import { writeUnkeptNote } from "./pure/unkept-notes.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { ContentStore } from "../store/content-store.ts";
import { isVacant } from "../system/left-file.ts";
import { reclaimFolder } from "../system/reclaim-folder.ts";
import type { Repository } from "../git/repository-layout.ts";
import { rescueCommits } from "../store/rescue.ts";
import { removeNew } from "../store/remove-new.ts";
import { restore } from "../store/restore.ts";
import { chooseKeptGitData, withKept } from "./kept-git-data.ts";
import { describeMount } from "./mount-watch.ts";
import { observe } from "./observe.ts";
import { findOwnGitPrefix } from "./pure/own-git-prefix.ts";
import { isEmpty, restoreAll, type Restoration, without } from "./restore-all.ts";
import { readClockMs } from "../system/clock.ts";

export interface Rollback {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
  readonly look: (earlier: Observation, afterBuild: boolean) => Promise<Observation>;
}

export interface WholeRollback extends Restoration {
  /** Nothing at these places is touched. */
  readonly mountsSince: () => Promise<readonly MountChange[]>;
  readonly caps: GrowthCaps;
}

/**
 * Restores everything. It needs no space in the state directory: what cannot be saved first is named in
 * the answer, and the repository is restored all the same.
 */
export async function putBack(rollback: WholeRollback): Promise<readonly string[]> {
  const { repository, store, before, mountsSince, caps } = rollback;
  const problems: string[] = [];
  await convertToRollbackError(async () => {
    const mounts = await mountsSince();
    const concealed = mounts.map(({ point }) => point);
    const request = { repository, store, isComparison: true, concealed };
    const look = (earlier: Observation, afterBuild: boolean): Promise<Observation> =>
      observe({ ...request, earlier, afterBuild });
    if (mounts.length === 0) reclaimFolder(repository.root, before.worktree.get(""));
    const first = await observe({ ...request, earlier: before, afterBuild: true, caps });
    problems.push(...rescueFromGit({ repository, store }, compareManifests(before.git, first.git)));
    if (first.excess !== undefined) removeExcess(rollback, concealed);
    const now = first.excess === undefined ? first : await look(before, true);
    const lookAgain = (): Promise<Observation> => look(before, true);
    const { target, forgone, seen, notes } = await restoreAll(rollback, now, lookAgain);
    problems.push(...notes);
    // Where nothing was to be done, the observation just taken is the proof.
    const proof = seen ?? (await look(target, false));
    const wanted = { ...before, worktree: without(before.worktree, forgone) };
    const found = without(dropSpared(before, target, proof), forgone);
    assertNone(listChangedPaths(wanted, { ...proof, worktree: found }));
    assertUnmounted(mounts);
  });
  return problems;
}

/** Too much is new to be listed: it goes before anything is planned. What lies at a mount or is spared stays. */
function removeExcess({ repository, before, spared }: WholeRollback, concealed: readonly string[]): void {
  for (const part of ["worktree", "git"] as const) {
    const folder = toBytePath(part === "worktree" ? repository.root : repository.commonDir);
    const places = [
      ...concealed.flatMap((point) => findPlaceIn(folder, point) ?? []),
      ...(part === "worktree" ? [...spared.map(toBytePath), ".git"] : []),
    ];
    const isSpared = (path: string): boolean =>
      places.some((place) => place === "" || path === place || place.startsWith(`${path}/`));
    removeNew({ folder, earlier: before[part], isSpared });
  }
}

function rescueFromGit(
  { repository, store }: Pick<Rollback, "repository" | "store">,
  differences: readonly Difference[],
): readonly string[] {
  try {
    rescueCommits(
      toBytePath(repository.commonDir),
      dirname(store.gitDir),
      differences.flatMap(({ path, after }) => (after === null ? [] : [{ path, entry: after }])),
    );
    return [];
  } catch (error) {
    const reason = describeError(error);
    return [writeUnkeptNote("reverted commits", reason)];
  }
}

/** Spared folders were left alone, so their new entries prove nothing. */
function dropSpared(before: Observation, target: Observation, { worktree }: Observation): Manifest {
  if (target.worktree === before.worktree) return worktree;
  const rest = new Map(worktree);
  for (const path of target.worktree.keys()) if (!before.worktree.has(path)) rest.delete(path);
  return rest;
}

/**
 * Restores one file if its place is empty and its parents are folders. Anything else is the
 * builder's doing, which the judge must see.
 */
export async function putBackFile({ repository, store, before }: Rollback, path: string): Promise<void> {
  const was = before.worktree.get(toBytePath(path));
  if (was === undefined || was.type === "directory") return;
  if (!(await isVacant({ root: repository.root, path }))) return;
  const plan = planRestoration(new Map([[toBytePath(path), was]]), new Map());
  await restore({ folder: toBytePath(repository.root), store, plan, isPassing: true });
}

interface MergedGitData {
  /** The paths that changed since the candidate was observed, besides those that a merge restores or keeps anyway. */
  readonly changed: readonly string[];
  readonly git: Manifest;
}

/**
 * Restores git's data from before the build, except for what others changed meanwhile; the worktree stays.
 *
 * If git's data changed since, nothing is touched: a person may have committed.
 */
export async function mergeGitData(
  { repository, store, before, look }: Rollback,
  candidate: Observation,
): Promise<MergedGitData> {
  const now = await look(candidate, true);
  const question = { repository, store, before: before.git, now: now.git };
  const kept = await chooseKeptGitData(question);
  const late = compareManifests(candidate.git, now.git)
    .filter(({ path }) => isDifferent(before.git, now.git, path) && !kept.paths.has(path))
    .filter((difference) => isRestorable(difference) && !isPassing(repository, difference));
  const changed = [...listWorktreePaths(candidate.worktree, now.worktree), ...late.map(nameGitPath)];
  if (late.length > 0) return { changed, git: now.git };
  return convertToRollbackError(async () => {
    const target = withKept(question, kept);
    const plan = planRestoration(target, now.git);
    if (isEmpty(plan)) return { changed, git: now.git };
    await restore({ folder: toBytePath(repository.commonDir), store, plan });
    const { git } = await look(now, false);
    // Others may still change the kept paths.
    const wrong = compareManifests(target, git).filter(({ path }) => !kept.paths.has(path));
    assertNone(wrong.filter(isRestorable).map(nameGitPath));
    return { changed, git };
  });
}

/** Whether a path that differs from the candidate is not simply as it was before the build. */
function isDifferent(before: Manifest, now: Manifest, path: string): boolean {
  const was = before.get(path);
  const is = now.get(path);
  return compareManifests(new Map(was && [[path, was]]), new Map(is && [[path, is]])).length > 0;
}

/** Traces of honest commands, the index included: even `git status` may write it. */
function isPassing(repository: Repository, { path, before }: Difference): boolean {
  const own = findOwnGitPrefix(repository);
  const within = path.startsWith(own) ? path.slice(own.length) : path;
  const area = classifyGitPath(within, before === null ? "added" : "modified");
  return within === "index" || area === "noise" || area === "remote_refs";
}

export async function convertToRollbackError<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RollbackError) throw error;
    throw new RollbackError(describeError(error), []);
  }
}

/** Everything else is restored; hidden files follow once they can be reached again. */
function assertUnmounted(mounts: readonly MountChange[]): void {
  if (mounts.length === 0) return;
  const reason = "a file system was mounted or unmounted in it; fix that, then run `relais recover`";
  throw new RollbackError(reason, describeMount(mounts));
}

function assertNone(differences: readonly string[]): void {
  if (differences.length > 0) throw new RollbackError("it still differs", differences);
}

/** The paths that differ between two observations; those of git's data follow `git: `. */
export function listChangedPaths(before: Observation, after: Observation): readonly string[] {
  const git = compareManifests(before.git, after.git).filter(isRestorable).map(nameGitPath);
  return [...listWorktreePaths(before.worktree, after.worktree), ...git];
}

function listWorktreePaths(before: Manifest, after: Manifest): readonly string[] {
  return compareManifests(before, after)
    .filter(isRestorable)
    .map(({ path }) => decodePath(path).text);
}

function nameGitPath({ path }: Difference): string {
  return `git: ${decodePath(path).text}`;
}

/** A removed socket cannot be created again; the evidence names it. */
function isRestorable({ before, after }: Difference): boolean {
  return !(before?.type === "socket" && after === null);
}

/**
 * Writes a foreseen observation with the means of a rollback, and proves it in the same way: a fresh
 * observation must equal the judged one. Everything else throws, and the tick is rolled back.
 */
export async function writeForeseen(
  { repository, store, before, look }: Rollback,
  foreseen: Observation,
): Promise<Observation> {
  demandNone("it changed while the patch was judged", listChangedPaths(before, await look(before, false)));
  const plan = planRestoration(foreseen.worktree, before.worktree);
  const stamp = `0:${readClockMs()}000000:0`;
  // A folder with a new file has new times, unlike one that was restored.
  const settle = plan.settle.map(({ path, entry }) => ({
    path,
    entry: entry.type === "directory" ? { ...entry, stamp } : entry,
  }));
  await restore({ folder: toBytePath(repository.root), store, plan: { ...plan, settle } });
  const now = await look(before, true);
  demandNone("it is not what was judged", listChangedPaths(foreseen, now));
  return now;
}

function demandNone(trouble: string, paths: readonly string[]): void {
  if (paths.length === 0) return;
  throw new MeasurementError("the worktree", `${trouble}: ${paths.slice(0, 5).join(", ")}`);
}
