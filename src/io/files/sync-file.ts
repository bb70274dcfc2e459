import { closeSync, fsyncSync, openSync } from "node:fs";
import { readErrorCode } from "./error-code.ts";

/**
 * Syncs a file or a folder by its name; without the latter, a power cut can undo a rename. Some file systems cannot sync
 * a folder and keep the order by themselves.
 */
export function syncNow(path: string | Buffer): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!isUnable(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

function isUnable(error: unknown): boolean {
  return ["EINVAL", "ENOTSUP"].includes(readErrorCode(error) ?? "");
}
