/** Makes the clone of an attempt: a copy of the worktree, and git data of its own. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Head } from "../records/evidence.ts";
import { type Manifest, noteSettledTime, type Observation } from "../base/manifest.ts";
import { RollbackError } from "../base/rollback-error.ts";
import type { ContentStore } from "../store/content-store.ts";
import { writeAtomic, writeUnsynced } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { toBytePath } from "../system/byte-path.ts";
import { makeFolders } from "../system/make-folders.ts";
import { makeCloneGitData } from "../git/clone-git-data.ts";
import { readHead } from "../git/read-head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readClockMs } from "../system/clock.ts";
import { saveObservation } from "../store/observation-file.ts";
import { findEntryAt } from "../system/walk.ts";
import { copyTree } from "../sandbox/copy-tree.ts";
import { listRepositoryMounts } from "../evidence/mount-watch.ts";
import { loadRemembered, signObservation } from "../evidence/observation-signature.ts";
import { observe, observeWorktree } from "../evidence/observe.ts";
import { type SteeringStamps, stampSteering } from "./original-edits.ts";

/** Both observations by their hashes: of the worktree, for the next tick, and of the clone, for a recovery. */
const START_BYTES_MAX = 256;
interface StartHashes {
  readonly worktree: string;
  readonly clone: string;
}

/** The user's repository when the clone was made. */
export interface CloneStart {
  readonly takenAt: number;
  readonly worktree: Manifest;
  readonly head: Head;
  readonly steering: SteeringStamps;
  /** Saves both hashes and answers with the one that names them, for the journal. */
  readonly save: (cloneSha256: string) => Promise<string>;
}

export interface CloneRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly store: ContentStore;
  /** The repository to be made, and the folder around it. */
  readonly own: Repository;
  readonly folder: string;
  /** The hash of the last start in the journal. */
  readonly remembered: string | null;
}

export async function makeClone(
  request: CloneRequest,
): Promise<{ readonly start: CloneStart; readonly observation: Observation }> {
  const { repository, stateDirectory, store, own, folder } = request;
  const head = await readHead(repository);
  const steering = stampSteering(repository);
  const seen = await observeOriginal(request);
  makeFolders(own.root, 0o700);
  const [from, to] = [toBytePath(repository.root), toBytePath(own.root)];
  const copies = await copyTree({ from, to, manifest: withoutGitFile(seen.observation.worktree) });
  await makeCloneGitData(repository, own.gitDir);
  const earlier = { takenAt: noteSettledTime(readClockMs()), worktree: copies, git: new Map() };
  const observation = await observe({ repository: own, store, earlier, afterBuild: false });
  await awaitClock(folder);
  const save = async (cloneSha256: string): Promise<string> => {
    const text = `${seen.sha256} ${cloneSha256}\n`;
    await writeAtomic(locateStart(stateDirectory), text, { mode: 0o600 });
    return hashText(text);
  };
  const { takenAt, worktree } = seen.observation;
  return {
    start: { takenAt, worktree, head, steering, save },
    observation: { ...observation, takenAt: noteSettledTime(readClockMs()) },
  };
}

/** The observation of the worktree is remembered, so that the next clone reads only changed files. */
async function observeOriginal({ repository, store, stateDirectory, remembered }: CloneRequest) {
  const file = join(stateDirectory, "observation");
  const part = { repository, store, mounts: await listRepositoryMounts(repository), file };
  const known = remembered === null ? null : await findStart(stateDirectory, remembered);
  const earlier = loadRemembered({ ...part, rememberedSha256: known?.worktree ?? null });
  const observation = await observeWorktree({ repository, store, earlier, afterBuild: false });
  const sha256 = await saveObservation(file, { observation, signature: signObservation(part) }, store.redo);
  return { observation, sha256 };
}

/** In a linked worktree, `.git` is a file that leads to the user's git data. */
function withoutGitFile(worktree: Manifest): Manifest {
  return new Map([...worktree].filter(([path]) => path !== ".git"));
}

/** Waits until the file system's clock has moved: no later write carries the time of a copy. */
async function awaitClock(folder: string): Promise<void> {
  const probe = async (): Promise<string | undefined> => {
    await writeUnsynced(join(folder, "clock"), "");
    return findEntryAt(toBytePath(folder), "clock")?.stamp.split(":")[2];
  };
  const first = await probe();
  for (let now = await probe(); now === first; now = await probe()) await delay(1);
}

function locateStart(stateDirectory: string): string {
  return join(stateDirectory, "clone-start");
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Null where it is lost, or not the one that the journal names. */
async function findStart(stateDirectory: string, sha256: string): Promise<StartHashes | null> {
  const read = await readBounded(locateStart(stateDirectory), START_BYTES_MAX);
  const text = read.kind === "read" ? read.data.toString("latin1") : "";
  const [worktree = "", clone = ""] = text.trimEnd().split(" ");
  return hashText(text) === sha256 ? { worktree, clone } : null;
}

export async function readStart(stateDirectory: string, sha256: string): Promise<StartHashes> {
  const start = await findStart(stateDirectory, sha256);
  if (start === null) throw new RollbackError("the start of the clone is lost", [locateStart(stateDirectory)]);
  return start;
}
