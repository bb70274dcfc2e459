import { closeSync, fstatSync, openSync, readSync } from "node:fs";

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
