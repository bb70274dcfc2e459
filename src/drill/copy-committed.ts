/**
 * Copies the files of the checked out commit into a folder, without git's own data. Links and submodules are left out:
 * they may lead out of the copy, and a hostile builder works in it.
 */
import { dirname } from "node:path";
import { writeFileSync } from "node:fs";
import { readCommittedTree } from "../git/read-committed-tree.ts";
import { withObjects } from "../git/git-objects.ts";
import { accessRepository } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import { makeFolders } from "../system/make-folders.ts";

interface CopyLimits {
  readonly filesMax: number;
  /** Of one file; a larger one is left out. */
  readonly bytesMax: number;
  /** Paths that the copy has already. */
  readonly taken: readonly string[];
}

/** The files nearest to the root come first: they hold most of what decides about a change. */
export async function copyCommitted(repository: Repository, folder: string, limits: CopyLimits) {
  const tree = await readCommittedTree(repository);
  if (tree === null) return { copied: 0, total: 0 };
  const isFree = makeFreeTest(limits.taken);
  const files = [...tree.files].filter(([path, { mode }]) => mode.startsWith("100") && isFree(path));
  const chosen = files.toSorted(([one], [other]) => measureDepth(one) - measureDepth(other)).slice(0, limits.filesMax);
  let copied = 0;
  await withObjects(accessRepository(repository), async (read) => {
    for (const [path, { id, mode }] of chosen) {
      const { content } = await read(id, limits.bytesMax);
      if (content === null) continue;
      const target = joinBytes(toBytePath(folder), path);
      makeFolders(Buffer.from(dirname(target.toString("latin1")), "latin1"));
      writeFileSync(target, content, { mode: mode === "100755" ? 0o755 : 0o644, flag: "wx" });
      copied += 1;
    }
  });
  return { copied, total: tree.files.size };
}

const measureDepth = (path: string): number => path.split("/").length;

/** Neither a file of the copy, nor the place of one of its folders, nor below one of its files. */
function makeFreeTest(taken: readonly string[]): (path: string) => boolean {
  const folders = new Set(taken.flatMap(listAncestors));
  const files = new Set(taken);
  return (path) => !files.has(path) && !folders.has(path) && !listAncestors(path).some((above) => files.has(above));
}

function listAncestors(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}
