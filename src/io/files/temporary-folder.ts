import { mkdtemp, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../../contract/values/environment.ts";

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
  const folder = await realpath(await mkdtemp(join(locateTemporaryRoot(environment), "relais-")));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
