import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import type { CommitIdentity } from "./commit-identity.ts";
import { readHeadText } from "../git/head-files.ts";
import { moveRef } from "../git/move-ref.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findCommit } from "../git/find-commit.ts";
import { accessRepository, runGit } from "../git/git.ts";
import { commitTree } from "../git/commit-tree.ts";

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

const nameRef = (branch: string) => `refs/heads/${branch}`;

/** Names that git takes for something else than a branch. */
const TAKEN = /^(?:HEAD|@|refs\/.*)$/u;

/** Whether git takes it as the name of a branch, and nobody can take it for an option or another ref. */
export async function isBranchName(repository: Repository, branch: string): Promise<boolean> {
  if (branch === "" || branch.startsWith("-") || branch.includes("\0") || TAKEN.test(branch)) return false;
  const args = ["check-ref-format", nameRef(branch)];
  const { status } = await runGit({ ...accessRepository(repository), args, okStatuses: [0, 1] });
  return status === 0;
}

/** A branch in the way of a new one: the same, a parent of its name, or one below it. */
export async function findBranchInTheWay(repository: Repository, branch: string): Promise<string | null> {
  const parts = branch.split("/");
  for (let count = 1; count < parts.length; count++) {
    const parent = parts.slice(0, count).join("/");
    if ((await findCommit(nameRef(parent), { repository })) !== null) return parent;
  }
  const args = ["for-each-ref", "--count=1", "--format=%(refname)", nameRef(branch)];
  const { stdout } = await runGit({ ...accessRepository(repository), args });
  const found = stdout.toString("utf8").trim();
  return found === "" ? null : found.slice(nameRef("").length);
}

interface NewBranch {
  readonly repository: Repository;
  readonly branch: string;
  readonly commit: string;
}

/** Makes a new branch at a commit; HEAD and the working tree stay as they are. */
export async function addBranch({ repository, branch, commit }: NewBranch): Promise<void> {
  const unborn = "0".repeat(commit.length);
  await moveRef(repository, {
    ref: nameRef(branch),
    to: commit,
    from: unborn,
    reason: "relais: a goal is handed over",
  });
}

/** Makes a branch at a commit and switches HEAD to it. The working tree and the index stay as they are. */
export async function createBranch({ repository, branch, commit }: NewBranch): Promise<void> {
  const access = accessRepository(repository);
  const ref = nameRef(branch);
  await runGit({ ...access, args: ["check-ref-format", ref] });
  const unborn = "0".repeat(commit.length);
  const reason = "relais: a branch for the series";
  await moveRef(repository, { ref, to: commit, from: unborn, reason });
  await runGit({ ...access, args: ["symbolic-ref", "-m", reason, "HEAD", ref] });
}

interface Squash {
  readonly repository: Repository;
  readonly from: string;
  readonly onto: string;
  readonly message: string;
  readonly identity: CommitIdentity;
}

/** Writes one commit with the content of `from` and `onto` as its parent; no branch leads to it yet. */
export function squashCommit({ repository, from, onto, message, identity }: Squash): Promise<string> {
  return commitTree(accessRepository(repository), { tree: `${from}^{tree}`, parent: onto, message, identity });
}
