/**
 * What a worktree would look like if a tree's changes were written into it.
 *
 * Folders follow their files, as git has it: they come with the first and go with the last. The rest of the manifest
 * keeps its entries, so comparing the two tells of nothing but the change.
 */
import type { Entry, Manifest } from "../../contract/evidence/manifest.ts";

interface FileChange {
  readonly path: string;
  /** Null removes the file. */
  readonly after: { readonly isExecutable: boolean; readonly id: string; readonly size: number } | null;
}

interface Patching {
  readonly before: Manifest;
  readonly changes: readonly FileChange[];
  /** Whose what is new will be. */
  readonly owner: string;
  /** Stands for the times of what is written. */
  readonly stamp: string;
}

export type Patched =
  | { readonly kind: "patched"; readonly manifest: Manifest }
  /** Something that no tree lists is where a file or a folder is to be. */
  | { readonly kind: "occupied"; readonly path: string };

export function patchManifest({ before, changes, owner, stamp }: Patching): Patched {
  const manifest = new Map(before);
  const fresh = { owner, stamp, hardLinks: 1, target: null, forced: false } as const;
  removeFiles(
    manifest,
    changes.filter(({ after }) => after === null).map(({ path }) => path),
  );
  for (const { path, after } of changes) {
    if (after === null) continue;
    const was = before.get(path);
    const occupied = makeFolders({ manifest, before, fresh }, path) ?? (isFree(manifest.get(path)) ? null : path);
    if (occupied !== null) return { kind: "occupied", path: occupied };
    const { isExecutable, id, size } = after;
    const kept = was?.type === "file" ? { owner: was.owner } : {};
    const mode = fileMode(was?.type === "file" ? was.mode : 0o644, isExecutable);
    manifest.set(path, { ...fresh, ...kept, type: "file", mode, id, size });
  }
  return { kind: "patched", manifest };
}

function isFree(entry: Entry | undefined): boolean {
  return entry === undefined || entry.type === "file";
}

/** Only whether it can be run is the tree's affair; who may read it stays as it is. */
function fileMode(mode: number, isExecutable: boolean): number {
  if (((mode & 0o100) !== 0) === isExecutable) return mode;
  return isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** Removes the files, and the folders that hold nothing any more. */
function removeFiles(manifest: Map<string, Entry>, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const held = new Map<string, number>();
  for (const path of manifest.keys()) {
    if (path !== "") held.set(parentOf(path), (held.get(parentOf(path)) ?? 0) + 1);
  }
  for (const path of paths) {
    manifest.delete(path);
    for (let at = parentOf(path); at !== ""; at = parentOf(at)) {
      const left = (held.get(at) ?? 1) - 1;
      held.set(at, left);
      if (left > 0) break;
      manifest.delete(at);
    }
  }
}

interface Making {
  readonly manifest: Map<string, Entry>;
  readonly before: Manifest;
  readonly fresh: Pick<Entry, "owner" | "stamp" | "hardLinks" | "target" | "forced">;
}

/** Makes the folders above a path; answers with the first that cannot be one. One that was emptied comes back as it was. */
function makeFolders({ manifest, before, fresh }: Making, path: string): string | null {
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at);
    const was = before.get(folder);
    const entry: Entry =
      was?.type === "directory" ? was : { ...fresh, type: "directory", mode: 0o755, size: 0, id: null };
    const there = manifest.get(folder) ?? entry;
    if (there.type !== "directory") return folder;
    manifest.set(folder, there);
  }
  return null;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
