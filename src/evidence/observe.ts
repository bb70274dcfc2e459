/**
 * One observation of a repository: everything in its worktree and in its git directory, with the ids of all content.
 *
 * No git process looks at the user's repository. Entries that an earlier observation proves untouched keep their ids;
 * everything else is read, hashed and stored, so that it can be compared now and restored later.
 */
import type { Entry, EntryType, GrowthCaps, Manifest, Observation } from "../base/manifest.ts";
import { MeasurementError } from "../base/errors.ts";
import { toBytePath } from "../system/byte-path.ts";
import { readClockMs } from "../system/clock.ts";
import { type ContentStore, type FileToKeep, identifyFiles, type Kept, keepFiles } from "../store/content-store.ts";
import { hideEntries, findPlaceIn } from "./pure/mount-changes.ts";
import type { Repository } from "../git/repository-layout.ts";
import { walk } from "../system/walk.ts";

export interface ObserveRequest {
  readonly repository: Repository;
  readonly store: ContentStore;
  /** An earlier observation of the same repository, to save reading what it knows. */
  readonly earlier: Observation | null;
  /** After a build: lift permissions that were taken away, and do not keep what is too large to be accepted. */
  readonly afterBuild: boolean;
  /** Only to compare with the earlier observation: nothing is stored, and what cannot be the same has no id. */
  readonly isComparison?: boolean;
  /** How much may be new since the earlier observation; absent is no limit. */
  readonly caps?: GrowthCaps;
  /** Absolute paths that are not observed: everything there counts as in the earlier observation. */
  readonly concealed?: readonly string[];
}

/** A larger file of a builder exceeds every limit of a task, so it is not stored. */
const BUILT_BYTES_MAX = 256 * 1024 * 1024;
/** Of too much new content, salvage keeps no more than this. */
const EXCESS_BYTES_MAX = 64 * 1024 * 1024;

export async function observe(request: ObserveRequest): Promise<Observation> {
  assertLayout(request.repository);
  const takenAt = readClockMs();
  const worktree = walkPart(request, "worktree");
  const git = isReachable(request.repository, worktree.manifest)
    ? walkPart(request, "git")
    : { manifest: new Map<string, Entry>(), unread: [], excess: null };
  const excess = worktree.excess ?? git.excess;
  const unread = [...worktree.unread, ...git.unread];
  await learnContent(request, excess === null ? unread : limitExcess(unread));
  const parts = { takenAt, worktree: worktree.manifest, git: git.manifest };
  return excess === null ? parts : { ...parts, excess };
}

/** The verdict about too much new content does not depend on it, so little of it is read. */
export function limitExcess(unread: readonly UnreadFile[]): readonly UnreadFile[] {
  let left = EXCESS_BYTES_MAX;
  return unread.filter(({ file: { entry, knownId } }) => {
    if (typeof knownId === "string") return true;
    if (entry.size > left) return false;
    left -= entry.size;
    return true;
  });
}

/** Without git's own data. */
export async function observeWorktree(request: ObserveRequest): Promise<Observation> {
  const takenAt = readClockMs();
  const { manifest, unread } = walkPart(request, "worktree");
  await learnContent(request, unread);
  return { takenAt, worktree: manifest, git: new Map() };
}

/** Reads, hashes and stores files, and completes their entries. */
export async function learnContent(request: ContentRequest, unread: readonly UnreadFile[]): Promise<void> {
  const kept = await identifyContent(
    request,
    unread.map(({ file }) => file),
  );
  for (const [index, { file, manifest }] of unread.entries()) {
    const learnt = kept[index];
    if (learnt === undefined) throw new MeasurementError("content store", `no answer about ${file.path}`);
    manifest.set(file.path, { ...file.entry, id: learnt.id, forced: file.entry.forced || learnt.forced });
  }
}

type ContentRequest = Pick<ObserveRequest, "store" | "afterBuild" | "isComparison">;

async function identifyContent(request: ContentRequest, files: readonly FileToKeep[]): Promise<readonly Kept[]> {
  const { store, afterBuild: force, isComparison = false } = request;
  if (isComparison) return identifyFiles(files, force);
  return keepFiles(store, { files, sizeMax: force ? BUILT_BYTES_MAX : null, force });
}

/** A file whose content is not known yet, and the manifest with its entry. */
export interface UnreadFile {
  readonly file: FileToKeep;
  readonly manifest: Map<string, Entry>;
}

function walkPart(request: ObserveRequest, part: "worktree" | "git") {
  const { repository, earlier } = request;
  const folder = toBytePath(part === "worktree" ? repository.root : repository.commonDir);
  const places = (request.concealed ?? []).flatMap((point) => findPlaceIn(folder, point) ?? []);
  const walked = walk({
    folder,
    earlier: earlier === null ? null : { manifest: earlier[part], takenAt: earlier.takenAt },
    skipTopLevel: part === "worktree" ? isGitFolder : () => false,
    leftOut: new Set(places),
    force: request.afterBuild,
    ...(request.caps === undefined ? {} : { caps: request.caps }),
  });
  const { manifest: seen, unread, excess } = walked;
  const manifest = places.length === 0 ? seen : hideEntries(seen, earlier?.[part] ?? new Map(), places);
  const files = unread.flatMap((path): readonly UnreadFile[] => {
    const entry = manifest.get(path);
    if (entry === undefined) return [];
    return [{ file: { folder, path, entry, knownId: findKnownId(earlier?.[part].get(path), entry) }, manifest }];
  });
  return { manifest, unread: files, excess };
}

/**
 * Whether every folder from the worktree down to git's is one. What lies behind a link that took the place of a folder
 * is not this repository, even if it was moved there: it is observed as gone.
 */
function isReachable({ root, commonDir }: Repository, worktree: Manifest): boolean {
  if (!commonDir.startsWith(`${root}/`)) return true;
  const path = toBytePath(commonDir.slice(root.length));
  for (let at = 0; at !== -1; at = path.indexOf("/", at + 1)) {
    if (worktree.get(path.slice(1, Math.max(1, at)))?.type !== "directory") return false;
  }
  return true;
}

/** A file of the same size may be the same file with new times; its content decides. */
function findKnownId(earlier: Entry | undefined, now: Entry): string | null {
  return earlier?.type === "file" && earlier.size === now.size ? earlier.id : null;
}

/** Git's folder is observed as such; a file or link of that name is an entry of the worktree. */
function isGitFolder(name: string, type: EntryType): boolean {
  return name === ".git" && type === "directory";
}

function assertLayout({ gitDir, commonDir }: Repository): void {
  if (gitDir === commonDir || gitDir.startsWith(`${commonDir}/`)) return;
  throw new MeasurementError(gitDir, `lies outside its common git directory ${commonDir}`);
}
