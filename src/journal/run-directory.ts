import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readErrorCode } from "../system/read-files.ts";
import { makeFolders } from "../system/folders.ts";
import { openRedoLog } from "../system/redo-log.ts";

/** The copy of a tick's journal lines. */
export const TICK_LINES = "lines.jsonl";

/** A name for a tick: its start in UTC, and random digits. */
export function createRunId(nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${stamp}-${randomBytes(4).toString("hex")}`;
}

export function locateRunDirectory(stateDirectory: string, runId: string): string {
  return join(stateDirectory, "runs", runId);
}

export function locateTickLines(stateDirectory: string, runId: string): string {
  return join(locateRunDirectory(stateDirectory, runId), TICK_LINES);
}

/** Makes the private folder of a tick with its first files. */
export function createRunDirectory(
  stateDirectory: string,
  runId: string,
  files: Readonly<Record<string, string>>,
): string {
  const folder = locateRunDirectory(stateDirectory, runId);
  makeFolders(folder, 0o700);
  const redo = openRedoLog(stateDirectory);
  for (const [name, text] of Object.entries(files)) redo.write(join(folder, name), text);
  return folder;
}

/** Removes the folder of a tick that never began. */
export function removeRunDirectory(folder: string): void {
  openRedoLog(dirname(dirname(folder))).remove(folder);
}

/**
 * Removes everything in the folder of a tick but the copy of its journal lines. That copy stays: it is short, and a
 * journal that was cut or emptied is repaired from it.
 */
export async function thinRunDirectory(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (readErrorCode(error) === "ENOENT") return [];
    throw error;
  });
  const redo = openRedoLog(dirname(dirname(folder)));
  for (const name of names) if (name !== TICK_LINES) redo.remove(join(folder, name));
}
