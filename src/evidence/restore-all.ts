import { dirname, join } from "node:path";
import type { Manifest, Observation, Entry } from "../base/manifest.ts";
import { describeError } from "../base/errors.ts";
import { compareManifests, listRewrittenPaths } from "./pure/compare-manifests.ts";
import { writeUnkeptNote, writeLostNote } from "./pure/unkept-notes.ts";
import { type ContentStore, identifyFiles } from "../store/content-store.ts";
import { listLostContent, takeOverContent } from "../store/lost-content.ts";
import { RESCUED_BYTES_MAX, rescueFiles } from "../store/rescue.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readClockMs } from "../system/clock.ts";
import { createRunId } from "../journal/run-directory.ts";
import { type RestorationPlan, planRestoration } from "./pure/restoration-plan.ts";
import { decodePath } from "../base/path-names.ts";
import { restore, SavedMeanwhile } from "../store/restore.ts";
import { syncEntries } from "../system/sync-file.ts";

interface Edits {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
}

/**
 * Copies edited files that a rollback is about to revert and that nothing has kept yet. Salvage keeps what it has seen; a
 * person may save a file a moment later, or while a check runs in the worktree. Files that are new are left out: they are
 * mostly what tools leave behind.
 */
export async function rescueEdits(
  edits: Edits,
  now: Manifest,
  lookAgain: () => Promise<Manifest>,
): Promise<readonly string[]> {
  try {
    // Once more: a person may save a file in the moment in which it is read.
    await copyEdits(edits, now).catch(async () => copyEdits(edits, await lookAgain()));
    return [];
  } catch (error) {
    return [writeUnkeptNote("edited files", describeError(error))];
  }
}

async function copyEdits({ repository, store, before }: Edits, now: Manifest): Promise<void> {
  const folder = toBytePath(repository.root);
  const edited = compareManifests(before.worktree, now).flatMap(({ path, before: was, after: entry }) =>
    was?.type === "file" && entry?.type === "file" && was.id !== entry.id && entry.size <= RESCUED_BYTES_MAX
      ? [{ folder, path, entry, knownId: "" }]
      : [],
  );
  if (edited.length === 0) return;
  const ids = identifyFiles(edited, true).map(({ id }) => id ?? "");
  const unkept = await listLostContent(store, ids);
  const files = edited.flatMap(({ path, entry: { size } }, at) => (unkept.has(ids[at] ?? "") ? [{ path, size }] : []));
  const target = join(dirname(store.gitDir), "rescued", "files", createRunId(readClockMs()));
  if (files.length > 0) rescueFiles(repository.root, target, files);
}

/** Restores the working tree and git's data to an earlier observation, and keeps what a person saves meanwhile. */

export interface Restoration {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
  /** Folders of the worktree, from its root: what was made in them since stays. */
  readonly spared: readonly string[];
  /** A file that relais writes for people, and makes again. */
  readonly isOwn: (path: string) => boolean;
}

interface Restored {
  readonly target: Observation;
  /** The paths that nobody can restore, and nobody needs. */
  readonly forgone: ReadonlySet<string>;
  /** Where nothing was to be done, what was seen. */
  readonly seen: Observation | null;
  readonly notes: readonly string[];
}

const TRIES = 5;

/** A person may save a file between the look at it and the moment in which it is replaced: then it is looked at again. */
export async function restoreAll(
  restoration: Restoration,
  first: Observation,
  lookAgain: () => Promise<Observation>,
): Promise<Restored> {
  for (let now = first, tries = 1; ; now = await lookAgain(), tries += 1) {
    try {
      return await restoreSeen(restoration, { now, lookAgain, isWatched: tries < TRIES });
    } catch (error) {
      if (!(error instanceof SavedMeanwhile)) throw error;
    }
  }
}

