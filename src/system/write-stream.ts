import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** Replaces a file of our own by these bytes, readable by its owner alone. */
export async function writeStream(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(bytes, createWriteStream(path, { mode: 0o600 }));
}
