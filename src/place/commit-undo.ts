/**
 * Reverts what the runner itself writes into the user's repository when it settles a tick of another place: files of
 * its own, and the commit. A crash may come between the branch and the journal.
 *
 * The files are noted first, with the few files of git that a commit writes: HEAD, its branch, their logs and the index.
 * Those are restored only if HEAD is at a commit of this tick. What a person did since is left alone. Objects stay:
 * nothing names them any more.
 */
import type { Entry, Manifest } from "../base/manifest.ts";
import { planRestoration } from "../evidence/pure/restoration-plan.ts";
import { type ContentStore, keepFiles } from "../store/content-store.ts";
import { restore } from "../store/restore.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import { readNow } from "../system/read-files.ts";
import { removeEmptyFolder, removeFile } from "../system/remove-own.ts";
import { commitText } from "../git/read-commit.ts";
import { readHead } from "../git/head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readClockMs } from "../system/clock.ts";
import { loadObservation, saveObservation } from "../store/observation-file.ts";
import { findEntryAt } from "../system/walk.ts";
import { findOwnGitPrefix } from "../evidence/pure/own-git-prefix.ts";

/** More commits cannot land at once. */
export const LANDED_COMMITS_MAX = 1000;

export interface CommitUndo {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly runId: string;
  /** The branch that the series of the tick has, or would get. */
  readonly ownBranch: string;
  /** The workspace, from the root of the worktree: the runner's own files lie in it. */
  readonly ownFolder: string;
  /** The file of the note. */
  readonly record: string;
}

/** The same before these files are written: the note is on the disk. */
export async function noteOwnSettlement(undo: CommitUndo, paths: readonly string[]): Promise<void> {
  await noteSettlement(undo, paths);
  undo.store.redo.sync();
}

/** `paths` are the runner's own files in the worktree. The note is safe after the next sync of the redo log. */
export async function noteSettlement(undo: CommitUndo, paths: readonly string[]): Promise<void> {
  const { repository, store, record } = undo;
  const { text, commit } = await readHead(repository);
  const git = await readFiles(store, toBytePath(repository.commonDir), listGitFiles(undo, text));
  const own = paths.map(toBytePath);
  const worktree = await readFiles(store, toBytePath(repository.root), own);
  const signature = [commit ?? "", text, ...own].map((part) => Buffer.from(part).toString("hex")).join(",");
  await saveObservation(record, { observation: { takenAt: readClockMs(), worktree, git }, signature }, store.redo);
}

/** Does nothing where nothing was noted. */
export async function undoSettlement(undo: CommitUndo): Promise<void> {
  const { repository, store, record } = undo;
  const saved = loadObservation(record);
  if (saved === null) return;
  const { worktree, git, takenAt } = saved.observation;
  const [commit = "", text = "", ...noted] = saved.signature
    .split(",")
    .map((part) => Buffer.from(part, "hex").toString());
  const root = toBytePath(repository.root);
  // A forged note must not lead elsewhere.
  const own = noted.filter((path) => path.startsWith(toBytePath(`${undo.ownFolder}/`)) && !isClimbing(path));
  const target = new Map([...worktree].filter(([path]) => own.includes(path)));
  await restore({ folder: root, store, plan: planRestoration(target, await readFiles(store, root, own)) });
  await undoCommit(undo, { git, takenAt, commit, text });
}

function isClimbing(path: string): boolean {
  return path.split("/").some((name) => name === "" || name === "." || name === "..");
}

interface NotedGit {
  readonly git: Manifest;
  readonly takenAt: number;
  readonly commit: string;
  readonly text: string;
}

