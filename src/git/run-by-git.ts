/**
 * Which files of a worktree git itself runs or obeys, by the configuration and the hooks of the repository.
 *
 * A builder that may write such a file decides what happens on the person's machine the next time that they use git,
 * long after the judgement. Nothing is run to find out: commands are split into words, and every path that a word could
 * name in the worktree counts, whether it exists or not. Programs that such a program calls are not followed.
 */
import { lstatSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { readBounded } from "../system/bounded-file.ts";
import { readErrorCode } from "../system/read-files.ts";
import { listNames } from "../system/list-folders.ts";
import type { FilterSettings } from "./filter-settings.ts";
import type { Repository } from "./repository-layout.ts";

type Setting = FilterSettings["all"][number];

/** Settings whose value is a command that git runs in passing. */
const COMMANDS = new RegExp(
  `^(?:${[
    "core\\.(?:fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)",
    "filter\\..+\\.(?:clean|smudge|process)",
    "diff\\.external",
    "diff\\..+\\.(?:command|textconv)",
    "merge\\..+\\.driver",
    "(?:trailer|hook|guitool|difftool|mergetool|man|browser)\\..+\\.(?:cmd|command|path)",
    "gpg(?:\\..+)?\\.(?:program|defaultkeycommand)",
    "credential(?:\\..+)?\\.helper",
    "remote\\..+\\.(?:uploadpack|receivepack|vcs)",
    "submodule\\..+\\.update",
    "sequence\\.editor",
    "interactive\\.difffilter",
    "uploadpack\\.packobjectshook",
    "imap\\.tunnel",
    "sendemail\\..*cmd",
  ].join("|")})$`,
  "s",
);
/** Settings with commands that a person calls; a word of one is as often something to read as something to run. */
const CALLED = /^(?:alias|pager)\./;
const PROGRAM = /\/|\.(?:sh|bash|zsh|py|rb|pl|php|js|mjs|cjs|ts|mts|lua)$/;
/** Settings whose value is one file or folder that git reads. */
const PLACES =
  /^(?:core\.(?:attributesfile|excludesfile)|commit\.template|init\.templatedir|blame\.ignorerevsfile|mailmap\.file|fsck\.skiplist)$/;
const INCLUDES = /^include(?:if\..+)?\.path$/s;
const HOOKS = "core.hookspath";

const HOOK_BYTES_MAX = 256 * 1024;
const HOOKS_MAX = 200;

/** Paths from the root of the worktree; a folder stands for everything in it. */
export async function runByGit(repository: Repository, { all }: FilterSettings): Promise<readonly string[]> {
  const { root } = repository;
  const named = all
    // What relais itself sets for its own git comes from the command line.
    .filter(({ origin }) => origin.startsWith("file:"))
    .flatMap((setting) => listPlaces(repository, setting));
  const paths = [...named, ...(await listHookPaths(repository, all))].flatMap((path) => toTreePath(root, path));
  return [...new Set(paths)].toSorted();
}

function listPlaces(repository: Repository, { key, value, origin }: Setting): readonly string[] {
  const { root } = repository;
  const place = expandHome(repository, value);
  if (PLACES.test(key)) return [resolve(root, place)];
  if (INCLUDES.test(key)) return [resolve(dirname(resolve(root, origin.slice("file:".length))), place)];
  const named = COMMANDS.test(key) ? splitWords(value) : CALLED.test(key) ? listPrograms(value) : [];
  return named
    .flatMap((word) => resolveWord(repository, word))
    .filter((path) => findStats(path)?.isDirectory() !== true);
}

async function listHookPaths(repository: Repository, all: FilterSettings["all"]) {
  const { root, commonDir } = repository;
  const configured = all.findLast(({ key, origin }) => key === HOOKS && origin.startsWith("file:"))?.value;
  const folder =
    configured === undefined || configured === ""
      ? join(commonDir, "hooks")
      : resolve(root, expandHome(repository, configured));
  // Some tools keep small starters in a folder of that name, and the scripts that they start above it.
  if (toTreePath(root, folder).length > 0) return [basename(folder) === "_" ? dirname(folder) : folder];
  const named = (await readHooks(folder)).flatMap(listPrograms);
  return named.flatMap((word) => resolveWord(repository, word)).filter((path) => findStats(path)?.isFile() === true);
}

async function readHooks(folder: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const name of listNames(folder).slice(0, HOOKS_MAX)) {
    if (name.endsWith(".sample")) continue;
    const read = await readBounded(join(folder, name), HOOK_BYTES_MAX);
    if (read.kind === "read") texts.push(read.data.toString("latin1"));
  }
  return texts;
}

function splitWords(command: string): readonly string[] {
  return command.split(/[\s"'`;|&<>(){}=$!]+/).filter((word) => word !== "" && !word.startsWith("-"));
}

function listPrograms(command: string): readonly string[] {
  return splitWords(command).filter((word) => PROGRAM.test(word));
}

/** What follows a variable or `$(...)` may be meant from the root. */
function resolveWord(repository: Repository, word: string): readonly string[] {
  const { root } = repository;
  return isAbsolute(word) ? [join(word), join(root, word)] : [join(root, expandHome(repository, word))];
}

function expandHome({ environment }: Repository, path: string): string {
  return path.startsWith("~/") ? join(environment["HOME"] ?? "/", path.slice(2)) : path;
}

function findStats(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (["ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"].includes(readErrorCode(error) ?? "")) return null;
    throw error;
  }
}

/** Git's own folder is never writable for a builder. */
function toTreePath(root: string, path: string): readonly string[] {
  if (!path.startsWith(`${root}/`)) return [];
  const below = path.slice(root.length + 1).replace(/\/+$/, "");
  return below === "" || below === ".git" || below.startsWith(".git/") ? [] : [below];
}