async function restoreSeen(
  restoration: Restoration,
  {
    now,
    lookAgain,
    isWatched,
  }: { readonly now: Observation; readonly lookAgain: () => Promise<Observation>; readonly isWatched: boolean },
): Promise<Restored> {
  const { repository, store, before, spared, isOwn } = restoration;
  const unkept = await rescueEdits(restoration, now.worktree, async () => (await lookAgain()).worktree);
  const target = { ...before, worktree: addSpared(before.worktree, now.worktree, spared) };
  const worktree = planRestoration(target.worktree, now.worktree);
  const git = planRestoration(before.git, now.git);
  const lost = await listLost(restoration, [worktree, git]);
  const forgone = new Set(listLostPaths(worktree, lost).filter(isOwn));
  const root = { folder: toBytePath(repository.root), store, plan: dropLost(worktree, lost) };
  await restore({ ...root, ...(isWatched ? { seen: now.worktree } : {}) });
  await restore({ folder: toBytePath(repository.commonDir), store, plan: dropLost(git, lost) });
  // Also files that are as they were: a rollback that was stopped may have written them just before.
  syncEntries(root.folder, listLeft(worktree, listRewrittenPaths(before.worktree, now.worktree)));
  syncEntries(toBytePath(repository.commonDir), listLeft(git, listRewrittenPaths(before.git, now.git)));
  const gone = forgone.size === 0 ? [] : [writeLostNote([...forgone].map((path) => decodePath(path).text))];
  return { target, forgone, seen: isEmpty(worktree) && isEmpty(git) ? now : null, notes: [...unkept, ...gone] };
}

/** Those that the plan did not write and sync. */
function listLeft({ write, settle }: RestorationPlan, paths: readonly string[]): readonly string[] {
  const synced = new Set([...write, ...settle].map(({ path }) => path));
  return paths.filter((path) => !synced.has(path));
}

/** The manifest before, plus the new entries of the spared folders. */
export function addSpared(before: Manifest, now: Manifest, spared: readonly string[]): Manifest {
  const folders = spared.map(toBytePath);
  if (folders.length === 0) return before;
  const isSpared = (path: string, { type }: Entry): boolean =>
    folders.some(
      (folder) =>
        path === folder || path.startsWith(`${folder}/`) || (type === "directory" && folder.startsWith(`${path}/`)),
    );
  const both = new Map(before);
  for (const [path, entry] of now) if (!before.has(path) && isSpared(path, entry)) both.set(path, entry);
  return both;
}

export function isEmpty({ remove, createFolders, write, settle }: RestorationPlan): boolean {
  return remove.length + createFolders.length + write.length + settle.length === 0;
}

/** Content that the store and the repository's own objects have lost is not restored, and the comparison names it. */
async function listLost(
  { repository, store }: { readonly repository: Repository; readonly store: ContentStore },
  plans: readonly RestorationPlan[],
): Promise<ReadonlySet<string>> {
  const wanted = plans.flatMap(({ write }) => write.flatMap(({ entry: { id } }) => (id === null ? [] : [id])));
  const ids = await listLostContent(store, wanted);
  if (ids.size === 0) return ids;
  await takeOverContent(store, { ids, objects: join(repository.commonDir, "objects") });
  return listLostContent(store, [...ids]);
}

const listLostPaths = ({ write }: RestorationPlan, lost: ReadonlySet<string>): readonly string[] =>
  write.flatMap(({ path, entry: { id } }) => (id !== null && lost.has(id) ? [path] : []));

/**
 * Before the first session nothing waits for the disk, so a power cut may take relais' own documents with their stored
 * content. Nobody needs them: the journal has what they say.
 */
export function without(manifest: Manifest, paths: ReadonlySet<string>): Manifest {
  if (paths.size === 0) return manifest;
  const rest = new Map(manifest);
  for (const path of paths) rest.delete(path);
  return rest;
}

function dropLost(plan: RestorationPlan, lost: ReadonlySet<string>): RestorationPlan {
  if (lost.size === 0) return plan;
  const gone = new Set(listLostPaths(plan, lost));
  const isThere = ({ path }: { readonly path: string }): boolean => !gone.has(path);
  return { ...plan, write: plan.write.filter(isThere), settle: plan.settle.filter(isThere) };
}
