/** The changes of git's data file by file, besides those that are compared by meaning. */
import type { MetadataChange } from "../records/evidence.ts";
import type { Manifest } from "../base/manifest.ts";
import type { Difference } from "./pure/compare-manifests.ts";
import { classifyGitPath, pickGravestArea } from "../records/git-area.ts";
import { isEmptiedFolder, isObjectFile, isOrdinary } from "./pure/ordinary-entry.ts";
import { decodePath } from "../base/path-text.ts";
import { listNewLinks } from "./pure/worktree-changes.ts";
import { isIndexPath } from "./index-changes.ts";
import type { KeptGitData } from "./kept-git-data.ts";

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
