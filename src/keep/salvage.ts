/**
 * Salvage: work that was rolled back.
 *
 * It is saved before the rollback. Applying it takes the paths from the state before to the state after, and only
 * if every one of them is still in the state before; otherwise there is the patch.
 */
import type { Rescued } from "../records/decisions.ts";
import type { EntrySide, Evidence } from "../records/evidence.ts";
import type { KeptFile, KeptWork } from "../records/kept-work.ts";
import type { CommittedTree } from "../records/committed-tree.ts";
import { chooseKeptFiles, findSideBefore } from "../judge/pure/kept-files.ts";
import { decodePath } from "../base/path-names.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { ContentStore } from "../store/content-store.ts";
import { findRescued, locateKeptFolder, namePatchPath, readKeptPatch } from "../store/rescue.ts";
import { listFolders } from "../system/list-folders.ts";
import { isAsRecorded, isExecutable } from "../store/recorded-entry.ts";
import { listUnmovable, writeEntries } from "../store/write-entries.ts";
import { join } from "node:path";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { findWork, type FoundWork, type KeptPlace, type KeepWorkRequest, keepWork } from "./keep-work.ts";

const MIB = 1024 * 1024;
const LIMITS = { filesMax: 20_000, fileBytesMax: 16 * MIB, totalBytesMax: 64 * MIB };

/** The byte paths of the changed files that salvage keeps. */
export function listSalvaged(evidence: Evidence): ReadonlySet<string> {
  return new Set(chooseKeptFiles(evidence, LIMITS).files.map(decodeChangePath));
}

/** Null where nothing changed. */
export async function keepSalvage(request: KeepWorkRequest): Promise<KeptWork | null> {
  if (request.evidence.changes.length === 0) return null;
  return keepWork(request, { kind: "salvage", limits: LIMITS });
}

export type SalvageEntry = { readonly runId: string } & Exclude<FoundWork, { kind: "missing" }>;

/** Newest first, damaged entries included. */
export async function listSalvage(place: KeptPlace): Promise<readonly SalvageEntry[]> {
  const names = await listFolders(join(place.stateDirectory, "salvage"));
  const found = await Promise.all(
    names.map(async (runId) => ({ runId, ...(await findWork(place, "salvage", runId)) })),
  );
  return found
    .map((entry): SalvageEntry => {
      return entry.kind === "missing" ? { runId: entry.runId, kind: "damaged", reason: "it has no meta.json" } : entry;
    })
    .toSorted((one, other) => (readMoment(one) < readMoment(other) ? 1 : -1));
}

function readMoment(entry: SalvageEntry): string {
  return entry.kind === "found" ? entry.work.kept_at : "";
}

/** Reverted data that is not a change: commits, stashes, branches, and ignored files after a crash. */
export function listRescued(stateDirectory: string): Promise<Rescued> {
  return findRescued(stateDirectory);
}

export type ShownSalvage =
  | {
      readonly kind: "found";
      readonly work: KeptWork;
      readonly patchPath: string;
      readonly patch: Buffer | null;
    }
  | Exclude<FoundWork, { kind: "found" }>;

export async function showSalvage(place: KeptPlace, runId: string): Promise<ShownSalvage> {
  const found = await findWork(place, "salvage", runId);
  if (found.kind !== "found") return found;
  const folder = locateKeptFolder(place.stateDirectory, "salvage", runId);
  const patch = await readKeptPatch(folder);
  return {
    kind: "found",
    work: found.work,
    patchPath: namePatchPath(folder),
    patch: patch.kind === "read" ? patch.data : null,
  };
}

export interface ApplyRequest extends KeptPlace {
  /** The worktree to write into. */
  readonly root: string;
  readonly store: ContentStore;
  readonly runId: string;
  /** The commit that the tick began with, if it is still checked out. */
  readonly readBase?: () => Promise<CommittedTree | null>;
}

export type AppliedSalvage =
  | { readonly kind: "applied"; readonly work: KeptWork }
  /** These paths changed since the work began; nothing was written. */
  | { readonly kind: "conflict"; readonly paths: readonly string[]; readonly patchPath: string }
  | Exclude<FoundWork, { kind: "found" }>;

/** Writes the work into the working tree, uncommitted and unjudged. */
export async function applySalvage(request: ApplyRequest): Promise<AppliedSalvage> {
  const { store, stateDirectory, runId } = request;
  const found = await findWork(request, "salvage", runId);
  if (found.kind !== "found") return found;
  const root = toBytePath(request.root);
  const { files } = found.work;
  const hasEdited = files.some(({ checked_out }) => checked_out === false);
  const base = hasEdited ? ((await request.readBase?.()) ?? null) : null;
  const moves = files.map((file) => ({
    path: decodeChangePath(file),
    from: isAsCommitted(file, root, base) ? file.before : findSideBefore(file),
    to: useGitMode(file.after),
  }));
  const paths = listUnmovable({ root, moves }).map((path) => decodePath(path).text);
  if (paths.length > 0) {
    return {
      kind: "conflict",
      paths,
      patchPath: namePatchPath(locateKeptFolder(stateDirectory, "salvage", runId)),
    };
  }
  await writeEntries({ root, moves, store });
  return { kind: "applied", work: found.work };
}

/** A file that was edited while the tick worked has no side before. As committed, it holds no edit that could be lost. */
function isAsCommitted(file: KeptFile, root: string, base: CommittedTree | null): boolean {
  const path = decodeChangePath(file);
  const { checked_out, before: side } = file;
  if (checked_out !== false || side === null || side.id !== base?.files.get(path)?.id) return false;
  return isAsRecorded(root, { path, side });
}

/** Of a builder's modes, only the executable bit is kept. */
function useGitMode(side: EntrySide | null): EntrySide | null {
  if (side?.type !== "file") return side;
  return { ...side, mode: isExecutable(side) ? "0755" : "0644" };
}
