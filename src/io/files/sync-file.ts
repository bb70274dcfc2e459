import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { readErrorCode } from "./error-code.ts";

/** Syncs a file or a folder by its name. Some file systems cannot sync a folder and keep the order by themselves. */
export function syncNow(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!isUnable(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Without this a power cut can undo a rename. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    if (!isUnable(error)) throw error;
  } finally {
    await folder.close();
  }
}

function isUnable(error: unknown): boolean {
  return ["EINVAL", "ENOTSUP"].includes(readErrorCode(error) ?? "");
}
