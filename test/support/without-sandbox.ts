/**
 * Most tests show what holds where no sandbox works, which is the hardest case: a `bwrap` that refuses comes first on
 * their PATH, so `sandbox: auto` runs without one. Tests of the sandbox take `readSandboxedPath`.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const MARK = "relais-without-sandbox-";
let folder: string | undefined;

export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), MARK));
  chmodSync(folder, 0o755); // Some programs are tried as another user.
  writeFileSync(join(folder, "bwrap"), "#!/bin/sh\necho 'bwrap: refused for this suite' >&2\nexit 1\n", {
    mode: 0o755,
  });
  process.env["PATH"] = `${folder}${delimiter}${process.env["PATH"] ?? ""}`;
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/** The PATH with the machine's own bubblewrap. */
export function readSandboxedPath(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.filter((path) => !path.includes(MARK)).join(delimiter);
}

/** Tests of the sandbox are left out where bubblewrap is not installed. */
export function hasBubblewrap(): boolean {
  return spawnSync("bwrap", ["--version"], { env: { PATH: readSandboxedPath() } }).status === 0;
}
