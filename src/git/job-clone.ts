/**
 * The repository that a job works in: a clone of its own, on its own branch.
 *
 * A clone on the same machine shares the objects of its source and has copies of its refs. It has no remote, no hook and
 * no filter of the source's own configuration.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { makeFolders } from "../system/make-folders.ts";
import { makeCloneGitData } from "./clone-git-data.ts";
import { readFilterSettings } from "./filter-settings.ts";
import { findCommit, isAncestor } from "./find-commit.ts";
import { accessRepository, runGit } from "./git.ts";
import { runNetworkGit } from "./git-network.ts";
import { moveRef } from "./move-ref.ts";
import { findRepository, type Repository } from "./repository-layout.ts";

const CLONE_BYTES_MAX = 64 * 1024 * 1024;

export interface CloneTarget {
  /** Made here; it must not exist. */
  readonly folder: string;
  readonly branch: string;
  readonly commit: string;
  /** Branches of the source, one of which must have the commit; empty is the one that its HEAD names. */
  readonly within: readonly string[] | null;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Shares the objects of the source. */
export async function makeSharedClone(source: Repository, target: CloneTarget): Promise<void> {
  const gitDir = join(target.folder, ".git");
  await makeCloneGitData(source, gitDir);
  // The index is that of the person, with what is staged there.
  rmSync(join(gitDir, "index"), { force: true });
  await checkOut(target);
}

/** Everything that the other side has, over the network. */
export async function makeFullClone(url: string, target: CloneTarget): Promise<void> {
  const { folder, environment, signal } = target;
  makeFolders(folder, 0o700);
  const access = { cwd: folder, environment, signal };
  const args = ["clone", "--quiet", "--no-checkout", "--no-local", "--", url, folder];
  await runNetworkGit({ ...access, args, outputBytesMax: CLONE_BYTES_MAX });
  const repository = await openJobClone(target);
  // Agents have no business with it: `git push` would have a destination.
  await runGit({ ...accessRepository(repository, signal), args: ["config", "--remove-section", "remote.origin"] });
  await checkOrigin(repository, target);
  await checkOut(target);
}

/** Anybody who can push may make a branch with a configuration of their own. */
async function checkOrigin(repository: Repository, { commit, within }: CloneTarget): Promise<void> {
  if (within === null) return;
  const names = within.length === 0 ? ["HEAD"] : within;
  for (const name of names) {
    const tip = await findCommit(`refs/remotes/origin/${name}`, { repository });
    if (tip !== null && (await isAncestor(commit, tip, repository))) return;
  }
  const allowed = within.length === 0 ? "the repository's main branch" : within.join(", ");
  throw new MeasurementError(`the commit ${commit}`, `is not part of ${allowed} (worker.branches)`);
}

/** The repository of a clone; its own folder, and no other around it. */
export async function openJobClone({
  folder,
  environment,
}: Pick<CloneTarget, "folder" | "environment">): Promise<Repository> {
  const layout = await findRepository(folder, environment);
  if (layout.kind === "repository") return layout;
  throw new MeasurementError(folder, "is no repository any more");
}

async function checkOut(target: CloneTarget): Promise<void> {
  const { folder, branch, commit, signal } = target;
  const ref = `refs/heads/${branch}`;
  // Written before git is asked for anything: HEAD of the source may name a branch that a worktree has checked out.
  writeFileSync(join(folder, ".git", "HEAD"), `ref: ${ref}\n`);
  const repository = await openJobClone(target);
  const access = accessRepository(repository, signal);
  if ((await findCommit(commit, { repository, signal })) === null)
    throw new MeasurementError(`the commit ${commit}`, "is not in the repository any more");
  await moveRef(repository, { ref, to: commit, reason: "relais: a job" });
  const { env } = await readFilterSettings(repository, signal);
  const args = ["read-tree", "--reset", "-u", commit];
  await runGit({ ...access, workTree: repository.root, env, args, outputBytesMax: CLONE_BYTES_MAX });
}
