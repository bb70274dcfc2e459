/** The branches of a simulated repository. */
import { SystemError } from "../file-error.ts";
import type { Git } from "./commands.ts";
import { GitFailure } from "./objects.ts";

export const NO_ID = "0".repeat(40);

export function readRef({ files, gitDir }: Git, name: string): string | null {
  const path = `${gitDir}/${name}`;
  if (!files.existsSync(path)) return null;
  const text = String(files.readFileSync(path, "utf8")).trim();
  const ref = /^ref: (.+)$/.exec(text)?.[1];
  return ref === undefined ? text : readRefFile(files, `${gitDir}/${ref}`);
}

function readRefFile(files: Git["files"], path: string): string | null {
  return files.existsSync(path) ? String(files.readFileSync(path, "utf8")).trim() : null;
}

/** By a lock file and a rename, as git does it, with the line of the reflog before. */
export function updateRef(opened: Git, args: readonly string[]): number {
  const [option, message, ref = "", to = "", from = ""] = args;
  if (option !== "-m" || !ref.startsWith("refs/heads/"))
    throw new Error(`git update-ref ${args.join(" ")} is not simulated`);
  const { files, gitDir } = opened;
  const lock = `${gitDir}/${ref}.lock`;
  if (files.existsSync(lock))
    throw new GitFailure(`fatal: update_ref failed for ref '${ref}': Unable to create '${lock}': File exists.`);
  const descriptor = files.openSync(lock, "wx");
  try {
    moveRef(opened, { descriptor, lock, ref, to, from, message });
  } catch (error) {
    // Git takes its lock away, unless it is killed.
    if (error instanceof GitFailure || error instanceof SystemError) removeLock(files, lock);
    throw error;
  }
  return 0;
}

interface MovedRef {
  readonly descriptor: number;
  readonly lock: string;
  readonly ref: string;
  readonly to: string;
  /** Empty for any. */
  readonly from: string;
  readonly message: string | undefined;
}

function moveRef(
  { files, gitDir, process, machine }: Git,
  { descriptor, lock, ref, to, from, message }: MovedRef,
): void {
  const before = readRefFile(files, `${gitDir}/${ref}`) ?? NO_ID;
  if (from !== "" && before !== from) {
    files.closeSync(descriptor);
    throw new GitFailure(`fatal: update_ref failed for ref '${ref}': is at ${before} but expected ${from}`);
  }
  files.writeFileSync(descriptor, `${to}\n`);
  files.fsyncSync(descriptor);
  files.closeSync(descriptor);
  const who = `${process.env["GIT_COMMITTER_NAME"] ?? "me"} <${process.env["GIT_COMMITTER_EMAIL"] ?? "me@example.com"}>`;
  const line = `${before} ${to} ${who} ${Math.floor(machine.nowUs / 1_000_000)} +0000\t${message ?? ""}\n`;
  const isHead = String(files.readFileSync(`${gitDir}/HEAD`, "utf8")).trim() === `ref: ${ref}`;
  for (const log of [`logs/${ref}`, ...(isHead ? ["logs/HEAD"] : [])])
    if (files.existsSync(`${gitDir}/${log}`)) files.appendFileSync(`${gitDir}/${log}`, line);
  files.renameSync(lock, `${gitDir}/${ref}`);
}

function removeLock(files: Git["files"], lock: string): void {
  try {
    files.unlinkSync(lock);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}
