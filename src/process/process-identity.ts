/**
 * Identifies one process for ever.
 *
 * A pid alone identifies a process only until it ends: the number is given out again. Together with the start of the
 * process, the boot, the host and the pid namespace, it is unique. Where these cannot be compared from here the answer
 * is `unknown`, and nobody may act as if that process were gone.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { MeasurementError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";
import { findProcessStart } from "./process-table.ts";
import { findSystemTool } from "../system/system-tool.ts";
import type { Lock } from "../records/lock.ts";

export interface ProcessIdentity {
  readonly pid: number;
  readonly processStart: string;
  readonly bootId: string;
  readonly host: string;
  /** Null where the system has no such thing. */
  readonly pidNamespace: string | null;
}

export async function readOwnIdentity(): Promise<ProcessIdentity> {
  const start = await findProcessStart(process.pid);
  if (start === null) throw new MeasurementError("our own process", "it is not in the process table");
  return { pid: process.pid, processStart: start, ...(await readMachine()) };
}

/** Whether exactly this process still runs. A zombie is gone. */
export async function readProcessState(identity: ProcessIdentity): Promise<"alive" | "gone" | "unknown"> {
  const { bootId, host, pidNamespace } = await readMachine();
  if (identity.host !== host) return "unknown";
  if (identity.bootId !== bootId) return "gone";
  if (identity.pidNamespace !== pidNamespace) return "unknown";
  const start = await findProcessStart(identity.pid);
  if (start !== null) return start === identity.processStart ? "alive" : "gone";
  return isHidden(identity.pid) ? "unknown" : "gone";
}

async function readMachine(): Promise<Omit<ProcessIdentity, "pid" | "processStart">> {
  if (process.platform === "linux") {
    const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return { bootId, host: hostname(), pidNamespace: readlinkSync("/proc/self/ns/pid") };
  }
  const session = await findSystemTool("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"]);
  const bootId = (session ?? (await findSystemTool("/usr/sbin/sysctl", ["-n", "kern.boottime"])) ?? "").trim();
  if (bootId === "") throw new MeasurementError("the boot of this machine", "sysctl does not say");
  return { bootId, host: hostname(), pidNamespace: null };
}

/** A system may hide other users' processes from the table (`hidepid`); a signal's permission check shows them. */
function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return readErrorCode(error) === "EPERM";
  }
}

/** Whether the process that took a lock still runs. */
export function describeHolder(holder: Lock): ReturnType<typeof readProcessState> {
  return readProcessState({
    pid: holder.pid,
    processStart: holder.process_start,
    bootId: holder.boot_id,
    host: holder.host,
    pidNamespace: holder.pid_namespace,
  });
}
