import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findPlainHead } from "./object-files.ts";
import { readHeadText } from "./head-files.ts";
import { accessRepository, runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

const HEADS = "refs/heads/";

/** The branch that HEAD leads to, through every symbolic ref on the way; null where it leads to none. */
export async function findCheckedOutBranch(repository: Repository): Promise<string | null> {
  const plain = await findPlainBranch(repository);
  if (plain !== null) return plain;
  const args = ["symbolic-ref", "--quiet", "HEAD"];
  const { stdout } = await runGit({ ...accessRepository(repository), args, okStatuses: [0, 1] });
  const ref = stdout.toString("utf8").replace(/\n$/, "");
  return ref.startsWith(HEADS) ? ref.slice(HEADS.length) : null;
}

/** Null where HEAD is anything but the name of a branch that is no symbolic ref itself. */
async function findPlainBranch(repository: Repository): Promise<string | null> {
  try {
    const text = readHeadText(readFileSync(join(repository.gitDir, "HEAD"), "utf8"));
    return findPlainHead(repository, text) === null || !text.startsWith(`ref: ${HEADS}`)
      ? null
      : text.slice(`ref: ${HEADS}`.length);
  } catch {
    return null;
  }
}
