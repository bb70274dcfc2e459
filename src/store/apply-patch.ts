/**
 * Applies a patch to an index of our own, in the private repository.
 *
 * A parser of our own would sooner or later read the headers of a patch differently from git: sections without file
 * lines, quoted names, several sections for one path. So git reads the patch, once, and the difference of the index
 * before and after counts. Nothing outside the private folders is read or written, the paths are never looked up on the
 * disk, and the preimage is the raw content of the worktree.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import { computeBlobId } from "../system/hash-file.ts";
import { isFile } from "../system/read-files.ts";
import { accessStore, type ContentStore, DURABLE_OBJECTS, storeBlobs } from "./content-store.ts";
import { type GitAccess, runGit } from "../git/git.ts";
import type { GitSide } from "../git/git-difference.ts";
import { readBlobSizes } from "../git/git-objects.ts";
import { putEntries } from "./private-index.ts";
import { type IndexAccess, readIndex } from "./read-index.ts";

type Entries = ReadonlyMap<string, GitSide>;

/** A changed path of the tree, as a byte string. */
export interface TreeChange {
  readonly path: string;
  readonly before: GitSide | null;
  /** The size is null where the content is not in the store: a submodule has none. */
  readonly after: (GitSide & { readonly size: number | null }) | null;
}

export type AppliedPatch =
  | {
      readonly kind: "applied";
      readonly changes: readonly TreeChange[];
      /** The modes that the patch asks for, as it writes them; git's own tree knows fewer. */
      readonly modes: readonly string[];
    }
  /** Git's reason, on one line. */
  | { readonly kind: "refused"; readonly reason: string };

export interface ApplyPatchRequest {
  readonly store: ContentStore;
  readonly folder: string;
  readonly files: Entries;
  /** The texts of the links, by path. They are not in the store yet, because nothing else asks for them there. */
  readonly links: ReadonlyMap<string, string>;
  readonly patch: Buffer;
  readonly signal: AbortSignal;
}

const SUMMARY_BYTES_MAX = 16 * 1024 * 1024;
const REASON_CHARACTERS_MAX = 1500;
const TIMEOUT_MS = 2 * 60 * 1000;
/** A few bytes of a patch can ask for gigabytes: packed content, or the same file copied thousands of times. */
const MEMORY_BYTES = 1024 * 1024 * 1024;
const MEMORY_BYTES_PER_ENTRY = 2048;
/** Existing names are the repository's own affair; `git apply` checks those of a patch. */
const ANY_NAME = ["-c", "core.protectHFS=false", "-c", "core.protectNTFS=false"];
const SMALL_WINDOWS = ["-c", "core.packedGitWindowSize=16m", "-c", "core.packedGitLimit=128m"];
/** One level of folders is taken off, always: git would otherwise guess for some patches. */
const APPLY = ["apply", "--cached", "--apply", "--summary", "-p1", "--whitespace=nowarn"];

/** The changes of these entries, or git's reason to refuse the patch. New content is in the store then. */
export async function applyPatch(request: ApplyPatchRequest): Promise<AppliedPatch> {
  const indexFile = join(request.folder, "patch-index");
  const access = { ...accessStore(request.store), workTree: request.folder, indexFile, signal: request.signal };
  try {
    const entries = await fillIndex(access, request);
    const { status, stdout, stderr } = await runGit({
      ...access,
      args: [...SMALL_WINDOWS, ...DURABLE_OBJECTS, ...APPLY],
      input: request.patch,
      okStatuses: [0, 1, 128],
      outputBytesMax: SUMMARY_BYTES_MAX,
      memoryBytesMax: MEMORY_BYTES + MEMORY_BYTES_PER_ENTRY * entries.size,
      timeoutMs: TIMEOUT_MS,
    });
    if (status !== 0) return { kind: "refused", reason: joinLines(stderr) };
    const after = await listIndex(access);
    return {
      kind: "applied",
      changes: await listChanges(request.store, entries, after),
      modes: listModes(stdout.toString("latin1")),
    };
  } finally {
    for (const name of [indexFile, `${indexFile}.lock`]) rmSync(name, { force: true });
  }
}

async function fillIndex(access: GitAccess, { store, files, links }: ApplyPatchRequest): Promise<Entries> {
  const entries = new Map(files);
  const targets = [...links].map(([path, text]) => ({ path, target: Buffer.from(text, "latin1") }));
  storeBlobs(
    store,
    targets.map(({ target }) => target),
  );
  for (const { path, target } of targets) entries.set(path, { mode: "120000", id: computeBlobId(target) });
  await putEntries(
    access,
    Array.from(entries, ([path, side]) => ({ path, ...side })),
    ANY_NAME,
  );
  return entries;
}

async function listIndex(access: IndexAccess & { readonly indexFile: string }): Promise<Entries> {
  // No index would be a tree from which everything is gone.
  if (!isFile(access.indexFile)) throw new MeasurementError("git apply", "left no index");
  const entries = await readIndex(access);
  if (entries.some(({ stage }) => stage > 0)) throw new MeasurementError("git apply", "left unmerged entries");
  return new Map(entries.map(({ path, mode, id }) => [path, { mode: mode.toString(8).padStart(6, "0"), id }]));
}

async function listChanges(store: ContentStore, entries: Entries, after: Entries): Promise<readonly TreeChange[]> {
  const gone = [...entries].filter(([path]) => !after.has(path));
  const made = [...after].filter(([path, is]) => {
    const was = entries.get(path);
    return was === undefined || was.mode !== is.mode || was.id !== is.id;
  });
  const sizes = await readBlobSizes(
    accessStore(store),
    made.map(([, { id }]) => id),
  );
  return [
    ...gone.map(([path, before]) => ({ path, before, after: null })),
    ...made.map(([path, is], at) => ({
      path,
      before: entries.get(path) ?? null,
      after: { ...is, size: sizes[at] ?? null },
    })),
  ];
}

/** A name that imitates such a line can only add a mode, never hide one. */
function listModes(summary: string): readonly string[] {
  const lines = summary.matchAll(/^ (?:create|delete|mode change)(?: mode)? (\d+)(?: => (\d+))? /gm);
  return [...lines].flatMap(([, first, second]) => [first, second]).filter((mode) => mode !== undefined);
}

/** Names in the patch can hold anything, so git's message about them must not be printed as it is. */
function joinLines(messages: string): string {
  const line = messages.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line === "" ? "git gave no reason" : line.slice(0, REASON_CHARACTERS_MAX);
}
