import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { readErrorCode } from "./error-code.ts";

/** What was added to a file since the last look; a file that is not there yet, or not any more, has nothing new. */
interface FileFollower {
  /** A character that is only half there comes with the next look. */
  readonly news: () => string;
}

const BLOCK_BYTES = 256 * 1024;

/** Follows a file from its beginning. What others cut off at its end is forgotten with it. */
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

/** Follows a file line by line: one that is only half there comes whole with a later look. */
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
