import { join } from "node:path";
import { isFolder, isThere, readNow } from "../system/read-files.ts";
import { UNSAFE } from "../system/redo-log.ts";

const FOLDER = "prompts";
/** A longer prompt is not kept. */
const BYTES_MAX = 4 * 1024 * 1024;
const NAME = /^[a-z][a-z0-9_.-]{0,99}$/;

/** The prompt that was kept under this name, or null; this one is kept in its place. Nothing depends on it. */
export function exchangeLastPrompt(stateDirectory: string, name: string, text: string): string | null {
  const folder = join(stateDirectory, FOLDER);
  const path = join(folder, name);
  try {
    // A link would let others choose where we write.
    if (!NAME.test(name) || (isThere(folder) && !isFolder(folder))) return null;
    const previous = readPrompt(path);
    if (previous !== text && Buffer.byteLength(text) <= BYTES_MAX) UNSAFE.write(path, text);
    return previous;
  } catch {
    return null;
  }
}

/** Another entry in its place is replaced, if that is possible. */
function readPrompt(path: string): string | null {
  try {
    return readNow(path, { bytesMax: BYTES_MAX })?.toString("utf8") ?? null;
  } catch {
    return null;
  }
}
