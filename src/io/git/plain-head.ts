/**
 * The commit of HEAD, found by reading files alone.
 *
 * A branch is a file or a line of `packed-refs`, and a commit is a loose object or whole in a pack. Everything else, and
 * everything odd, is left to git.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readNow } from "../files/read-now.ts";
import { isPlainCommit } from "./object-files.ts";
import type { Repository } from "./repository-layout.ts";

const ID = /^[0-9a-f]{40}$/;
const BRANCH = /^ref: (?<name>refs\/heads\/[A-Za-z0-9_][\w-]*(?:[./][A-Za-z0-9_][\w-]*)*)$/;
const REFS_BYTES_MAX = 16 * 1024 * 1024;

/** Null where git must be asked. */
export function findPlainHead({ commonDir }: Repository, headText: string): string | null {
  try {
    const id = ID.test(headText) ? headText : findBranch(commonDir, BRANCH.exec(headText)?.groups?.["name"]);
    return id !== null && isPlainCommit(commonDir, id) ? id : null;
  } catch {
    return null;
  }
}

function findBranch(commonDir: string, name: string | undefined): string | null {
  // With a store of refs that is no folder of files, the files mean nothing.
  if (name === undefined || name.endsWith(".lock") || readdirSync(commonDir).includes("reftable")) return null;
  const loose = readNow(join(commonDir, name), { bytesMax: 256 })?.toString("latin1").trim();
  const id = loose ?? findPacked(commonDir, name);
  return ID.test(id) ? id : null;
}

function findPacked(commonDir: string, name: string): string {
  const packed = readNow(join(commonDir, "packed-refs"), { bytesMax: REFS_BYTES_MAX })?.toString("latin1") ?? "";
  const line = packed.split("\n").find((one) => one.slice(41) === name);
  return line?.slice(0, 40) ?? "";
}
