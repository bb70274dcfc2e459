import { lstatSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";

/** The one problem that the first tick solves. */
export const WORKSPACE_MISSING = "it does not exist; the first tick makes it";

/** Why a workspace folder cannot be used, or null. A link on the way would let others choose where we write. */
export function findWorkspaceProblem(root: string, folder: string): string | null {
  const parts = folder.split("/");
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const path = join(root, ...parts.slice(0, depth));
    try {
      const stats = lstatSync(path);
      if (stats.isSymbolicLink()) return `${path} is a link`;
      if (!stats.isDirectory()) return `${path} is not a folder`;
    } catch (error) {
      if (readErrorCode(error) === "ENOENT") return WORKSPACE_MISSING;
      return describeError(error);
    }
  }
  return null;
}
