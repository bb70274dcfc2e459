import type { MetadataChange, Head } from "../records/evidence.ts";
import type { Manifest, Entry, Observation } from "../base/manifest.ts";
import { type Difference, compareManifests } from "./pure/compare-manifests.ts";
import { classifyGitPath, pickGravestArea } from "../records/git-area.ts";
import { isEmptiedFolder, isObjectFile, isOrdinary } from "./pure/ordinary-entry.ts";
import { decodePath } from "../base/path-names.ts";
import { listNewLinks } from "./pure/worktree-changes.ts";
import { isIndexPath, listIndexChanges, findIndexEntry, isIndexPart } from "./index-changes.ts";
import { type KeptGitData, chooseKeptGitData } from "./kept-git-data.ts";
import { compareRefs, readRefs, type RefChange, type Refs, resolveHead } from "./pure/refs.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readContentTexts, type Texts } from "./content-texts.ts";
import { findOwnGitPrefix } from "./pure/own-git-prefix.ts";

/** The changes of git's data file by file, besides those that are compared by meaning. */

export interface GitFiles {
  readonly before: Manifest;
  readonly after: Manifest;
  readonly differences: readonly Difference[];
  /** Where this worktree's own data lies: "" or `worktrees/<name>/`. */
  readonly own: string;
  readonly kept: KeptGitData;
}

export function describeFileChange(before: unknown, after: unknown): MetadataChange["change"] {
  if (before === null) return "added";
  return after === null ? "removed" : "modified";
}

export function listGitFileChanges(files: GitFiles): readonly MetadataChange[] {
  const { before, after, differences, own } = files;
  const listed = new Set(differences.map(({ path }) => path));
  // Another name (hard link) can change the file later. Objects gain names by a clone on the same disk.
  const links = listNewLinks(before, after, listed).filter(({ path }) => !isObjectFile(path));
  const isSplit = [...before.keys()].some((path) => path.startsWith(`${own}sharedindex.`));
  return [
    ...differences.flatMap((difference) => listEntryChanges({ files, difference, isSplit })),
    ...links.map(({ path }): MetadataChange => {
      const area = pickGravestArea(stripOwnPrefix(own, path));
      return { area, subject: decodePath(path).text, change: "modified", detail: "it has another name" };
    }),
  ];
}

interface EntryChange {
  readonly files: GitFiles;
  readonly difference: Difference;
  readonly isSplit: boolean;
}

function listEntryChanges({ files, difference, isSplit }: EntryChange): readonly MetadataChange[] {
  const { own, kept, before: manifest } = files;
  const { path, before, after } = difference;
  const within = stripOwnPrefix(own, path);
  const change = describeFileChange(before, after);
  const report = (area: MetadataChange["area"], detail: string | null): readonly MetadataChange[] => [
    { area, subject: decodePath(path).text, change, detail },
  ];
  // The git directory as a whole is reported separately.
  if (path === "") return [];
  if (!isOrdinary({ ...difference, path: within, gitFolder: manifest.get("") }))
    return report(pickGravestArea(within), describeShape(difference));
  if (kept.forged.has(path)) return report("objects", "its content is not what its name says");
  if (isReportedElsewhere({ files, difference, isSplit }) || isGenuinePack(kept, path)) return [];
  return report(classifyGitPath(within, change), (before ?? after)?.type === "directory" ? "a folder" : null);
}

function stripOwnPrefix(own: string, path: string): string {
  return own !== "" && path.startsWith(own) ? path.slice(own.length) : path;
}

function describeShape({ after }: Difference): string | null {
  if (after === null) return null;
  const type = after.type === "directory" ? "folder" : after.type;
  const links = after.hardLinks > 1 ? `, ${after.hardLinks} names` : "";
  return `a ${type}, mode ${after.mode.toString(8).padStart(4, "0")}${links}`;
}

/** Git creates and removes folders as it needs them. */
function isReportedElsewhere(change: EntryChange): boolean {
  const { path, before, after } = change.difference;
  if (after === null && before?.type === "directory") return isEmptiedFolder(stripOwnPrefix(change.files.own, path));
  return (before === null && after?.type === "directory") || isComparedByMeaning(change);
}

/** HEAD, refs and the index are compared by what they say and not by their bytes. */
function isComparedByMeaning({ files: { own }, difference, isSplit }: EntryChange): boolean {
  const { path, after } = difference;
  if ([`${own}HEAD`, `${own}index`, "packed-refs"].includes(path)) return true;
  if (after !== null && isIndexPath(path)) return true;
  if (isSplit && path.startsWith(`${own}sharedindex.`)) return true;
  return path.startsWith("refs/") && !path.endsWith(".lock");
}

/** A fetch or a large file brings a pack, with an index of the reverse order that can be made again. */
function isGenuinePack({ paths, staged }: KeptGitData, path: string): boolean {
  const isPart = /(?:^|\/)objects\/pack\/[^/]+$/.test(path);
  const index = path.replace(/\.rev$/, ".idx");
  return isPart && (paths.has(path) || paths.has(index) || staged.has(path) || staged.has(index));
}

