import { join } from "node:path";
import type { Entry, Manifest } from "../base/manifest.ts";
import { computeBlobId } from "../system/hash-file.ts";
import { keepIndexed, listTreeFiles } from "../store/indexed-content.ts";
import {
  type TrackingQuestion,
  listTrackedEntries,
  readTracked,
  type TrackingStatus,
  readTrackingStatus,
} from "./tracking.ts";
import { type Difference, findCollisions, listTouchedPaths } from "./pure/compare-manifests.ts";
import { type ContentStore, LARGE_BYTES, locateLargeFile, readBlobs } from "../store/content-store.ts";
import { type ComparedFile, storeComparison } from "../store/compare-blobs.ts";
import { countBufferLines, countLines } from "../store/large-file.ts";
import { decodePath } from "../base/path-names.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { TrackedFiles } from "../store/tracked-files.ts";
import { type CopyRequest, readContentsById, readOpenFile, findCopiedContent } from "./copied-content.ts";
import type { ContentFile } from "./find-forbidden-content.ts";
import { findWeakenedChecks } from "./find-weakened-checks.ts";
import type { Change, EntrySide, Evidence, Rules } from "../records/evidence.ts";
import { RECORD_VERSION } from "../base/record-version.ts";
import { compileForbidden } from "../base/globs.ts";
import { listNestedRepositories, listWorktreeChanges } from "./pure/worktree-changes.ts";
import { type GitComparison, readMetadataChanges } from "./metadata-changes.ts";
import type { ReadSecrets } from "./disk-secrets.ts";

/**
 * The index entries of paths that were not in the worktree at T0, as in a sparse checkout.
 *
 * A builder that writes such a path changes a file that git knows, although it was not there. The index entry
 * is the side before; where its content is missing, the path counts as new, which is judged more strictly.
 */

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

/** Counts the added and deleted lines and bytes of each changed file, from its content. */

export interface Counts {
  readonly added: number;
  readonly deleted: number;
  readonly bytes: number;
}

const NONE: Counts = { added: 0, deleted: 0, bytes: 0 };
/** A larger change is too large by any limit, so it is not compared line by line. */
const COMPARED_BYTES_MAX = 64 * 1024 * 1024;

export async function listLineCounts(
  store: ContentStore,
  differences: readonly Difference[],
): Promise<readonly Counts[]> {
  const bytes = differences.reduce((sum, { before, after }) => sum + countFileBytes(before) + countFileBytes(after), 0);
  const isComparable = ({ before, after }: Difference): boolean =>
    bytes <= COMPARED_BYTES_MAX && countFileBytes(before) < LARGE_BYTES && countFileBytes(after) < LARGE_BYTES;
  const compared = differences.filter((difference) => isComparable(difference));
  const counts = await storeComparison(
    store,
    compared.map(({ path, before, after }) => ({ path, before: findContent(before), after: findContent(after) })),
  );
  const byDifference = new Map(compared.map((difference, index) => [difference, counts[index]] as const));
  const whole = differences.filter((difference) => !byDifference.has(difference));
  const linesOf = await countStoredLines(
    store,
    whole.flatMap(({ before, after }) => [before, after]),
  );
  return differences.map((difference) => {
    const lines = byDifference.get(difference) ?? countWhole(difference, linesOf);
    return addCounts(lines, countLink(difference));
  });
}

function countFileBytes(entry: Entry | null): number {
  return entry?.type === "file" ? entry.size : 0;
}

function findContent(entry: Entry | null): ComparedFile["before"] {
  const id = findFileId(entry);
  return entry === null || id === null ? null : { id, isExecutable: (entry.mode & 0o100) !== 0 };
}

function findFileId(entry: Entry | null): string | null {
  return entry?.type === "file" ? entry.id : null;
}

