/**
 * The folder of a job: its repository, the state directory of the relais that works there, and the files that its command
 * reads. It is the same for all attempts, because that relais knows its repository by its path.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readErrorCode } from "../system/read-files.ts";
import { listFolders } from "../system/list-folders.ts";
import { makeFolders } from "../system/folders.ts";
import { removeTree } from "../system/remove-files.ts";

const NOTE = "note.json";

export interface JobFolder {
  readonly folder: string;
  readonly repo: string;
  readonly state: string;
  readonly files: string;
}

export function locateJobFolder(folder: string): JobFolder {
  return { folder, repo: join(folder, "repo"), state: join(folder, "state"), files: join(folder, "files") };
}

export function hasRepository({ repo }: JobFolder): boolean {
  return existsSync(repo);
}

/** Removes the locks of a git that was killed here; the caller has proven that none runs. Git would refuse to write. */
export function removeLeftLocks({ folder, repo }: JobFolder): void {
  const git = join(repo, ".git");
  const refs = listAllNames(join(git, "refs")).map((name) => join("refs", name));
  for (const [place, names] of [
    [folder, listAllNames(folder, false)],
    [git, [...listAllNames(git, false), ...refs]],
  ] as const)
    for (const name of names) if (name.endsWith(".lock")) rmSync(join(place, name), { force: true });
}

function listAllNames(folder: string, isDeep = true): readonly string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: isDeep, encoding: "utf8" }) : [];
}

interface NewJobFolder {
  /** Unique for each attempt: a process that was stopped long ago may go on at any time. */
  readonly token: string;
  /** Makes the repository in this folder. */
  readonly make: (folder: string) => Promise<void>;
  /** A note beside the repository, about the moment when it was made. */
  readonly note: string;
  /** Texts in the root of the repository that git is to ignore, by name; a file that is committed there stays. */
  readonly ignored: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/** The repository is complete when it gets its name; one that is there already stays. */
export async function makeJobFolder(place: JobFolder, asked: NewJobFolder): Promise<void> {
  const { token, make, ignored, files, note } = asked;
  for (const folder of [place.folder, place.state, place.files]) makeFolders(folder, 0o700);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.files, name), text, { mode: 0o600 });
  writeFileSync(join(place.folder, NOTE), note, { mode: 0o600 });
  const begun = join(place.folder, `repo-${token}`);
  removeTree(Buffer.from(begun));
  await make(begun);
  for (const [name, text] of Object.entries(ignored)) {
    if (existsSync(join(begun, name))) continue;
    writeFileSync(join(begun, name), text);
    appendFileSync(join(begun, ".git", "info", "exclude"), `/${name}\n`);
  }
  try {
    renameSync(begun, place.repo);
  } catch (error) {
    if (!["EEXIST", "ENOTEMPTY"].includes(readErrorCode(error) ?? "")) throw error;
    removeTree(Buffer.from(begun));
  }
}

export function readNoteText({ folder }: JobFolder): string {
  return readFileSync(join(folder, NOTE), "utf8");
}

const ENDED = ".ended-";

/**
 * Gives the folder of an ended job another name, in one step: the job may be tried again, and then begins anew. Null where
 * it is gone.
 */
export function setJobFolderAside({ folder }: JobFolder, token: string): JobFolder | null {
  const aside = `${folder}${ENDED}${process.pid}-${token}`;
  try {
    renameSync(folder, aside);
    return locateJobFolder(aside);
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

export function removeJobFolder({ folder }: JobFolder): void {
  removeTree(Buffer.from(folder));
}

/** Removes what killed workers left of jobs that are not open any more. */
export async function sweepJobFolders(work: string, isOpen: (name: string) => boolean): Promise<void> {
  for (const name of await listFolders(work)) {
    const [open = "", ended] = name.split(ENDED);
    const isUsed = ended === undefined ? isOpen(open) : isAlive(Number(ended.split("-")[0]));
    if (isUsed) continue;
    const place = locateJobFolder(join(work, name));
    const aside = ended === undefined ? setJobFolderAside(place, "swept") : place;
    if (aside !== null) removeJobFolder(aside);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return readErrorCode(error) !== "ESRCH";
  }
}
