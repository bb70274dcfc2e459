/** The one door to the disk's own memory: whatever is synced is synced and counted here. */
import { closeSync, fsyncSync, openSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { noteSync } from "../debug/process-notes.ts";
import { readErrorCode } from "./error-code.ts";

/** Returns once the content of an open file is on the disk. */
export async function syncHandle(file: FileHandle, path: string): Promise<void> {
  noteSync(path);
  await file.datasync();
}

/** The same, synchronously. */
export function syncDescriptor(descriptor: number, path: string): void {
  noteSync(path);
  fsyncSync(descriptor);
}

/** Syncs a file or a folder by its name. */
export function syncNow(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    syncDescriptor(descriptor, path);
  } finally {
    closeSync(descriptor);
  }
}

/** Without this a power cut can undo a rename. Some file systems cannot do it and keep the order by themselves. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    noteSync(path);
    await folder.sync();
  } catch (error) {
    if (!["EINVAL", "ENOTSUP"].includes(readErrorCode(error) ?? "")) throw error;
  } finally {
    await folder.close();
  }
}
