import { lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { joinBytes } from "./byte-path.ts";
import { readErrorCode } from "./read-files.ts";
import { runOnPaths } from "./run-on-paths.ts";

/**
 * Opens every folder below and takes the flags away that not even root may overrule. By `find`, because `chmod -R`
 * follows a link that is its argument.
 */
const UNLOCK = `find "$@" -type d ! -perm -700 -execdir chmod u+rwx -- {} \\; || true
find "$@" ! -type l -execdir chattr -f -i -a -- {} + || true`;

export function removeTree(absolute: Buffer): void {
  removeTrees([absolute]);
}

/**
 * Removes folders with their content, however deep, closed or locked, and files; throws if something stays. A few entries
 * go at once. For all others `rm` walks step by step, because a path may be longer than the kernel takes in one call.
 */
export function removeTrees(paths: readonly Buffer[]): void {
  const left = paths.filter((path) => !isRemovedAtOnce(path));
  if (left.length === 0 || runOnPaths(["rm", "-rf", "--"], left) === null) return;
  runOnPaths(["sh", "-c", UNLOCK, "sh"], left);
  const refusal = runOnPaths(["rm", "-rf", "--"], left);
  if (refusal !== null) throw new Error(refusal);
}

/** To start a program takes as long as to remove so many. */
const FEW = 100;

/** False where there are more than a few entries, or one of them stays. */
function isRemovedAtOnce(absolute: Buffer): boolean {
  let count = 0;
  const remove = (entry: Buffer): void => {
    count += 1;
    const stats = lstatSync(entry, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory()) return unlinkSync(entry);
    // The folder that an overlay worked in is empty and closed to its own user.
    if (isRemovedEmpty(entry)) return;
    const names = readdirSync(entry, { encoding: "latin1" });
    if (count + names.length > FEW) throw new Error("there are more");
    for (const name of names) remove(joinBytes(entry.toString("latin1"), name));
    rmdirSync(entry);
  };
  try {
    remove(absolute);
    return true;
  } catch {
    return false;
  }
}

function isRemovedEmpty(folder: Buffer): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    // Systems differ in the word for a folder with entries.
    if (["ENOTEMPTY", "EEXIST"].includes(readErrorCode(error) ?? "")) return false;
    throw error;
  }
}
