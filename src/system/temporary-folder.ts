import { mkdtempSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { beginOwnName } from "./own-folders.ts";
import { removeFolder } from "./remove-own.ts";

/** The folder for temporary files, found as Node and other programs find it. */
export function locateTemporaryRoot(environment: Environment): string {
  const named = ["TMPDIR", "TMP", "TEMP"].map((name) => environment[name] ?? "").find((path) => path !== "");
  return named ?? "/tmp";
}

/** Lends a fresh private folder and removes it afterwards, whatever happens. */
export async function withTemporaryFolder<T>(
  environment: Environment,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  return lendFolder(join(locateTemporaryRoot(environment), beginOwnName()), async (folder) =>
    use(realpathSync(folder)),
  );
}

/** Lends a fresh folder whose path begins like this. */
export async function lendFolder<T>(prefix: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(prefix);
  try {
    return await use(folder);
  } finally {
    removeFolder(folder);
  }
}
