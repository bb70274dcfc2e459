import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { readErrorCode } from "./error-code.ts";

interface FileFollower {
  /** A character that is only half there comes with the next look. */
  readonly news: () => string;
}

const BLOCK_BYTES = 256 * 1024;

/** Follows a file from its beginning. Text that others cut off at its end is forgotten. */
function followFile(path: string): FileFollower {
  let offset = 0;
  const text = new StringDecoder("utf8");
  return {
    news: () => {
      const file = openIfThere(path);
      if (file === null) return "";
      try {
        const { size } = fstatSync(file);
        offset = Math.min(offset, size);
        const buffer = Buffer.alloc(Math.min(BLOCK_BYTES, size - offset));
        const length = readSync(file, buffer, 0, buffer.length, offset);
        offset += length;
        return text.write(buffer.subarray(0, length));
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Follows a file line by line; an unfinished line comes whole with a later call. */
export function followLines(path: string): () => readonly string[] {
  const file = followFile(path);
  let rest = "";
  return () => {
    const lines = `${rest}${file.news()}`.split("\n");
    rest = lines.pop() ?? "";
    return lines;
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