/** By id, from the store alone: the file in the worktree may be gone, or another one of any size. */
async function countStoredLines(
  store: ContentStore,
  entries: readonly (Entry | null)[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const small = new Map<string, number>();
  for (const entry of entries) {
    const id = findFileId(entry);
    if (id === null || counts.has(id)) continue;
    const large = locateLargeFile(store, id);
    if (large === null) small.set(id, countFileBytes(entry));
    else counts.set(id, countLines(large));
  }
  const wanted = [...small].map(([id, size]) => ({ id, size }));
  for await (const [id, content] of readBlobs(store, wanted)) counts.set(id, countBufferLines(content));
  return counts;
}

/** Too large to compare: all of the old is gone and all of the new is new. */
function countWhole({ before, after }: Difference, linesOf: ReadonlyMap<string, number>): Counts {
  if (before?.id !== undefined && before.id !== null && before.id === after?.id) return NONE;
  const lines = (entry: Entry | null): number => linesOf.get(findFileId(entry) ?? "") ?? 0;
  return { added: lines(after), deleted: lines(before), bytes: countFileBytes(before) + countFileBytes(after) };
}

/** The text of a link counts as one line. */
function countLink({ before, after }: Difference): Counts {
  const deleted = readLinkText(before);
  const added = readLinkText(after);
  if (added === deleted) return NONE;
  return {
    added: Math.min(added.length, 1),
    deleted: Math.min(deleted.length, 1),
    bytes: added.length + deleted.length,
  };
}

function readLinkText(entry: Entry | null): string {
  return entry?.target ?? "";
}

function addCounts(left: Counts, right: Counts): Counts {
  return {
    added: left.added + right.added,
    deleted: left.deleted + right.deleted,
    bytes: left.bytes + right.bytes,
  };
}

export function findTickWeakening(
  request: CopyRequest,
  compared: readonly Difference[],
  standing: (path: string) => TrackingStatus,
) {
  const visible = request.after.excess === undefined ? compared.filter(({ path }) => standing(path) !== "ignored") : [];
  return findWeakenedChecks({
    rules: request.rules,
    changes: visible.map(({ path, before, after }) => ({
      path: decodePath(path).text,
      before: nameSide(before),
      after: nameSide(after),
    })),
    listPaths: async () => namePaths(await readTracked(request)),
    readContents: (wanted) => readContentsById(request, new Set(wanted.map(({ id }) => id))),
    readFiles: (paths) => readOpenFiles(request, paths),
  });
}

/** Only if they are asked for. */
function namePaths(tracked: TrackedFiles): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      for (const { path } of tracked.files()) yield decodePath(path).text;
    },
  };
}

function nameSide(entry: Entry | null): Pick<ContentFile, "id" | "size"> | null {
  return entry?.type === "file" && entry.id !== null ? { id: entry.id, size: entry.size } : null;
}

async function* readOpenFiles(request: CopyRequest, paths: readonly string[]) {
  for (const path of paths) {
    const content = readOpenFile(request, toBytePath(path));
    if (content !== null) yield [path, content] as const;
  }
}

/** Turns two observations into the evidence that the judge reads. */

export interface EvidenceRequest extends GitComparison {
  readonly rules: Rules;
  readonly userExcludesFile: string | null;
  readonly readSecrets?: ReadSecrets;
}

export async function collectEvidence(request: EvidenceRequest): Promise<Evidence> {
  const { head, metadata } = await readMetadataChanges(request);
  const { excess } = request.after;
  const leftOut = new Set<string>();
  const changes = await listChanges({ ...request, leftOut });
  return {
    version: RECORD_VERSION,
    rules: request.rules,
    builder_failure: null,
    head,
    metadata: [...metadata],
    changes: [...changes],
    attributes_touched: listTouchedAttributes(request),
    ...(leftOut.size === 0 ? {} : { not_compared: [...leftOut].toSorted().slice(0, NAMES_MAX) }),
    ...(excess === undefined ? {} : { excess }),
  };
}

/** More names than this say nothing new. */
const NAMES_MAX = 100;

/** The runner restores files of its own, and a new file may get the number of the removed one. */
function listTouchedAttributes({ before, after, rules }: EvidenceRequest): Evidence["attributes_touched"] {
  const isRunners = compileForbidden(rules.runner_owned_globs);
  const paths = [
    ...listTouchedPaths(before.worktree, after.worktree)
      .map((path) => (path === "" ? "." : decodePath(path).text))
      .filter((path) => isRunners(path) === null),
    ...listTouchedPaths(before.git, after.git).map((path) => `.git/${decodePath(path).text}`),
  ].toSorted();
  return { count: paths.length, paths: paths.slice(0, NAMES_MAX) };
}

