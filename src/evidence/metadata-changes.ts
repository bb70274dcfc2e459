/** What changed in git's own data between two observations: HEAD, refs by name, the index by its flags, the rest by file. */
import type { Head, MetadataChange } from "../records/evidence.ts";
import type { Entry, Manifest, Observation } from "../base/manifest.ts";
import { compareManifests } from "./pure/compare-manifests.ts";
import { classifyGitPath } from "../records/git-area.ts";
import { decodePath } from "../base/path-text.ts";
import { compareRefs, readRefs, type RefChange, type Refs, resolveHead } from "./pure/refs.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readContentTexts, type Texts } from "./content-texts.ts";
import { describeFileChange, listGitFileChanges } from "./git-file-changes.ts";
import { listIndexChanges, findIndexEntry, isIndexPart } from "./index-changes.ts";
import { chooseKeptGitData } from "./kept-git-data.ts";
import { findOwnGitPrefix } from "./pure/own-git-prefix.ts";

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
  const texts = await readContentTexts({ store, folder, manifests: [after.git, before.git], isWanted });
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
