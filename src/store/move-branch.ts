import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MeasurementError } from "../base/measurement-error.ts";
import type { CommitIdentity } from "./commit-identity.ts";
import { readHeadText } from "../git/head-files.ts";
import { moveRef } from "../git/move-ref.ts";
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
  await moveRef(repository, { ref, to, from, reason, identity });
}
