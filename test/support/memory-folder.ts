/** Thousands of small repositories are made and removed again: in memory, where there is enough of it. */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";

const MEMORY = "/dev/shm";
const BYTES_MIN = 8e9;
let folder: string | undefined;

export function setup(): void {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return;
  folder = mkdtempSync(`${MEMORY}/relais-tests-`);
  chmodSync(folder, 0o1777); // Some programs are tried as another user.
  process.env["TMPDIR"] = folder;
}

export function teardown(): void {
  if (folder === undefined) return;
  delete process.env["TMPDIR"];
  rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > BYTES_MIN;
  } catch {
    return false;
  }
}
