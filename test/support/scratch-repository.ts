import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readErrorCode } from "../../src/system/read-files.ts";
import { gitEnvironment } from "./repositories.ts";

/** A small repository that a test builds step by step with real git. */
export interface ScratchRepository {
  /** The folder that holds the repository and whatever a test puts beside it. */
  readonly box: string;
  readonly root: string;
  readonly git: (...args: string[]) => string;
  readonly put: (files: Readonly<Record<string, string | Buffer>>) => void;
  /** Puts files, stages everything and commits; answers with the commit. */
  readonly commit: (files: Readonly<Record<string, string | Buffer>>) => string;
}

const folders: string[] = [];
/** Removes the folders of a test file. Files may share this module, so `remove-folders.ts` asks for it after each file. */
export function removeScratchFolders(): void {
  for (const folder of folders.splice(0)) removeFolder(folder);
}

/** An ordinary user cannot remove what is in a folder that a test closed, so its rights are given back. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (readErrorCode(error) !== "EACCES") throw error;
    openFolders(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function openFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
}

/** The name of a socket has about a hundred characters at most, whatever TMPDIR says. */
export const FOR_SOCKETS = "/tmp";

/** A folder that is gone when the tests of the file are over. */
export function scratchFolder(place: string = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(place, "relais-test-")));
  folders.push(folder);
  return folder;
}

export function scratchRepository(
  files: Readonly<Record<string, string | Buffer>> = {},
  objectFormat: "sha1" | "sha256" = "sha1",
): ScratchRepository {
  const box = scratchFolder();
  const repository = openScratch(box, join(box, "repo"));
  mkdirSync(repository.root);
  repository.git("init", "--quiet", `--object-format=${objectFormat}`);
  if (Object.keys(files).length > 0) repository.commit(files);
  return repository;
}

/** The same convenience for a clone or a worktree that git made. */
export function openScratch(box: string, root: string): ScratchRepository {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, env: gitEnvironment(box), stdio: ["ignore", "pipe", "pipe"] })
      .toString()
      .trim();
  const put: ScratchRepository["put"] = (files) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
  };
  const commit: ScratchRepository["commit"] = (files) => {
    put(files);
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message", "a commit");
    return git("rev-parse", "HEAD");
  };
  return { box, root, git, put, commit };
}
