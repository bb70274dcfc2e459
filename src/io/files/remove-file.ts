import { rmSync } from "node:fs";

/** Removes a file of our own, at once; one that is not there is as it should be. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
}
