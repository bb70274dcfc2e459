import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Head } from "../records/evidence.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { isFile } from "../system/read-files.ts";
import { findCommit } from "./find-commit.ts";
import { accessRepository, runGit } from "./git.ts";
import { readHeadText } from "./head-files.ts";
import { findPlainHead } from "./object-files.ts";
import type { Repository } from "./repository-layout.ts";

/** The text of HEAD and the commit that it leads to; none on a branch without commits. */
export async function readHead(repository: Repository, signal?: AbortSignal): Promise<Head> {
  const path = join(repository.gitDir, "HEAD");
  const text = readHeadText(readText(path));
  const commit = findPlainHead(repository, text) ?? (await findCommit("HEAD", { repository, signal }));
  if (commit === null && (await isBroken(text, repository)))
    throw new MeasurementError("HEAD", `${JSON.stringify(text)} leads to no commit that can be read`);
  return { text, commit };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new MeasurementError(path, describeError(error));
  }
}

/** A branch that is there but leads nowhere has lost its commits, which is not the same as having none yet. */
async function isBroken(text: string, repository: Repository): Promise<boolean> {
  const branch = /^ref: (?<name>.+)$/s.exec(text)?.groups?.["name"];
  if (branch === undefined) return true;
  const args = ["rev-parse", "--verify", "--quiet", "HEAD"];
  const { status } = await runGit({ ...accessRepository(repository), args, okStatuses: [0, 1] });
  return status === 0 || isFile(join(repository.commonDir, branch));
}
