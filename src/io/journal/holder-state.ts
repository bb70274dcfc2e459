import type { Lock } from "../../contract/journal/lock.ts";
import { stateOf } from "../process/process-identity.ts";

/** Whether the process that took a lock still runs. */
export function holderState(holder: Lock): ReturnType<typeof stateOf> {
  return stateOf({
    pid: holder.pid,
    processStart: holder.process_start,
    bootId: holder.boot_id,
    host: holder.host,
    pidNamespace: holder.pid_namespace,
  });
}
