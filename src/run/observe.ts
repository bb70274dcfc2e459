/**
 * One observation of a repository: everything in its worktree and in its git directory, with the ids of all content.
 *
 * No git process looks at the user's repository. Entries that an earlier observation proves untouched keep their ids;
 * everything else is read, hashed and kept in the content store, so that it can be compared now and put back later.
 */
import type { Entry, EntryType, Observation } from "../contract/manifest.ts";
import { MeasurementError } from "../contract/measurement-error.ts";
import { bytePath } from "../io/byte-path.ts";
import { currentTimeMs } from "../io/clock.ts";
import { type ContentStore, type FileToKeep, keepFiles } from "../io/content-store.ts";
import type { Repository } from "../io/repository-layout.ts";
import { walk } from "../io/walk.ts";

export interface ObserveRequest {
  readonly repository: Repository;
  readonly store: ContentStore;
  /** An earlier observation of the same repository, to save reading what it knows. */
  readonly earlier: Observation | null;
  /** After a build: lift permissions that were taken away, and do not read what is too large to be accepted. */
  readonly afterBuild: boolean;
}

/** A builder's file above this size is never read: it is past every limit that a task can have. */
const BUILT_BYTES_MAX = 256 * 1024 * 1024;

export async function observe(request: ObserveRequest): Promise<Observation> {
  assertLayout(request.repository);
  const takenAt = currentTimeMs();
  const worktree = look(request, "worktree");
  const git = look(request, "git");
  const unread = [...worktree.unread, ...git.unread];
  const kept = await keepFiles(request.store, {
    files: unread.map(({ file }) => file),
    sizeMax: request.afterBuild ? BUILT_BYTES_MAX : null,
    force: request.afterBuild,
  });
  for (const [index, { file, manifest }] of unread.entries()) {
    const learnt = kept[index];
    if (learnt === undefined) throw new MeasurementError("content store", `no answer about ${file.path}`);
    manifest.set(file.path, { ...file.entry, id: learnt.id, forced: file.entry.forced || learnt.forced });
  }
  return { takenAt, worktree: worktree.manifest, git: git.manifest };
}

interface Unread {
  readonly file: FileToKeep;
  readonly manifest: Map<string, Entry>;
}

function look(request: ObserveRequest, part: "worktree" | "git") {
  const { repository, earlier } = request;
  const folder = bytePath(part === "worktree" ? repository.root : repository.commonDir);
  const { manifest, unread } = walk({
    folder,
    earlier: earlier === null ? null : { manifest: earlier[part], takenAt: earlier.takenAt },
    skipTopLevel: part === "worktree" ? isGitFolder : () => false,
    force: request.afterBuild,
  });
  const files = unread.flatMap((path): readonly Unread[] => {
    const entry = manifest.get(path);
    return entry === undefined ? [] : [{ file: { folder, path, entry }, manifest }];
  });
  return { manifest, unread: files };
}

/** Git's folder is observed as such; a file or link of that name is an entry of the worktree. */
function isGitFolder(name: string, type: EntryType): boolean {
  return name === ".git" && type === "directory";
}

function assertLayout({ gitDir, commonDir }: Repository): void {
  if (gitDir === commonDir || gitDir.startsWith(`${commonDir}/`)) return;
  throw new MeasurementError(gitDir, `lies outside its common git directory ${commonDir}`);
}
