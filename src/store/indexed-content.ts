/**
 * Content that git tracks and has not checked out, copied from the repository's own objects.
 *
 * Git does not hash an object again when it reads it, and a builder may have rewritten one. So every content is checked
 * against its id before it is stored; a damaged, missing or large one is left out.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { accessStore, type ContentStore, LARGE_BYTES, storeBlobs } from "./content-store.ts";
import { type GitAccess, runGit } from "../git/git.ts";
import { readBlobSizes, withObjects } from "../git/git-objects.ts";
import { createPrivateRepository } from "../git/private-repository.ts";
import { listTree } from "../git/tree-listing.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";

/** Contents of more than this in all are not worth a comparison. */
const TOTAL_BYTES_MAX = 64 * 1024 * 1024;
const LINE_BYTES_MAX = 256;

interface ContentSource {
  readonly store: ContentStore;
  readonly objects: string;
}

/** The store knows one hash only; objects of the other are read through a repository that is made for it. */
function withAccess<T>(
  { store, objects }: ContentSource,
  id: string,
  use: (access: GitAccess) => Promise<T>,
): Promise<T> {
  const { environment } = store;
  if (!isSha256(id)) return use({ ...accessStore(store), objectDirectory: objects });
  return withTemporaryFolder(environment, async (folder) => {
    const { gitDir } = await createPrivateRepository(join(folder, "git"), { objectFormat: "sha256" });
    return use({ gitDir, cwd: gitDir, environment, objectDirectory: objects });
  });
}

const isSha256 = (id: string): boolean => id.length === 64;

function matchesId(id: string, content: Buffer): boolean {
  const hash = createHash(isSha256(id) ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex") === id;
}

/** Reads the contents and stores them; missing or damaged ones are left out. */
export async function keepIndexed(source: ContentSource, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const contents = await withAccess(source, ids[0] ?? "", (access) => readContents(access, [...new Set(ids)]));
  storeBlobs(source.store, [...contents.values()]);
  return contents;
}

async function readContents(access: GitAccess, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const sizes = await chooseSmall(access, ids);
  const contents = new Map<string, Buffer>();
  if (sizes.size === 0) return contents;
  const { stdout } = await runGit({
    ...access,
    args: ["cat-file", "--batch"],
    input: Buffer.from([...sizes.keys()].map((id) => `${id}\n`).join("")),
    outputBytesMax: TOTAL_BYTES_MAX + LINE_BYTES_MAX * sizes.size,
  });
  let offset = 0;
  for (const [id, size] of sizes) {
    const start = offset + `${id} blob ${size}\n`.length;
    const content = stdout.subarray(start, start + size);
    if (matchesId(id, content)) contents.set(id, content);
    offset = start + size + 1;
  }
  return contents;
}

/** Only blobs that are small enough. */
async function chooseSmall(access: GitAccess, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sizes = await readBlobSizes(access, ids);
  const chosen = new Map<string, number>();
  let total = 0;
  for (const [at, id] of ids.entries()) {
    const size = sizes[at] ?? null;
    if (size === null || size >= LARGE_BYTES || total + size > TOTAL_BYTES_MAX) continue;
    total += size;
    chosen.set(id, size);
  }
  return chosen;
}

interface TreeFile {
  readonly mode: number;
  readonly id: string;
}

/** Looks paths up in a tree, as byte strings; a sparse index holds whole folders as trees. */
export async function listTreeFiles(
  source: ContentSource,
  tree: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeFile>> {
  const wanted = new Set(paths);
  const listed = await withAccess(source, tree, (access) =>
    // A tree may be missing, as in a partial clone.
    withObjects(access, (read) => listTree(read, tree).catch(() => [])),
  );
  const files = listed.filter(({ path }) => wanted.has(path));
  return new Map(files.map(({ path, mode, id }) => [path, { mode: Number.parseInt(mode, 8), id }]));
}
