import { realpathSync } from "node:fs";
import type { Mount } from "../base/manifest.ts";
import { toBytePath } from "../system/byte-path.ts";
import { runOnPaths } from "../system/run-on-paths.ts";
import { listMounts } from "../system/mounts.ts";

/** Busy or not: a process of the tick may still have a file open there. */
const UNMOUNT = process.platform === "darwin" ? ["umount", "-f"] : ["umount", "--lazy", "--"];

/**
 * Unmounts everything below a folder that is about to be removed: whatever a builder mounted there belongs to somebody
 * else. Answers with the mounts that stay.
 */
export async function unmountBelow(folder: string): Promise<readonly Mount[]> {
  const around = toBytePath(realpathSync(folder));
  const listBelow = async () =>
    (await listMounts()).filter(({ point }) => point === around || point.startsWith(`${around}/`));
  // The last one lies on top.
  for (const { point } of (await listBelow()).toReversed()) runOnPaths(UNMOUNT, [Buffer.from(point, "latin1")]);
  return listBelow();
}
