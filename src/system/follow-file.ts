import { closeSync, fstatSync, openSync, readSync, type FSWatcher, watch } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { readErrorCode } from "./read-files.ts";
import { createConnection } from "node:net";
import { describeError } from "../base/errors.ts";

const BLOCK_BYTES = 256 * 1024;

/**
 * Follows a file from its beginning; each call answers with the new lines. An unfinished line, or half a character, comes
 * whole with a later call, or with one that asks for all that is left. Text that others cut off at the end is forgotten.
 */
export function followLines(path: string): (isLast?: boolean) => readonly string[] {
  const decoder = new StringDecoder("utf8");
  let offset = 0;
  let rest = "";
  const read = (file: number): { readonly lines: readonly string[]; readonly length: number } => {
    const { size } = fstatSync(file);
    offset = Math.min(offset, size);
    const buffer = Buffer.alloc(Math.min(BLOCK_BYTES, size - offset));
    const length = readSync(file, buffer, 0, buffer.length, offset);
    offset += length;
    const lines = `${rest}${decoder.write(buffer.subarray(0, length))}`.split("\n");
    rest = lines.pop() ?? "";
    return { lines, length };
  };
  const readAll = (file: number): readonly string[] => {
    const all: string[] = [];
    for (let last = read(file); ; last = read(file)) {
      for (const line of last.lines) all.push(line);
      if (last.length === 0) break;
    }
    if (rest !== "") all.push(rest);
    rest = "";
    return all;
  };
  return (isLast = false) => {
    const file = openIfThere(path);
    if (file === null) return [];
    try {
      return isLast ? readAll(file) : read(file).lines;
    } finally {
      closeSync(file);
    }
  };
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

const PORT = 4222;

/** Null where the machine at this URL speaks first, as a server of NATS does; what is wrong otherwise. */
export function listenTo(url: string, timeoutMs: number): Promise<string | null> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = createConnection(port === "" ? PORT : Number(port), hostname.replaceAll(/[[\]]/g, ""));
    const end = (trouble: string | null): void => {
      socket.destroy();
      resolve(trouble);
    };
    socket.setTimeout(timeoutMs, () => end(`it said nothing for ${timeoutMs / 1000} s`));
    socket.on("error", (error) => end(describeError(error)));
    socket.on("data", () => end(null));
    socket.on("close", () => end("it ended the connection"));
  });
}

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

/** The last bytes of a file that has more than twice as many; nothing of a shorter one, or of one that cannot be read. */
export function readFileEnd(path: string, bytes: number): Buffer {
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(size > 2 * bytes ? bytes : 0);
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, size - buffer.length));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (file !== null) closeSync(file);
  }
}
