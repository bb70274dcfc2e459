import { chmodSync, lchownSync, lutimesSync, rmdirSync, unlinkSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { type Entry, modifiedAtSeconds } from "../contract/manifest.ts";
import { errorCode } from "./error-code.ts";

/** Gives an entry its owner, mode and modification time. Ownership is set only where we may. */
export function settleEntry(absolute: Buffer, entry: Entry): void {
  const [uid, gid] = entry.owner.split(":").map(Number);
  if (process.getuid?.() === 0) lchownSync(absolute, uid ?? 0, gid ?? 0);
  if (entry.type !== "symlink") chmodSync(absolute, entry.mode);
  const seconds = modifiedAtSeconds(entry);
  lutimesSync(absolute, seconds, seconds);
}

/** Removes one entry. One that is already gone is as it should be. */
export function removeEntry(absolute: Buffer, entry: Entry): void {
  try {
    if (entry.type === "directory") removeFolder(absolute, entry);
    else unlinkSync(absolute);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

function removeFolder(absolute: Buffer, entry: Entry): void {
  // What lies too deep to be named in one call is removed by a program that walks there step by step.
  if (entry.forced) spawnSync("rm", ["-rf", "--", absolute.toString("utf8")], { timeout: 600_000 });
  rmdirSync(absolute);
}
