import { copyFileSync, lstatSync, readdirSync, utimesSync, writeFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import { makeFolders } from "../system/folders.ts";
import { quoteStore } from "./git-environment.ts";
import { accessRepository, runGit } from "./git.ts";
import { type Repository, findRepository } from "./repository-layout.ts";
import type { Environment } from "../base/environment.ts";
import { readFilterSettings } from "./filter-settings.ts";
import { findCommit, isAncestor } from "./find-commit.ts";
import { runNetworkGit } from "./git-network.ts";
import { moveRef } from "./move-ref.ts";

/**
 * The git data of a clone that one attempt works in, made anew: HEAD, refs, index and rules are copies, objects are
 * read from the user's store and written to its own.
 *
 * Of the configuration only the settings about content and names are taken over. There are no remotes, hooks, filters
 * and credentials, so `git push` has no destination.
 */

const TAKEN_OVER =
  /^(?:core\.(?:autocrlf|eol|safecrlf|filemode|symlinks|ignorecase|precomposeunicode|protecthfs|protectntfs|sparsecheckout|sparsecheckoutcone|checkroundtripencoding|bigfilethreshold|whitespace|quotepath)|extensions\.objectformat|index\.sparse|user\.(?:name|email))$/;
const CONFIG_BYTES_MAX = 16 * 1024 * 1024;

/** Copies keep their times and have other inodes, and git must not take every file for a changed one. */
const OWN = ["[core]", "\tbare = false", "\ttrustctime = false", "\tcheckStat = minimal", "[gc]", "\tauto = 0"];

export async function makeCloneGitData(user: Repository, gitDir: string): Promise<void> {
  for (const name of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"])
    makeFolders(join(gitDir, name), 0o700);
  const settings = await readTakenOver(user);
  writeFileSync(join(gitDir, "config"), renderConfig(settings));
  writeFileSync(join(gitDir, "objects/info/alternates"), `${quoteStore(join(user.commonDir, "objects"))}\n`);
  for (const name of ["packed-refs", "shallow", "info/exclude", "info/attributes"])
    copyFile(join(user.commonDir, name), join(gitDir, name));
  for (const name of listFiles(join(user.commonDir, "refs")))
    if (name !== "stash") copyFile(join(user.commonDir, "refs", name), join(gitDir, "refs", name));
  const shared = readdirSync(user.gitDir).filter((name) => name.startsWith("sharedindex."));
  for (const name of [...shared, "index", "info/sparse-checkout"])
    copyFile(join(user.gitDir, name), join(gitDir, name));
  if (!copyFile(join(user.gitDir, "HEAD"), join(gitDir, "HEAD")))
    throw new MeasurementError(user.gitDir, "it has no HEAD that is a file");
}

interface Setting {
  readonly key: string;
  readonly value: string;
}

/** Of the repository itself and of this worktree, not of the user: those count in the clone too. */
async function readTakenOver(user: Repository): Promise<readonly Setting[]> {
  const lists: Setting[] = [];
  for (const scope of ["--local", "--worktree"]) {
    const { stdout, status } = await runGit({
      ...accessRepository(user),
      args: ["config", scope, "--includes", "--list", "-z"],
      okStatuses: [0, 1, 128],
      outputBytesMax: CONFIG_BYTES_MAX,
    });
    if (status === 0) lists.push(...parseTakenOver(stdout.toString("utf8")));
  }
  return lists;
}

export function parseTakenOver(list: string): readonly Setting[] {
  return list
    .split("\0")
    .map(splitSetting)
    .filter(({ key }) => TAKEN_OVER.test(key));
}

/** A key alone means true. */
function splitSetting(record: string): Setting {
  const at = record.indexOf("\n");
  return at === -1 ? { key: record, value: "true" } : { key: record.slice(0, at), value: record.slice(at + 1) };
}

export function renderConfig(settings: readonly Setting[]): string {
  return `${[...renderFormat(settings), ...OWN, ...settings.map(render)].join("\n")}\n`;
}

/** An extension counts only in this version. */
function renderFormat(settings: readonly Setting[]): readonly string[] {
  const version = settings.some(({ key }) => key.startsWith("extensions.")) ? 1 : 0;
  return ["[core]", `\trepositoryformatversion = ${version}`];
}

function render({ key, value }: Setting): string {
  const at = key.indexOf(".");
  const text = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `[${key.slice(0, at)}]\n\t${key.slice(at + 1)} = "${text}"`;
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

/** Only a file, with its time: git compares it with those of the files. */
function copyFile(from: string, to: string): boolean {
  const stats = lstatSync(from, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return false;
  makeFolders(dirname(to), 0o700);
  copyFileSync(from, to);
  utimesSync(to, stats.atime, stats.mtime);
  return true;
}

/**
 * The repository that a job works in: a clone of its own, on its own branch.
 *
 * A clone on the same machine shares the objects of its source and has copies of its refs. It has no remote, no hook and
 * no filter of the source's own configuration.
 */

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
