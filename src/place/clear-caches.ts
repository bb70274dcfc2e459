import type { Entry, Manifest } from "../base/manifest.ts";
import { listAbove } from "../evidence/pure/rewind.ts";
import { listCachePaths, planRestoration } from "../evidence/pure/restoration-plan.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { ContentStore } from "../store/content-store.ts";
import { restore } from "../store/restore.ts";
import { findEntryAt } from "../system/walk.ts";
import { convertToRollbackError } from "../evidence/put-back.ts";
import type { Candidate } from "./workplace.ts";

/**
 * Restores the ignored caches of tools. An entry below anything but a folder stays: it would be written somewhere
 * else.
 */
export async function clearCaches /** As a byte string. */(
  folder: string,
  store: ContentStore,
  before: Manifest,
  candidate: Candidate,
): Promise<Candidate> {
  const { evidence, observation } = candidate;
  const { worktree } = observation;
  const hasEntry = (path: string): boolean =>
    before.has(toBytePath(path)) || findEntryAt(folder, toBytePath(path)) !== null;
  const paths = listCachePaths(evidence.changes, hasEntry)
    .map(toBytePath)
    .filter((path) => listAbove(path).every((above) => worktree.get(above)?.type === "directory"));
  if (paths.length === 0) return candidate;
  const restored = new Set([...paths, ...listEmptied(paths, { before, worktree })]);
  const pick = (manifest: Manifest): ReadonlyMap<string, Entry> =>
    new Map([...restored].flatMap((path) => listEntry(path, manifest.get(path))));
  const [was, is] = [pick(before), pick(worktree)];
  await convertToRollbackError(() => restore({ folder, store, plan: planRestoration(was, is) }));
  const cleared = new Map(worktree);
  for (const path of restored) cleared.delete(path);
  for (const [path, entry] of was) cleared.set(path, entry);
  return {
    evidence: { ...evidence, changes: evidence.changes.filter(({ path }) => !restored.has(toBytePath(path))) },
    observation: { ...observation, worktree: cleared },
  };
}

function listEntry(path: string, entry: Entry | undefined): readonly (readonly [string, Entry])[] {
  return entry === undefined ? [] : [[path, entry]];
}

/** Folders that the builder made for nothing but these paths. */
function listEmptied(
  paths: readonly string[],
  { before, worktree }: { readonly before: Manifest; readonly worktree: Manifest },
): readonly string[] {
  const going = new Set(paths.filter((path) => !before.has(path)));
  const made = new Set([...going].flatMap(listAbove).filter((folder) => !before.has(folder)));
  if (made.size === 0) return [];
  const staying = [...worktree.keys()].filter((path) => !going.has(path) && !made.has(path));
  const occupied = new Set(staying.flatMap(listAbove));
  return [...made].filter((folder) => !occupied.has(folder));
}
