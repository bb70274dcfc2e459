import { appendFileSync, closeSync, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "./error-code.ts";

/** What was added to a file since the last look; a file that is not there yet, or not any more, has nothing new. */
export interface FileFollower {
  readonly news: () => Buffer;
}

const BLOCK_BYTES = 256 * 1024;

/** Follows a file from its beginning. What others cut off at its end is forgotten with it. */
export function followFile(path: string): FileFollower {
  let offset = 0;
  return {
    news: () => {
      const file = opened(path);
      if (file === null) return Buffer.alloc(0);
      try {
        const { size } = fstatSync(file);
        offset = Math.min(offset, size);
        const buffer = Buffer.alloc(Math.min(BLOCK_BYTES, size - offset));
        const length = readSync(file, buffer, 0, buffer.length, offset);
        offset += length;
        return buffer.subarray(0, length);
      } finally {
        closeSync(file);
      }
    },
  };
}

function opened(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Adds to the end of a file at once, for whoever cannot wait; only its owner may read it. */
export function appendNow(path: string, text: string): void {
  appendFileSync(path, text, { mode: 0o600 });
}
