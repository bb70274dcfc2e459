import { join } from "node:path";
import { type BoundedRead, readBounded } from "./bounded-file.ts";
import type { RedoLog } from "./redo-log.ts";

const META_BYTES_MAX = 32 * 1024 * 1024;
/** For showing; a longer patch is used from its file. */
const SHOWN_PATCH_BYTES_MAX = 16 * 1024 * 1024;

export interface KeptDocuments {
  readonly meta: string;
  readonly patch: Buffer | null;
}

/** Writes the documents of kept work; only the last one, meta.json, makes the work count as kept. */
export function writeKept(redo: RedoLog, folder: string, { meta, patch }: KeptDocuments): void {
  if (patch !== null) redo.write(namePatchPath(folder), patch);
  redo.write(join(folder, "meta.json"), meta);
}

/** The raw text of meta.json; the caller validates it. */
export async function readKeptMeta(folder: string): Promise<BoundedRead> {
  return readBounded(join(folder, "meta.json"), META_BYTES_MAX);
}

export async function readKeptPatch(folder: string): Promise<BoundedRead> {
  return readBounded(namePatchPath(folder), SHOWN_PATCH_BYTES_MAX);
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