async function undoCommit(undo: CommitUndo, { git, takenAt, commit, text }: NotedGit): Promise<void> {
  const { repository, store } = undo;
  const folder = toBytePath(repository.commonDir);
  const paths = listGitFiles(undo, text);
  for (const path of paths) dropLock(folder, `${path}.lock`, takenAt);
  const own = nameOwnRef(undo);
  const now = await readHead(repository);
  const isAtOwn = now.commit === commit || (now.commit !== null && (await isOwnCommit(undo, now.commit, commit)));
  const isHere = now.text === text || now.text === `ref: ${own}`;
  // A person has gone on since.
  if (!isAtOwn || !isHere) return;
  const isMoved = now.text !== text || now.commit !== commit;
  const begun = findBegunLog(undo, git);
  const wanted = isMoved ? paths : paths.filter((path) => path.endsWith(toBytePath(own)) || path === begun);
  const present = await readFiles(store, folder, wanted);
  const target = new Map([...git].filter(([path]) => wanted.includes(path)));
  await restore({ folder, store, plan: planRestoration(target, present) });
  for (const path of wanted.filter((name) => !git.has(name))) removeEmptyParents(folder, path);
}

/**
 * git writes the log of HEAD before it moves HEAD. Where a crash came between the two, the log has one line of the runner's more, or a
 * part of it. A person's own line is whole and has other words. Null where the log is as noted.
 */
function findBegunLog(undo: CommitUndo, git: Manifest): string | null {
  const path = toBytePath(`${findOwnGitPrefix(undo.repository)}logs/HEAD`);
  const log = readNow(joinBytes(toBytePath(undo.repository.commonDir), path), { bytesMax: Infinity });
  const added = log?.subarray(git.get(path)?.size ?? 0).toString("latin1") ?? "";
  return added !== "" && /^[^\n]*$|^[^\t\n]*\trelais: [^\n]*\n$/.test(added) ? path : null;
}

/** The folders of a branch whose name has slashes; git makes and removes them as well. */
function removeEmptyParents(folder: string, path: string): void {
  const top = path.indexOf("refs/heads") + "refs/heads".length;
  for (let at = path.lastIndexOf("/"); at > top; at = path.lastIndexOf("/", at - 1))
    removeEmptyFolder(joinBytes(folder, path.slice(0, at)));
}

function nameOwnRef({ ownBranch }: CommitUndo): string {
  return `refs/heads/${ownBranch}`;
}

/** Whether every commit from the base to this one is of this tick; it may have landed several. */
async function isOwnCommit({ repository, runId }: CommitUndo, commit: string, base: string): Promise<boolean> {
  let at: string | undefined = commit;
  for (let count = 0; at !== undefined && count < LANDED_COMMITS_MAX; count++) {
    const lines: readonly string[] = (await commitText(repository, at)).split("\n");
    if (!lines.includes(`Relais-Run: ${runId}`) && !lines.includes(`Relais-Landed: ${runId}`)) return false;
    if (lines.includes(`parent ${base}`)) return true;
    at = lines.find((line) => line.startsWith("parent "))?.slice("parent ".length);
  }
  return false;
}

/** What a commit writes besides objects, in the common git directory. */
function listGitFiles(undo: CommitUndo, headText: string): readonly string[] {
  const own = findOwnGitPrefix(undo.repository);
  const ref = headText.startsWith("ref: ") ? [headText.slice("ref: ".length)] : [];
  const refs = [...new Set([...ref, nameOwnRef(undo)])];
  const heads = ["HEAD", "index", "logs/HEAD"].map((name) => `${own}${name}`);
  return [...heads, ...refs, ...refs.map((name) => `logs/${name}`)].map(toBytePath);
}

/** Those of the paths that are files, with their content in the store. */
async function readFiles(store: ContentStore, folder: string, paths: readonly string[]): Promise<Manifest> {
  const found = paths.flatMap((path): readonly (readonly [string, Entry])[] => {
    const entry = findEntryAt(folder, path);
    return entry?.type === "file" ? [[path, entry]] : [];
  });
  const files = found.map(([path, entry]) => ({ folder, path, entry, knownId: null }));
  const kept = await keepFiles(store, { files, sizeMax: null, force: false });
  return new Map(found.map(([path, entry], at) => [path, { ...entry, id: kept[at]?.id ?? null }]));
}

/** A lock that is younger than the merge is of the crashed commit: the person's git would have waited for the other. */
function dropLock(folder: string, path: string, sinceMs: number): void {
  const lock = findEntryAt(folder, path);
  if (lock === null) return;
  const changedMs = Number(lock.stamp.slice(lock.stamp.lastIndexOf(":") + 1)) / 1e6;
  if (changedMs >= sinceMs) removeFile(joinBytes(folder, path));
}
