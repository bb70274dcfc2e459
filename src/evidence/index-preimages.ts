/**
 * The index entries of paths that were not in the worktree at T0, as in a sparse checkout.
 *
 * A builder that writes such a path changes a file that git knows, although it was not there. The index entry
 * is the side before; where its content is missing, the path counts as new, which is judged more strictly.
 */
import { join } from "node:path";
import type { Entry } from "../base/manifest.ts";
import { computeBlobId } from "../system/blob-id.ts";
import { keepIndexed, listTreeFiles } from "../store/indexed-content.ts";
import type { TrackingQuestion } from "./tracking.ts";
import { listTrackedEntries } from "./tracking.ts";

type PreimageQuestion = Pick<TrackingQuestion, "repository" | "store" | "before">;

interface IndexedFile {
  readonly mode: number;
  readonly id: string;
}

export async function listIndexPreimages(
  question: PreimageQuestion,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Entry>> {
  if (paths.length === 0) return new Map();
  const { repository, store } = question;
  const source = { store, objects: join(repository.commonDir, "objects") };
  const indexed = await listIndexedFiles(question, paths);
  const contents = await keepIndexed(
    source,
    [...indexed.values()].map(({ id }) => id),
  );
  const entries = new Map<string, Entry>();
  for (const [path, { mode, id }] of indexed) {
    const content = contents.get(id);
    if (content !== undefined) entries.set(path, makeEntry(mode, content));
  }
  return entries;
}

async function listIndexedFiles(
  question: PreimageQuestion,
  paths: readonly string[],
): Promise<ReadonlyMap<string, IndexedFile>> {
  const source = { store: question.store, objects: join(question.repository.commonDir, "objects") };
  const wanted = new Set(paths);
  const found = new Map<string, IndexedFile>();
  for (const { path, mode, id, stage } of await listTrackedEntries(question)) {
    if (path.endsWith("/")) {
      const below = paths.filter((one) => one.startsWith(path)).map((one) => one.slice(path.length));
      if (below.length === 0) continue;
      for (const [name, file] of await listTreeFiles(source, id, below)) found.set(path + name, file);
    } else if (stage === 0 && wanted.has(path)) found.set(path, { mode, id });
  }
  // A submodule has no content.
  return new Map([...found].filter(([, { mode }]) => (mode & 0o170000) !== 0o160000));
}

/** With the id of the store, which may differ from that of the repository. */
function makeEntry(mode: number, content: Buffer): Entry {
  const isLink = (mode & 0o170000) === 0o120000;
  return {
    type: isLink ? "symlink" : "file",
    mode: isLink ? 0o777 : (mode & 0o100) === 0 ? 0o644 : 0o755,
    size: content.length,
    owner: "0:0",
    hardLinks: 1,
    stamp: "0:0:0",
    id: computeBlobId(content),
    target: isLink ? content.toString("latin1") : null,
    forced: false,
  };
}
