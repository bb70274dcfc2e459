import type { Entry, Manifest } from "../../base/manifest.ts";

/**
 * The manifest of a worktree after a patch. Folders come with their first file and go with their last, as in git. All
 * other entries stay, so a comparison shows only the patch.
 */

interface FileChange {
  readonly path: string;
  readonly after: { readonly isExecutable: boolean; readonly id: string; readonly size: number } | null;
}

interface PatchRequest {
  readonly before: Manifest;
  readonly changes: readonly FileChange[];
  readonly owner: string;
  readonly stamp: string;
}

export type PatchResult =
  | { readonly kind: "patched"; readonly manifest: Manifest }
  /** An entry that no tree lists is in the way. */
  | { readonly kind: "occupied"; readonly path: string };

export function patchManifest({ before, changes, owner, stamp }: PatchRequest): PatchResult {
  const manifest = new Map(before);
  const fresh = { owner, stamp, hardLinks: 1, target: null, forced: false } as const;
  removeFiles(
    manifest,
    changes.filter(({ after }) => after === null).map(({ path }) => path),
  );
  for (const { path, after } of changes) {
    if (after === null) continue;
    const was = before.get(path);
    const occupied = makeFolders(manifest, before, fresh, path) ?? (isFree(manifest.get(path)) ? null : path);
    if (occupied !== null) return { kind: "occupied", path: occupied };
    const { isExecutable, id, size } = after;
    const kept = was?.type === "file" ? { owner: was.owner } : {};
    const mode = chooseFileMode(was?.type === "file" ? was.mode : 0o644, isExecutable);
    manifest.set(path, { ...fresh, ...kept, type: "file", mode, id, size });
  }
  return { kind: "patched", manifest };
}

function isFree(entry: Entry | undefined): boolean {
  return entry === undefined || entry.type === "file";
}

/** The tree only decides whether a file is executable; read permissions stay. */
function chooseFileMode(mode: number, isExecutable: boolean): number {
  if (((mode & 0o100) !== 0) === isExecutable) return mode;
  return isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

function removeFiles(manifest: Map<string, Entry>, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const held = new Map<string, number>();
  for (const path of manifest.keys()) {
    if (path !== "") held.set(findParent(path), (held.get(findParent(path)) ?? 0) + 1);
  }
  for (const path of paths) {
    manifest.delete(path);
    for (let at = findParent(path); at !== ""; at = findParent(at)) {
      const left = (held.get(at) ?? 1) - 1;
      held.set(at, left);
      if (left > 0) break;
      manifest.delete(at);
    }
  }
}

/** Returns the first path that cannot be a folder. An emptied folder comes back as it was. */
function makeFolders(
  manifest: Map<string, Entry>,
  before: Manifest,
  fresh: Pick<Entry, "owner" | "stamp" | "hardLinks" | "target" | "forced">,
  path: string,
): string | null {
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

function findParent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

interface PatchCopy {
  readonly from: string;
  readonly to: string;
}

/** The sections of a git patch that copy or rename a file. Lines of a file begin with another character. */
export function listPatchCopies(patch: string): readonly PatchCopy[] {
  const sections = patch.matchAll(/^(?:copy|rename) from (?<from>.+)\r?\n(?:copy|rename) to (?<to>.+?)\r?$/gmu);
  return [...sections].map(({ groups }) => ({ from: unquote(groups?.["from"]), to: unquote(groups?.["to"]) }));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\u0007", b: "\b", f: "\f", v: "\v" };

/** Git quotes a name as C does. */
function unquote(name = ""): string {
  if (!name.startsWith('"')) return name;
  const bytes = Buffer.from(name.slice(1, -1))
    .toString("latin1")
    .replaceAll(/\\(?<code>[0-7]{3}|.)/gu, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
    );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
