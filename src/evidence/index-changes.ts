import type { MetadataChange } from "../records/evidence.ts";
import type { Manifest } from "../base/manifest.ts";
import { describeError } from "../base/errors.ts";
import { findGitPlace, pickGravestArea } from "../records/git-area.ts";
import { decodePath } from "../base/path-names.ts";
import type { IndexEntry } from "../store/git-index.ts";
import { readJoinedIndex } from "../store/index-extensions.ts";
import { type Texts, readContentTexts } from "./content-texts.ts";
import { isOrdinary } from "./pure/ordinary-entry.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findOwnGitPrefix } from "./pure/own-git-prefix.ts";

/**
 * What changed in an index besides content and times: flags that hide a path, unmerged entries, an index that is gone
 * or damaged.
 *
 * Content is not reported. Every index of this worktree is restored when a change is merged; what a person
 * stages in another worktree meanwhile is theirs.
 */

export interface IndexComparison {
  readonly path: string;
  readonly isOwn: boolean;
  readonly before: Manifest;
  readonly after: Manifest;
  readonly texts: Texts;
}

/** Whether a path below the common git directory is somebody's index. */
export function isIndexPath(path: string): boolean {
  return findGitPlace(path).name === "index";
}

/** An index, or the shared part of a split one. */
export function isIndexPart(path: string): boolean {
  return /^(index|sharedindex\.[0-9a-f]+)$/.test(findGitPlace(path).name);
}

/** The path of the index that a file is part of, or nothing. */
export function findIndexEntry(path: string): readonly string[] {
  return isIndexPart(path) ? [`${path.slice(0, path.lastIndexOf("/") + 1)}index`] : [];
}

/** The entries of an index as it was in a manifest, or null where it is none. Throws where it is damaged. */
export function readIndexEntries(path: string, manifest: Manifest, texts: Texts): readonly IndexEntry[] | null {
  const content = texts(manifest.get(path));
  if (content === null) return null;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return readJoinedIndex(content, (id) => texts(manifest.get(`${folder}sharedindex.${id}`)));
}

export function listIndexChanges(comparison: IndexComparison): readonly MetadataChange[] {
  const { path, before, after, isOwn } = comparison;
  const was = before.get(path);
  if (was === undefined) return [];
  // A removed index of another worktree, and one that is no file, is reported with git's other files.
  const is = after.get(path);
  if (is === undefined) return isOwn ? [makeIndexChange(comparison, { change: "removed", detail: null })] : [];
  if (was.type !== "file" || is.type !== "file") return [];
  return listContentChanges(comparison);
}

function listContentChanges(comparison: IndexComparison): readonly MetadataChange[] {
  const { path, before, after, isOwn, texts } = comparison;
  const damaged = (detail: string): readonly MetadataChange[] => [
    makeIndexChange(comparison, { change: "modified", detail }),
  ];
  try {
    const left = readIndexEntries(path, before, texts);
    const right = readIndexEntries(path, after, texts);
    if (left === null || right === null) return damaged("it is no readable file");
    if (!isOwn && left.length > 0 && right.length === 0) return damaged("it was emptied");
    const changes = compareFlags(listFlags(left), listFlags(right));
    return isOwn ? changes : changes.map((change) => ({ ...change, area: pickGravestArea(path) }));
  } catch (error) {
    return damaged(describeError(error));
  }
}

function makeIndexChange(
  { path, isOwn }: IndexComparison,
  { change, detail }: Pick<MetadataChange, "change" | "detail">,
): MetadataChange {
  if (isOwn) return { area: "index", subject: "index", change, detail };
  return { area: pickGravestArea(path), subject: decodePath(path).text, change, detail };
}

type IndexFlags = ReadonlyMap<string, string>;

function listFlags(entries: readonly IndexEntry[]): IndexFlags {
  const flagged = new Map<string, string>();
  for (const entry of entries) {
    const names = [
      ...(entry.assumeUnchanged ? ["assume-unchanged"] : []),
      ...(entry.skipWorktree ? ["skip-worktree"] : []),
      ...(entry.stage > 0 ? ["unmerged"] : []),
    ];
    if (names.length > 0) flagged.set(entry.path, names.join(", "));
  }
  return flagged;
}

function compareFlags(before: IndexFlags, after: IndexFlags): readonly MetadataChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => ({
      area: after.get(path)?.includes("unmerged") === true ? "operation" : "index_flags",
      subject: decodePath(path).text,
      change: "modified",
      detail: `${before.get(path) ?? "no flag"} -> ${after.get(path) ?? "no flag"}`,
    }));
}

/** Compares the index of this worktree. An unreadable one is not the same. */
export async function isSameIndex(
  repository: Repository,
  store: ContentStore,
  before: Manifest,
  after: Manifest,
): Promise<boolean> {
  const own = findOwnGitPrefix(repository);
  const path = `${own}index`;
  const [was, is] = [before.get(path), after.get(path)];
  if (was === undefined || is === undefined) return was === is;
  const question = { path: "index", before: was, after: is, gitFolder: before.get("") };
  if (was.type !== "file" || !isOrdinary(question)) return false;
  const isWanted = (name: string): boolean => name.startsWith(own) && isIndexPart(name);
  const folder = toBytePath(repository.commonDir);
  const texts = await readContentTexts(store, folder, [after, before], isWanted);
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
