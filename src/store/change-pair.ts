/**
 * Both sides of a change as two commits of the private judge repository, under a ref that keeps their content.
 *
 * The names in these trees are the real ones, quoted byte by byte, so that a person's own git can apply a patch of
 * them.
 */
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { EntrySide } from "../records/evidence.ts";
import type { Environment } from "../base/environment.ts";
import { MeasurementError } from "../base/errors.ts";
import { readClockMs } from "../system/clock.ts";
import { accessStore, type ContentStore, locateLargeFile, locateStore } from "./content-store.ts";
import { type PairTrees, recallPatch } from "./compare-blobs.ts";
import { runGit } from "../git/git.ts";
import { readNow } from "../system/read-files.ts";
import { computeFileBlobId } from "./large-file.ts";
import { compareOnlyText, createPrivateRepository } from "../git/private-repository.ts";
import { isExecutable } from "./recorded-entry.ts";
import { writeObject } from "../git/object-files.ts";
import { type StoredFile, storeCommit, storeTree } from "./remove-strays.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";

export interface PairedFile {
  /** A byte string. */
  readonly path: string;
  readonly before: EntrySide | null;
  readonly after: EntrySide | null;
}

const PATCH_BYTES_MAX = 512 * 1024 * 1024;
const PATCH =
  "diff-tree -r -p --binary --full-index --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/".split(
    " ",
  );
const FAST_IMPORT = ["-c", "core.fsync=all", "fast-import", "--quiet", "--force"];

/** Stores the pair, and answers with its trees if they are known. The ref moves only when both commits are complete. */
export async function storePair(
  store: ContentStore,
  ref: string,
  files: readonly PairedFile[],
): Promise<PairTrees | null> {
  const sides = files.flatMap(({ before, after }) => [before, after]);
  const hasLarge = sides.some((side) => typeof side?.id === "string" && locateLargeFile(store, side.id) !== null);
  if (hasLarge) {
    await runGit({ ...accessStore(store), args: FAST_IMPORT, input: streamPair(store, ref, files) });
    return null;
  }
  const seconds = Math.floor(readClockMs() / 1000);
  const writeSide = (side: "before" | "after"): string =>
    storeTree(
      store,
      files.flatMap((file) => listTreeFile(store, file.path, file[side])),
    );
  const trees = { before: writeSide("before"), after: writeSide("after") };
  const parent = storeCommit(store, { tree: trees.before, parent: null, seconds, message: "before" });
  const commit = storeCommit(store, { tree: trees.after, parent, seconds, message: "after" });
  store.redo.write(join(store.gitDir, ref), `${commit}\n`);
  return trees;
}

function listTreeFile(store: ContentStore, path: string, side: EntrySide | null): readonly StoredFile[] {
  if (side === null) return [];
  if (side.type === "symlink")
    return [{ path, mode: "120000", id: writeObject(store, "blob", Buffer.from(side.link_target ?? "")) }];
  if (side.id === null) throw new MeasurementError(path, "its content was never stored");
  return [{ path, mode: isExecutable(side) ? "100755" : "100644", id: side.id }];
}

async function* streamPair(store: ContentStore, ref: string, files: readonly PairedFile[]): AsyncGenerator<Buffer> {
  const committer = `committer relais <relais@localhost> ${Math.floor(readClockMs() / 1000)} +0000\n`;
  yield Buffer.from(`commit ${ref}\nmark :1\n${committer}data 6\nbefore\ndeleteall\n`);
  for (const { path, before } of files) yield* streamEntry(store, path, before);
  yield Buffer.from(`commit ${ref}\n${committer}data 5\nafter\nfrom :1\ndeleteall\n`);
  for (const { path, after } of files) yield* streamEntry(store, path, after);
  yield Buffer.from("done\n");
}

async function* streamEntry(store: ContentStore, path: string, side: EntrySide | null): AsyncGenerator<Buffer> {
  if (side === null) return;
  if (side.type === "symlink") {
    const text = Buffer.from(side.link_target ?? "");
    yield Buffer.from(`M 120000 inline ${quotePath(path)}\ndata ${text.length}\n`, "latin1");
    yield text;
    yield Buffer.from("\n");
    return;
  }
  if (side.id === null) throw new MeasurementError(path, "its content was never stored");
  const mode = isExecutable(side) ? "100755" : "100644";
  const large = locateLargeFile(store, side.id);
  if (large === null) {
    yield Buffer.from(`M ${mode} ${side.id} ${quotePath(path)}\n`, "latin1");
    return;
  }
  if (computeFileBlobId(large, side.size) !== side.id)
    throw new MeasurementError("content store", `${side.id} is damaged`);
  yield Buffer.from(`M ${mode} inline ${quotePath(path)}\ndata ${side.size}\n`, "latin1");
  for await (const chunk of createReadStream(large)) yield Buffer.from(chunk);
  yield Buffer.from("\n");
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n" };

function quotePath(path: string): string {
  return `"${path.replaceAll(/["\\\n]/g, (character) => ESCAPES[character] ?? character)}"`;
}

type StoreAccess = Pick<ContentStore, "gitDir" | "environment">;

/** The change as a patch that `git apply` takes, whatever the files hold; git is asked if it was not made before. */
export async function writePairPatch(store: StoreAccess, ref: string, trees: PairTrees | null): Promise<Buffer> {
  const known = trees && recallPatch(trees);
  if (known !== null) return known;
  const id = readPairRef(store, ref);
  if (id === null) throw new MeasurementError("content store", `${ref} is missing or damaged`);
  return comparePair(store, id, "--no-renames");
}

/** The same with renames, to be read; null where the pair was dropped. The store is not written to. */
export async function findPairPatch(stateDirectory: string, ref: string, environment: Environment) {
  const store = { gitDir: locateStore(stateDirectory), environment };
  const id = readPairRef(store, ref);
  return id === null ? null : comparePair(store, id, "--find-renames");
}

/** Refs of the store are never packed, so each is a file. */
function readPairRef({ gitDir }: StoreAccess, ref: string): string | null {
  const text = readNow(join(gitDir, ref), { bytesMax: 64 })?.toString("latin1").trim() ?? "";
  return /^[0-9a-f]{40}$/.test(text) ? text : null;
}

async function comparePair(store: StoreAccess, commit: string, renames: string): Promise<Buffer> {
  // In a repository of its own, because the store compares everything as text.
  return withTemporaryFolder(store.environment, async (folder) => {
    const own = await createPrivateRepository(join(folder, "git"), {
      alternates: [join(store.gitDir, "objects")],
    });
    await compareOnlyText(own);
    const access = accessStore({ gitDir: own.gitDir, environment: store.environment });
    const args = [...PATCH, renames, `${commit}^`, commit];
    const { stdout } = await runGit({ ...access, args, outputBytesMax: PATCH_BYTES_MAX });
    return stdout;
  });
}

/** The last parts of the refs below a folder such as `refs/relais/salvage`. */
export function listPairNames({ gitDir }: ContentStore, folder: string): readonly string[] {
  const path = join(gitDir, folder);
  return existsSync(path) ? readdirSync(path) : [];
}

/** Lets go of a pair; its content disappears when the store is compacted. */
export function dropPair(store: ContentStore, ref: string): void {
  store.redo.remove(join(store.gitDir, ref));
}
