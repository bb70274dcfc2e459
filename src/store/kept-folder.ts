import { join } from "node:path";
import type { KeptWork } from "../records/kept-work.ts";
import { type BoundedRead, readBounded } from "../system/bounded-file.ts";
import type { RedoLog } from "../system/redo-log.ts";

const META_BYTES_MAX = 32 * 1024 * 1024;
/** For showing; a longer patch is used from its file. */
const SHOWN_PATCH_BYTES_MAX = 16 * 1024 * 1024;

export interface KeptDocuments {
  readonly meta: string;
  readonly patch: Buffer | null;
}

export function locateKeptFolder(stateDirectory: string, kind: KeptWork["kind"], runId: string): string {
  return join(stateDirectory, kind, runId);
}

/** Writes the documents of kept work; only the last one, meta.json, makes the work count as kept. */
export function writeKept(redo: RedoLog, folder: string, { meta, patch }: KeptDocuments): void {
  if (patch !== null) redo.write(namePatchPath(folder), patch);
  redo.write(nameMetaPath(folder), meta);
}

/** The raw text of meta.json; the caller validates it. */
export async function readKeptMeta(folder: string): Promise<BoundedRead> {
  return readBounded(nameMetaPath(folder), META_BYTES_MAX);
}

export async function readKeptPatch(folder: string): Promise<BoundedRead> {
  return readBounded(namePatchPath(folder), SHOWN_PATCH_BYTES_MAX);
}

/** Describes kept work. */
export function nameMetaPath(folder: string): string {
  return join(folder, "meta.json");
}

/** The patch of kept work, for people who use it with other tools. */
export function namePatchPath(folder: string): string {
  return join(folder, "changes.patch");
}

/** Copies the patch of kept work into a report; there may be none. */
export async function copyKeptPatch(redo: RedoLog, folder: string, target: string): Promise<void> {
  const read = await readKeptPatch(folder);
  if (read.kind === "read") redo.write(target, read.data);
}
