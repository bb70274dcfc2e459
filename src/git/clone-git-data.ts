/**
 * The git data of a clone that one attempt works in, made anew: HEAD, refs, index and rules are copies, objects are
 * read from the user's store and written to its own.
 *
 * Of the configuration only the settings about content and names are taken over. There are no remotes, hooks, filters
 * and credentials, so `git push` has no destination.
 */
import { copyFileSync, lstatSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MeasurementError } from "../base/measurement-error.ts";
import { makeFolders } from "../system/make-folders.ts";
import { quoteStore } from "./git-environment.ts";
import { accessRepository, runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

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
