import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type BoundedRead, withOrdinaryFile } from "./bounded-file.ts";

const CHUNK_BYTES = 1024 * 1024;

export type FileHash = { readonly kind: "hash"; readonly sha256: string } | Exclude<BoundedRead, { kind: "read" }>;

/** The SHA-256 of an ordinary file of any size, read in pieces; signals are heard between them. */
export async function hashFile(path: string): Promise<FileHash> {
  return withOrdinaryFile(path, async (descriptor, size): Promise<FileHash> => {
    const digest = createHash("sha256");
    const buffer = Buffer.allocUnsafe(Math.min(size + 1, CHUNK_BYTES));
    for (;;) {
      const bytesRead = readSync(descriptor, buffer, 0, buffer.length, null);
      if (bytesRead === 0) return { kind: "hash", sha256: digest.digest("hex") };
      digest.update(buffer.subarray(0, bytesRead));
      if (bytesRead === CHUNK_BYTES) await nextTurn();
    }
  });
}

/** Git's id of this content. */
export function computeBlobId(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}
