import type { Lock } from "../records/lock.ts";
import { readProcessState } from "../process/process-identity.ts";

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
