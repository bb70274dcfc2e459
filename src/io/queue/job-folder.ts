/**
 * The folder of a job: its repository, the state directory of the relais that works there, and the files that its command
 * reads. It is the same for all attempts, because that relais knows its repository by its path.
 */
import { appendFileSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readErrorCode } from "../files/error-code.ts";
import { makeFolders } from "../files/make-folders.ts";
import { removeTree } from "../files/remove-tree.ts";

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

interface NewJobFolder {
  /** Unique for each attempt: a process that was stopped long ago may go on at any time. */
  readonly token: string;
  /** Makes the repository in this folder. */
  readonly make: (folder: string) => Promise<void>;
  /** Texts in the root of the repository that git is to ignore, by name. */
  readonly ignored: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/** The repository is complete when it gets its name; one that is there already stays. */
export async function makeJobFolder(place: JobFolder, { token, make, ignored, files }: NewJobFolder): Promise<void> {
  for (const folder of [place.folder, place.state, place.files]) makeFolders(folder, 0o700);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.files, name), text, { mode: 0o600 });
  const begun = join(place.folder, `repo-${token}`);
  removeTree(Buffer.from(begun));
  await make(begun);
  for (const [name, text] of Object.entries(ignored)) {
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

/** Moved away in one step, so that nobody finds a part of it. */
export function removeJobFolder({ folder }: JobFolder, token: string): void {
  const gone = `${folder}.gone-${token}`;
  try {
    renameSync(folder, gone);
  } catch (error) {
    if (readErrorCode(error) !== "ENOENT") throw error;
  }
  removeTree(Buffer.from(gone));
}
