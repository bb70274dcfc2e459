import { createHash } from "node:crypto";
import { type BoundedRead, withOrdinaryFile } from "./bounded-file.ts";

const CHUNK_BYTES = 1024 * 1024;

export type FileHash = { readonly kind: "hash"; readonly sha256: string } | Exclude<BoundedRead, { kind: "read" }>;

/** The SHA-256 of an ordinary file of any size, read in pieces. */
export async function hashFile(path: string): Promise<FileHash> {
  return withOrdinaryFile(path, async (file) => {
    const digest = createHash("sha256");
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return { kind: "hash", sha256: digest.digest("hex") } as const;
      digest.update(buffer.subarray(0, bytesRead));
    }
  });
}
