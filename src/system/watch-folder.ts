import { type FSWatcher, watch } from "node:fs";

/** What the kernel cannot report here is found by looking again. */
const POLL_MS = 250;

/** Calls whenever a file of the folder may have changed, and some times a second anyway, until the returned function is called. */
export function watchFolder(folder: string, onChange: () => void): () => void {
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, { persistent: false }, onChange);
    watcher.on("error", () => watcher?.close());
  } catch {
    // No watch is left on this machine, or the folder is not there yet.
  }
  const timer = setInterval(onChange, POLL_MS);
  return () => {
    watcher?.close();
    clearInterval(timer);
  };
}
