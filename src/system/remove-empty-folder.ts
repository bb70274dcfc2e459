import { rmdirSync } from "node:fs";
import { readErrorCode } from "./read-files.ts";

/** Removes a folder that holds nothing. One with entries stays, and it may be missing. */
export function removeEmptyFolder(absolute: Buffer): void {
  try {
    rmdirSync(absolute);
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(readErrorCode(error) ?? "")) throw error;
  }
}
