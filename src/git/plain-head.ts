/**
 * The commit of HEAD, found by reading files alone: a branch is a file or a line of `packed-refs`, and a commit is a
 * loose object or whole in a pack. Everything else, and everything odd, is left to git.
 */
import { readHeadFiles } from "./head-files.ts";
import { isPlainCommit } from "./object-files.ts";
import type { Repository } from "./repository-layout.ts";

/** Null where git must be asked. */
export function findPlainHead(repository: Repository, headText: string): string | null {
  try {
    const head = readHeadFiles(repository);
    const id = head?.text === headText ? head.commit : null;
    return id !== null && isPlainCommit(repository.commonDir, id) ? id : null;
  } catch {
    return null;
  }
}
