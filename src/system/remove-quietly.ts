import { rmSync } from "node:fs";

/** Removes a temporary file of our own, if the disk lets us. */
export function removeQuietly(path: string | Buffer): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What went wrong before is what counts, and the name of a file that stays says that it was never finished.
  }
}
