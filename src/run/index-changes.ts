/** What changed in the index besides content and times: flags that hide a path, unmerged entries, an index that is gone or damaged. */
import type { MetadataChange } from "../contract/evidence.ts";
import type { Manifest } from "../contract/manifest.ts";
import { pathText } from "../core/observation/path-text.ts";
import { type IndexEntry, readIndex } from "../io/git-index.ts";
import type { Texts } from "./content-texts.ts";

export interface IndexComparison {
  readonly path: string;
  readonly before: Manifest;
  readonly after: Manifest;
  readonly texts: Texts;
}

export function indexChanges({ path, before, after, texts }: IndexComparison): readonly MetadataChange[] {
  const was = before.get(path);
  const is = after.get(path);
  if (was === undefined || was.id === is?.id) return [];
  if (is === undefined) return [{ area: "index", subject: "index", change: "removed", detail: null }];
  const left = texts(was);
  const right = texts(is);
  if (left === null || right === null) return [damaged("it is no readable file")];
  try {
    return flagChanges(flags(readIndex(left)), flags(readIndex(right)));
  } catch (error) {
    return [damaged(error instanceof Error ? error.message : String(error))];
  }
}

function damaged(detail: string): MetadataChange {
  return { area: "index", subject: "index", change: "modified", detail };
}

type Flags = ReadonlyMap<string, string>;

function flags(entries: readonly IndexEntry[]): Flags {
  const flagged = new Map<string, string>();
  for (const [position, entry] of entries.entries()) {
    const names = [
      ...(entry.assumeUnchanged ? ["assume-unchanged"] : []),
      ...(entry.skipWorktree ? ["skip-worktree"] : []),
      ...(entry.stage > 0 ? ["unmerged"] : []),
    ];
    if (names.length > 0) flagged.set(entry.path === "" ? `entry ${position}` : entry.path, names.join(", "));
  }
  return flagged;
}

function flagChanges(before: Flags, after: Flags): readonly MetadataChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => ({
      area: after.get(path)?.includes("unmerged") === true ? "operation" : "index_flags",
      subject: pathText(path).text,
      change: "modified",
      detail: `${before.get(path) ?? "no flag"} -> ${after.get(path) ?? "no flag"}`,
    }));
}
