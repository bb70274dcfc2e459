/**
 * The task of a tick in the workspace while its builder works, where programs look for it.
 *
 * Everything was remembered before, so it is taken away again before anything is judged. A file that is not the one
 * that was written here stays as it is: somebody changed it, and the judge has to see that.
 */
import { join } from "node:path";
import { Task } from "../../contract/documents/task.ts";
import { readLeftFile, removeLeftFile } from "../../io/files/left-file.ts";
import type { RunningSession } from "../session/tick-session.ts";
import { openPublication } from "../workspace/publication.ts";

const NAME = "TASK.json";

/** Writes the task; answers with the function that takes it away again. A file that cannot be written is left out. */
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
