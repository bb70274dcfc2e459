/** The processes that a builder or its checks have left running. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

export interface Stray {
  readonly pid: number;
  readonly command: string;
}

/**
 * Whoever works in the box, carries its name in its environment, or has left its id there. A process that did none of
 * these is not found, which is why a builder that hides leaves its id on purpose.
 */
export function straysOf(box: string): Stray[] {
  if (!existsSync("/proc/self/environ")) return [];
  const announced = new Set(readdirSync(join(box, "pids")));
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && (announced.has(name) || belongsTo(box, name)) && isAlive(name))
    .map((name) => ({ pid: Number(name), command: told(name, "cmdline").replaceAll("\0", " ") }));
}

function belongsTo(box: string, pid: string): boolean {
  return told(pid, "environ").includes(`HOSTILE=${box}\0`) || folderOf(pid).startsWith(`${box}/`);
}

/** One that has ended and was not yet waited for does nothing any more. */
function isAlive(pid: string): boolean {
  return !/^\d+ \(.*\) [ZX]/su.test(told(pid, "stat")) && told(pid, "stat") !== "";
}

function told(pid: string, about: string): string {
  try {
    return readFileSync(`/proc/${pid}/${about}`, "latin1");
  } catch {
    return ""; // It ended meanwhile, or it is somebody else's.
  }
}

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}
