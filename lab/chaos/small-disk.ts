/** A small file system in memory, so that it can be filled. It needs root. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const SIZE = "16m";
const PART_BYTES = 64 * 1024;

export interface SmallDisk {
  readonly fill: () => void;
  readonly clear: () => void;
  readonly unmount: () => void;
}

/** Null where this user may not mount. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=0700`, "relais-chaos", folder]);
  if (status !== 0) return null;
  const filler = join(folder, "filler");
  return {
    fill: () => fillFile(filler),
    clear: () => rmSync(filler, { force: true }),
    unmount: () => {
      // A killed process may still close its files.
      for (let tries = 0; isMounted(folder) && tries < 100; tries += 1)
        if (spawnSync("umount", [folder]).status !== 0) spawnSync("sleep", ["0.1"]);
    },
  };
}

export function isMounted(folder: string): boolean {
  return readFileSync("/proc/self/mounts", "utf8").includes(` ${folder} `);
}

function fillFile(path: string): void {
  const file = openSync(path, "w");
  try {
    for (let bytes = PART_BYTES; bytes >= 1; bytes = Math.floor(bytes / 2)) writeAll(file, Buffer.alloc(bytes));
  } finally {
    closeSync(file);
  }
}

function writeAll(file: number, part: Buffer): void {
  try {
    while (writeSync(file, part) === part.length);
  } catch {
    // No room for a part of this size.
  }
}