/** What changed in git's own data between two observations: HEAD, refs by name, the index by its flags, the rest by file. */

export interface GitComparison {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
  readonly after: Observation;
}

export interface GitChanges {
  readonly head: { readonly before: Head; readonly after: Head };
  readonly metadata: readonly MetadataChange[];
}

/** More of one area says nothing new; the rest is counted. */
const CHANGES_PER_AREA_MAX = 100;

export async function readMetadataChanges(comparison: GitComparison): Promise<GitChanges> {
  const { repository, store, before, after } = comparison;
  const own = findOwnGitPrefix(repository);
  const differences = compareManifests(before.git, after.git);
  const indexes = [...new Set(differences.flatMap(({ path }) => findIndexEntry(path)))];
  const isWanted = (path: string): boolean =>
    path === `${own}HEAD` ||
    path === "packed-refs" ||
    path.startsWith("refs/") ||
    (indexes.length > 0 && isIndexPart(path));
  const folder = toBytePath(repository.commonDir);
  const texts = await readContentTexts(store, folder, [after.git, before.git], isWanted);
  const refsBefore = listRefs(before.git, texts);
  const refsAfter = listRefs(after.git, texts);
  const head = {
    before: resolveHead(readHeadText(before.git.get(`${own}HEAD`), texts), refsBefore),
    after: resolveHead(readHeadText(after.git.get(`${own}HEAD`), texts), refsAfter),
  };
  const current = head.before.text.replace(/^ref: /, "");
  const kept = await chooseKeptGitData({ repository, store, before: before.git, now: after.git });
  const sides = { before: before.git, after: after.git, texts };
  const metadata = [
    ...listGitFolderChanges(before, after),
    ...compareRefs(refsBefore, refsAfter)
      .filter(({ name }) => name !== current)
      .map(describeRefChange),
    ...indexes.flatMap((path) => listIndexChanges({ path, isOwn: path === `${own}index`, ...sides })),
    ...listGitFileChanges({ before: before.git, after: after.git, differences, own, kept }),
  ];
  const shown = { before: decodeHead(head.before), after: decodeHead(head.after) };
  return { head: shown, metadata: limitChanges(metadata.filter(({ area }) => area !== "noise")) };
}

/** As a byte string. */
function readHeadText(entry: Entry | undefined, texts: Texts): string {
  if (entry?.type === "symlink") return `ref: ${entry.target ?? ""}`;
  return texts(entry)?.toString("latin1") ?? "";
}

function decodeHead({ text, commit }: Head): Head {
  return { text: decodePath(text).text, commit };
}

function listRefs(manifest: Manifest, texts: Texts): Refs {
  const loose: [string, string][] = [];
  for (const [path, entry] of manifest) {
    if (!path.startsWith("refs/") || entry.type === "directory" || path.endsWith(".lock")) continue;
    loose.push([path, entry.type === "file" ? (texts(entry)?.toString("latin1") ?? "") : `<${entry.type}>`]);
  }
  return readRefs(texts(manifest.get("packed-refs"))?.toString("latin1") ?? "", loose);
}

function describeRefChange({ name, before, after }: RefChange): MetadataChange {
  const area = classifyGitPath(name, "modified");
  return {
    area: area === "stash" || area === "remote_refs" ? area : "refs",
    subject: decodePath(name).text,
    change: describeFileChange(before, after),
    detail: `${before ?? "nothing"} -> ${after ?? "nothing"}`,
  };
}

/** The git directory as a whole, and the `.git` file or link of a worktree that has one. */
function listGitFolderChanges(before: Observation, after: Observation): readonly MetadataChange[] {
  const pairs: readonly (readonly [string, Entry | undefined, Entry | undefined])[] = [
    ["the git directory", before.git.get(""), after.git.get("")],
    [".git", before.worktree.get(".git"), after.worktree.get(".git")],
  ];
  return pairs.flatMap(([subject, was, is]): readonly MetadataChange[] => {
    const differs = compareManifests(new Map(was && [["", was]]), new Map(is && [["", is]])).length > 0;
    return differs
      ? [{ area: "git_dir", subject, change: describeFileChange(was ?? null, is ?? null), detail: null }]
      : [];
  });
}

function limitChanges(changes: readonly MetadataChange[]): readonly MetadataChange[] {
  const seen = new Map<string, number>();
  const kept = changes.filter(({ area }) => {
    const count = (seen.get(area) ?? 0) + 1;
    seen.set(area, count);
    return count <= CHANGES_PER_AREA_MAX;
  });
  return kept.map((change) => {
    const rest = (seen.get(change.area) ?? 0) - CHANGES_PER_AREA_MAX;
    const isLast = kept.findLast(({ area }) => area === change.area) === change;
    return rest > 0 && isLast ? { ...change, detail: `and ${rest} more of this kind` } : change;
  });
}
