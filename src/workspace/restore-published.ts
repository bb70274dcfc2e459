/**
 * Publishes again what a power cut may have taken back.
 *
 * Files in the workspace are copies, so they are not synced. The journal has their hashes, and their originals are in
 * the folder of the tick. What a system wrote longer ago than some minutes is on the disk.
 */
import { dirname, join } from "node:path";
import type { HistoryFile, JournalLine } from "../records/event.ts";
import { hashFile } from "../system/hash-file.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { openPublication } from "./publication.ts";
import { publishLines } from "./publish.ts";
import type { LockedWorkspace } from "./workspace.ts";

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
    await restoreCopy(workspace, { source: join(source, file.name), target: join(history, file.name), file });
  if (event.report_sha256 === null) return;
  const file = { name: "REPORT.json", sha256: event.report_sha256 };
  const isLast = workspace.journal.lines().findLast((line) => line.event.type === "reported")?.run_id === run_id;
  if (isLast)
    await restoreCopy(workspace, { source: join(source, "report.json"), target: join(folder, file.name), file });
}

interface LostCopy {
  readonly source: string;
  readonly target: string;
  readonly file: HistoryFile;
}

async function restoreCopy({ repository }: LockedWorkspace, { source, target, file }: LostCopy): Promise<void> {
  if (await isWhole(target, file)) return;
  if (!(await isWhole(source, file))) return;
  const publication = await openPublication(repository.root, dirname(target));
  await publication.copy(target.slice(target.lastIndexOf("/") + 1), source);
}

async function isWhole(path: string, { sha256 }: HistoryFile): Promise<boolean> {
  const hash = await hashFile(path);
  return hash.kind === "hash" && hash.sha256 === sha256;
}
