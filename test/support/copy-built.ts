import { cpSync } from "node:fs";
import { basename, dirname } from "node:path";

/** Copies what was built beside the executable. Its folder of compiled code stays: relais that run meanwhile change it. */
export function copyBuilt(executable: string, folder: string): void {
  cpSync(dirname(executable), folder, { recursive: true, filter: (path) => basename(path) !== "cache" });
}