async function listChanges(request: EvidenceRequest & Pick<CopyRequest, "leftOut">): Promise<readonly Change[]> {
  const { store, before, after } = request;
  const listed = listWorktreeChanges(before.worktree, after.worktree).filter(({ path }) => path !== ".git");
  const standing = await readTrackingStatus({
    ...request,
    paths: listed.map(({ path, after: is, before: was }) => ({
      path,
      isFolder: (is ?? was)?.type === "directory",
    })),
  });
  // Tools that share files by hard links, as package managers do, touch the link counts of ignored files.
  const differences = listed.filter(
    (difference) => !isLinkCountOnly(difference) || standing(difference.path) !== "ignored",
  );
  const preimages = await listIndexPreimages(
    request,
    differences.flatMap(({ path, before: was }) => (was === null && standing(path) === "tracked" ? [path] : [])),
  );
  const compared = differences.map((difference) => ({
    ...difference,
    before: difference.before ?? preimages.get(difference.path) ?? null,
  }));
  const counted = compared.filter(({ path }) => standing(path) !== "ignored");
  const counts = await listLineCounts(store, counted);
  const countsOf = new Map(counted.map(({ path }, index) => [path, counts[index]] as const));
  const context = makeContext(request, compared);
  const forbidden = await findCopiedContent(request, compared, standing);
  const weakened = await findTickWeakening(request, compared, standing);
  return compared.map((difference) => ({
    ...context(difference),
    ...forbidden.get(decodePath(difference.path).text),
    ...pickWeakened(weakened.get(decodePath(difference.path).text)),
    ...(preimages.has(difference.path) ? { checked_out: false as const } : {}),
    ...countChangedLines(countsOf.get(difference.path)),
    standing: standing(difference.path),
  }));
}

function pickWeakened(weakened: Change["weakened"]): Pick<Change, "weakened"> {
  return weakened === undefined ? {} : { weakened };
}

type ChangeContext = Pick<
  Change,
  "path" | "path_base64" | "before" | "after" | "inside_repository" | "collides_with" | "made_readable"
>;

function makeContext(
  { before, after }: EvidenceRequest,
  differences: readonly Difference[],
): (difference: Difference) => ChangeContext {
  const added = differences.filter(({ before: was }) => was === null).map(({ path }) => decodePath(path).text);
  const nested = listNestedRepositories(before.worktree, after.worktree);
  // A removed name collides with nothing, so a file may be renamed in case only.
  const collisions = findCollisions(added, listStaying(before.worktree, after.worktree));
  return ({ path, before: was, after: is }) => {
    const { text, base64 } = decodePath(path);
    const holder = nested.findLast((root) => path.startsWith(`${root}/`)) ?? null;
    return {
      path: text === "" ? "." : text,
      path_base64: base64,
      before: describeSide(was),
      after: describeSide(is),
      inside_repository: holder === null ? null : decodePath(holder).text,
      collides_with: was === null ? collisions.with(text) : null,
      made_readable: is?.forced ?? false,
    };
  };
}

function* listStaying(before: Manifest, after: Manifest): Generator<string> {
  for (const path of before.keys()) if (after.has(path)) yield decodePath(path).text;
}

function isLinkCountOnly({ before, after }: Difference): boolean {
  return before !== null && after !== null && before.hardLinks !== after.hardLinks && hasSameBody(before, after);
}

function hasSameBody(before: Entry, after: Entry): boolean {
  return (
    before.type === after.type && before.id === after.id && before.mode === after.mode && before.owner === after.owner
  );
}

function describeSide(entry: Entry | null): EntrySide | null {
  if (entry === null) return null;
  return {
    type: entry.type,
    mode: entry.mode.toString(8).padStart(4, "0"),
    size: entry.size,
    id: entry.id,
    link_target: entry.target === null ? null : decodePath(entry.target).text,
    hard_links: entry.hardLinks,
  };
}

function countChangedLines(
  counts: Counts | undefined,
): Pick<Change, "lines_added" | "lines_deleted" | "bytes_changed"> {
  return {
    lines_added: counts?.added ?? 0,
    lines_deleted: counts?.deleted ?? 0,
    bytes_changed: counts?.bytes ?? 0,
  };
}
