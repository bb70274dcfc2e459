import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Head } from "../../contract/evidence/evidence.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { describeError } from "../../contract/values/describe-error.ts";
import { findCommit } from "./find-commit.ts";
import { runGit } from "./git.ts";
import { readHeadText } from "./head-text.ts";
import type { Repository } from "./repository-layout.ts";

const ANSWER_BYTES_MAX = 4096;

/** The text of HEAD and the commit that it leads to; none on a branch without commits. */
export async function readHead(repository: Repository, signal?: AbortSignal): Promise<Head> {
  const path = join(repository.gitDir, "HEAD");
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    throw new MeasurementError(path, describeError(error));
  });
  const text = readHeadText(content);
  const commit = await findCommit("HEAD", { repository, signal });
  if (commit === null && (await isBroken(text, repository)))
    throw new MeasurementError("HEAD", `${JSON.stringify(text)} leads to no commit that can be read`);
  return { text, commit };
}

/** A branch that is there but leads nowhere has lost its commits, which is not the same as having none yet. */
async function isBroken(text: string, repository: Repository): Promise<boolean> {
  const branch = /^ref: (?<name>.+)$/s.exec(text)?.groups?.["name"];
  if (branch === undefined) return true;
  const { status } = await runGit({
    args: ["rev-parse", "--verify", "--quiet", "HEAD"],
    cwd: repository.root,
    environment: repository.environment,
    gitDir: repository.gitDir,
    okStatuses: [0, 1],
    outputBytesMax: ANSWER_BYTES_MAX,
  });
  const file = await lstat(join(repository.commonDir, branch)).catch(() => null);
  return status === 0 || file?.isFile() === true;
}
