/** What a machine has of what attacks need, and how what an attack locked is removed. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";

function works(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

/** Root on a file system that knows immutable files. */
function canChangeAttributes(folder: string): boolean {
  const probe = join(folder, "probe");
  writeFileSync(probe, "");
  return works("chattr", "+i", probe) && works("chattr", "-i", probe);
}

function canMount(folder: string): boolean {
  const probe = join(folder, "mount-probe");
  mkdirSync(probe, { recursive: true });
  return works("mount", "-t", "tmpfs", "none", probe) && works("umount", probe);
}

const known = new Map<string, boolean>();

/** Looks once. */
function has(name: string, find: () => boolean): boolean {
  const found = known.get(name) ?? find();
  known.set(name, found);
  return found;
}

/** Why an attack cannot be tried here; null where it can. The folder is of the file system that it works on. */
export function whyNot({ needs }: HostileBuilder, folder: string): string | null {
  const isRoot = process.getuid?.() === 0;
  const reasons: Readonly<Record<HostileBuilder["needs"], () => string | null>> = {
    nothing: () => null,
    sandbox: () => null,
    root: () => (isRoot ? null : "needs root"),
    user: () => (isRoot ? "needs an ordinary user" : null),
    linux: () => (process.platform === "linux" ? null : "needs Linux"),
    chattr: () => (has("chattr", () => canChangeAttributes(folder)) ? null : "needs root and immutable files"),
    mount: () => (has("mount", () => canMount(folder)) ? null : "needs root and the right to mount"),
    python: () => (has("python3", () => works("python3", "--version")) ? null : "needs python3"),
    make: () => (has("make", () => works("make", "--version")) ? null : "needs make"),
  };
  return reasons[needs]();
}

/** Complaints about links do not matter, a failing removal does. */
export function removeBox(path: string): void {
  if (works("rm", "-rf", path)) return;
  spawnSync("find", [path, "-execdir", "chattr", "-f", "-ia", "{}", "+"], { stdio: "ignore" });
  spawnSync("chmod", ["-R", "u+rwX", path], { stdio: "ignore" });
  execFileSync("rm", ["-rf", path]);
}
