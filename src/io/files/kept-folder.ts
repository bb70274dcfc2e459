import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomic } from "./atomic-file.ts";
import { type BoundedRead, readBounded } from "./bounded-file.ts";
import { makeFolders } from "./make-folders.ts";

const META_BYTES_MAX = 32 * 1024 * 1024;
/** What a person looks at; a longer patch is used from its file. */
const SHOWN_PATCH_BYTES_MAX = 16 * 1024 * 1024;

export interface KeptDocuments {
  readonly meta: string;
  readonly patch: Buffer | null;
}

/** Writes the documents of kept work; meta.json comes last, and only with it does the work count as kept. */
export async function writeKept(folder: string, { meta, patch }: KeptDocuments): Promise<void> {
  makeFolders(folder, 0o700);
  if (patch !== null) await writeAtomic(namePatchPath(folder), patch, { mode: 0o600 });
  await writeAtomic(join(folder, "meta.json"), meta, { mode: 0o600 });
}

/** The text of meta.json as it is; whoever asks validates it. */
export async function readKeptMeta(folder: string): Promise<BoundedRead> {
  return readBounded(join(folder, "meta.json"), META_BYTES_MAX);
}

/** The patch, unless it is too long to be shown. */
export async function readKeptPatch(folder: string): Promise<BoundedRead> {
  return readBounded(namePatchPath(folder), SHOWN_PATCH_BYTES_MAX);
}

/** Where the patch of kept work lies, for a person who wants to use it with other tools. */
export function namePatchPath(folder: string): string {
  return join(folder, "changes.patch");
}

/** Removes the documents of kept work, where there are any. */
export async function removeKept(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Copies the patch of kept work to where a report wants it; a kept work without a patch has none to copy. */
export async function copyKeptPatch(folder: string, target: string): Promise<void> {
  const read = await readKeptPatch(folder);
  if (read.kind === "read") await writeAtomic(target, read.data, { mode: 0o600 });
}
