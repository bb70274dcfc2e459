import { createHash } from "node:crypto";

/** The id that git gives to this content. */
export function computeBlobId(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}
