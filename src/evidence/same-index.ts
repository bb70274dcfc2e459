/**
 * Whether a rewritten index still has the same content.
 *
 * Git notes the times of files in its index, so that it need not read them again, and many read-only commands
 * write it only for that. Such an index lists the same paths with the same content and flags.
 */
import type { Manifest } from "../base/manifest.ts";
import { isOrdinary } from "./pure/ordinary-entry.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { IndexEntry } from "../store/git-index.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readContentTexts } from "./content-texts.ts";
import { readIndexEntries, isIndexPart } from "./index-changes.ts";
import { findOwnGitPrefix } from "./pure/own-git-prefix.ts";

export interface IndexQuestion {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Manifest;
  readonly after: Manifest;
}

/** Compares the index of this worktree. An unreadable one is not the same. */
export async function isSameIndex({ repository, store, before, after }: IndexQuestion): Promise<boolean> {
  const own = findOwnGitPrefix(repository);
  const path = `${own}index`;
  const [was, is] = [before.get(path), after.get(path)];
  if (was === undefined || is === undefined) return was === is;
  const question = { path: "index", before: was, after: is, gitFolder: before.get("") };
  if (was.type !== "file" || !isOrdinary(question)) return false;
  const isWanted = (name: string): boolean => name.startsWith(own) && isIndexPart(name);
  const folder = toBytePath(repository.commonDir);
  const texts = await readContentTexts({ store, folder, manifests: [after, before], isWanted });
  try {
    const left = readIndexEntries(path, before, texts);
    const right = readIndexEntries(path, after, texts);
    if (left === null || right === null || left.length !== right.length) return false;
    return left.every((entry, at) => isSameEntry(entry, right[at]));
  } catch {
    return false;
  }
}

function isSameEntry(left: IndexEntry, right: IndexEntry | undefined): boolean {
  return (
    left.path === right?.path &&
    left.mode === right.mode &&
    left.stage === right.stage &&
    left.id === right.id &&
    left.assumeUnchanged === right.assumeUnchanged &&
    left.skipWorktree === right.skipWorktree &&
    left.intentToAdd === right.intentToAdd
  );
}
