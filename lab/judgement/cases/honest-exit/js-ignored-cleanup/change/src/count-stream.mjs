import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countLines } from "./count.mjs";

/** Counts the lines of a text by way of a file. */
export function countInput(text) {
  const path = join(tmpdir(), `count-${process.pid}-${Date.now()}`);
  writeFileSync(path, text);
  try {
    return countLines(readFileSync(path, "utf8"));
  } finally {
    try {
      unlinkSync(path);
    } catch {
      // The system removes it later; the result counts more.
    }
  }
}
