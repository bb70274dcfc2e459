import { join, dirname } from "node:path";
import { isWorkspaceName, SELF_IGNORE } from "../config/workspace-layout.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { toBytePath } from "../system/byte-path.ts";
import { makeFolders } from "../system/folders.ts";
import { accessRepository } from "../git/git.ts";
import { isTracked } from "../store/read-index.ts";
import { createFile, listFolder } from "../journal/workspace-files.ts";
import type { Workspace, LockedWorkspace } from "./workspace.ts";
import type { HistoryFile, JournalLine } from "../records/event.ts";
import { hashFile } from "../system/hash-file.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { openPublication, publishLines } from "./publish.ts";

const IGNORE = ".gitignore";

/**
 * Makes the workspace folder with an ignore file that covers everything in it, itself included. A folder that is set up
 * in git stays as it is, and so does one with files of somebody else: git must go on showing them.
 */
export async function makeWorkspace({
  folder,
  repository,
  config,
}: Pick<Workspace, "folder" | "repository" | "config">) {
  makeFolders(folder);
  const { files, folders } = await listFolder(folder);
  const ignore = join(folder, IGNORE);
  const isCut = files.has(IGNORE) && (await isCutShort(ignore));
  const names = [...files, ...folders].filter((name) => !(isCut && name === IGNORE));
  if (!names.every(isWorkspaceName)) return;
  if (await isTracked(accessRepository(repository), toBytePath(config.workspace_dir))) return;
  if (isCut) await writeAtomic(ignore, SELF_IGNORE);
  else await createFile(ignore, SELF_IGNORE);
}

/** A kill or a full disk can cut the file short while it is made. Such a rest hides nothing. */
async function isCutShort(path: string): Promise<boolean> {
  const read = await readBounded(path, SELF_IGNORE.length);
  const text = read.kind === "read" ? read.data.toString("utf8") : null;
  return text !== null && text !== SELF_IGNORE && SELF_IGNORE.startsWith(text);
}

/**
 * Publishes again what a power cut may have taken back.
 *
 * Files in the workspace are copies, so they are not synced. The journal has their hashes, and their originals are in
 * the folder of the tick. What a system wrote longer ago than some minutes is on the disk.
 */

const UNWRITTEN_MS = 10 * 60 * 1000;

export async function restorePublished(workspace: LockedWorkspace): Promise<void> {
  const lines = workspace.journal.lines();
  const last = Date.parse(lines.at(-1)?.at ?? "");
  const pruned = new Set(lines.flatMap(({ event, run_id }) => (event.type === "pruned" ? [run_id] : [])));
  const recent = lines.filter(({ at, run_id }) => Date.parse(at) >= last - UNWRITTEN_MS && !pruned.has(run_id));
  for (const line of recent) await restoreTick(workspace, line);
  await publishLines(workspace);
}

async function restoreTick(workspace: LockedWorkspace, { run_id, event }: JournalLine): Promise<void> {
  if (event.type !== "reported") return;
  const { config, folder, stateDirectory } = workspace;
  const source = locateRunDirectory(stateDirectory, run_id);
  const history = join(workspace.repository.root, config.history.dir, run_id);
  for (const file of event.history_files ?? [])
    await restoreCopy(workspace, join(source, file.name), join(history, file.name), file);
  if (event.report_sha256 === null) return;
  const file = { name: "REPORT.json", sha256: event.report_sha256 };
  const isLast = workspace.journal.lines().findLast((line) => line.event.type === "reported")?.run_id === run_id;
  if (isLast) await restoreCopy(workspace, join(source, "report.json"), join(folder, file.name), file);
}

async function restoreCopy(
  { repository }: LockedWorkspace,
  source: string,
  target: string,
  file: HistoryFile,
): Promise<void> {
  if (await isWhole(target, file)) return;
  if (!(await isWhole(source, file))) return;
  const publication = await openPublication(repository.root, dirname(target));
  await publication.copy(target.slice(target.lastIndexOf("/") + 1), source);
}

async function isWhole(path: string, { sha256 }: HistoryFile): Promise<boolean> {
  const hash = await hashFile(path);
  return hash.kind === "hash" && hash.sha256 === sha256;
}
