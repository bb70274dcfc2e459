import { chmodSync, lchownSync, lstatSync, lutimesSync, rmdirSync, unlinkSync } from "node:fs";
import { type Entry, modifiedAtSeconds } from "../../contract/evidence/manifest.ts";
import { readErrorCode } from "../files/error-code.ts";
import { removeTree } from "../files/remove-tree.ts";

/** Gives an entry its owner, mode and modification time. Ownership is set as far as we may. */
export function settleEntry(absolute: Buffer, entry: Entry): void {
  settleOwner(absolute, entry);
  if (entry.type !== "symlink") chmodSync(absolute, entry.mode);
  // As text, because Node takes a negative number for a mistake and sets the present time.
  const seconds = String(modifiedAtSeconds(entry));
  lutimesSync(absolute, seconds, seconds);
}

/** Somebody else than root may give a file to another of their own groups. A refusal shows in the comparison. */
function settleOwner(absolute: Buffer, entry: Entry): void {
  const [uid = 0, gid = 0] = entry.owner.split(":").map(Number);
  const now = lstatSync(absolute);
  if (now.uid === uid && now.gid === gid) return;
  if (process.getuid?.() === 0) return lchownSync(absolute, uid, gid);
  try {
    lchownSync(absolute, -1, gid);
  } catch (error) {
    if (readErrorCode(error) !== "EPERM") throw error;
  }
}

/** Removes one entry. One that is already gone is as it should be. */
export function removeEntry(absolute: Buffer, entry: Entry): void {
  try {
    if (entry.type === "directory") removeFolder(absolute, entry);
    else unlinkSync(absolute);
  } catch (error) {
    if (readErrorCode(error) !== "ENOENT") throw error;
  }
}

function removeFolder(absolute: Buffer, entry: Entry): void {
  // What could not be listed is removed with its folder.
  if (entry.forced) removeTree(absolute);
  else rmdirSync(absolute);
}
