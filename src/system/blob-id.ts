import { createHash } from "node:crypto";

/** Git's id of this content. */
export function computeBlobId(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}
