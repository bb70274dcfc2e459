/**
 * Shows TASK.json in the workspace while the builder works, for programs that read it.
 *
 * T0 was observed before, so it is removed before anything is judged. A file that is not the one
 * that was written here stays: the judge must see that it changed.
 */
import { join } from "node:path";
import { Task } from "../../contract/documents/task.ts";
import { readLeftFile, removeLeftFile } from "../../io/files/left-file.ts";
import type { RunningSession } from "../session/tick-session.ts";
import { openPublication } from "../workspace/publication.ts";

const NAME = "TASK.json";

/** Answers with the function that removes the file again. If it cannot be written, it is left out. */
export async function showTask(session: RunningSession, task: Task): Promise<() => Promise<void>> {
  const { root } = session.repository;
  const folder = session.config.workspace_dir;
  const publication = await openPublication({ root, directory: join(root, folder) });
  const text = await publication.document(NAME, Task, task);
  if (text === null) return async () => {};
  const path = `${folder}/${NAME}`;
  return async () => {
    const now = await readLeftFile({ root, path }, Buffer.byteLength(text));
    if (now.kind !== "read" || now.data.toString("utf8") !== text) return;
    await removeLeftFile({ root, path });
    await session.place.putBackFile(path);
  };
}
