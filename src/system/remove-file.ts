import { rmSync } from "node:fs";

/** Removes a file of our own synchronously; it may be missing. */
export function removeFile(path: string | Buffer): void {
  rmSync(path, { force: true });
}
