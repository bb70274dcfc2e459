import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { type CommitIdentity, makeIdentityVariables } from "./commit-identity.ts";
import { DURABLE } from "../git/filter-view.ts";
import { accessRepository, runGit } from "../git/git.ts";
import { readHeadText } from "../git/head-files.ts";
import type { Repository } from "../git/repository-layout.ts";

export interface BranchMove {
  readonly repository: Repository;
  /** What the HEAD file must say: `ref: refs/heads/...`. */
  readonly headText: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly identity: CommitIdentity;
}

export function nameBranchRef(headText: string): string | null {
  return /^ref: (?<ref>refs\/heads\/[^ \t\n\v\f\r]+)$/.exec(readHeadText(headText))?.groups?.["ref"] ?? null;
}

/** Moves the branch of HEAD if it still is where it should be; otherwise throws and changes nothing. */
export async function moveBranch(move: BranchMove): Promise<void> {
  const { repository, headText, from, to, reason, identity } = move;
  const ref = nameBranchRef(headText);
  if (ref === null) throw new MeasurementError("HEAD", "names no branch");
  const now = readHeadText(readFileSync(join(repository.gitDir, "HEAD"), "utf8"));
  const expected = readHeadText(headText);
  if (now !== expected) throw new MeasurementError("HEAD", `says "${now}" and not "${expected}"`);
  await runGit({
    ...accessRepository(repository),
    args: [...DURABLE, "update-ref", "-m", reason, ref, to, from],
    env: makeIdentityVariables(identity),
  });
}
