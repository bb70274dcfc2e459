/** The processes that a builder of the drill or its checks have left running. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sendSignal } from "../process/supervise-family.ts";

const LOOK_AGAIN_MS = 20;
const LOOKS_MAX = 250;

export interface Stray {
  readonly pid: number;
  readonly command: string;
}

/**
 * Processes that work in the box, carry its name in their environment, or have left their id there. One that did none of
 * these is not found, so a builder that hides leaves its id on purpose.
 */
export function findStrays(box: string): Stray[] {
  if (!existsSync("/proc/self/environ")) return [];
  const announced = new Set(readdirSync(join(box, "pids")));
  return readdirSync("/proc")
    .filter(
      (name) =>
        /^\d+$/u.test(name) && ((announced.has(name) && isYounger(name)) || belongsTo(box, name)) && isAlive(name),
    )
    .map((name) => ({ pid: Number(name), command: told(name, "cmdline").replaceAll("\0", " ") }));
}

function belongsTo(box: string, pid: string): boolean {
  return told(pid, "environ").includes(`HOSTILE=${box}\0`) || folderOf(pid).startsWith(`${box}/`);
}

/** The number of an older process was left by one that has ended. */
function isYounger(pid: string): boolean {
  return readStart(pid) >= readStart("self");
}

/** When it started, in ticks of the clock since the boot: the twentieth field behind the name. */
function readStart(pid: string): number {
  const stat = told(pid, "stat");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? 0);
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

/** Ends what is left, so that no builder disturbs another one. Answers with what there was. */
export async function endStrays(box: string): Promise<readonly Stray[]> {
  const found = findStrays(box);
  for (let looks = 0, left = found; left.length > 0 && looks < LOOKS_MAX; left = findStrays(box), looks += 1) {
    for (const { pid } of left) sendSignal(pid, "SIGKILL");
    await delay(LOOK_AGAIN_MS);
  }
  return found;
}
