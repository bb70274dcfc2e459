import type { KeptFile } from "../records/kept-work.ts";
import { isAsRecorded } from "../store/recorded-entry.ts";
import { toBytePath } from "../system/byte-path.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";

/** Whether every path is as before the change, as after `git stash`. */
export function isAsBefore(root: string, files: readonly Pick<KeptFile, "path" | "path_base64" | "before">[]): boolean {
  const bytes = toBytePath(root);
  return files.every((file) => isAsRecorded(bytes, { path: decodeChangePath(file), side: file.before }));
}
