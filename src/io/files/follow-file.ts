import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { readErrorCode } from "./error-code.ts";

const BLOCK_BYTES = 256 * 1024;

/**
 * Follows a file from its beginning; each call answers with the new lines. An unfinished line, or half a character, comes
 * whole with a later call. Text that others cut off at the end is forgotten.
 */
export function followLines(path: string): () => readonly string[] {
  const decoder = new StringDecoder("utf8");
  let offset = 0;
  let rest = "";
  return () => {
    const file = openIfThere(path);
    if (file === null) return [];
    try {
      const { size } = fstatSync(file);
      offset = Math.min(offset, size);
      const buffer = Buffer.alloc(Math.min(BLOCK_BYTES, size - offset));
      const length = readSync(file, buffer, 0, buffer.length, offset);
      offset += length;
      const lines = `${rest}${decoder.write(buffer.subarray(0, length))}`.split("\n");
      rest = lines.pop() ?? "";
      return lines;
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
