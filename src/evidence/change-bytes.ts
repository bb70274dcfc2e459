import { Buffer } from "node:buffer";
import type { Change } from "../records/evidence.ts";
import { toBytePath } from "../system/byte-path.ts";

/** The exact name of a recorded path, as a byte string. */
export function decodeChangePath({ path, path_base64 }: Pick<Change, "path" | "path_base64">): string {
  return path_base64 === null ? toBytePath(path) : Buffer.from(path_base64, "base64").toString("latin1");
}
