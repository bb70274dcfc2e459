import { setTimeout as delay } from "node:timers/promises";
import { readSteadyMs } from "../system/clock.ts";
import { readErrorCode } from "../system/read-files.ts";
import { type ProcessIdentity, readProcessState } from "./process-identity.ts";

/** Long enough for the rollback of a large tree. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 100;

/** Asks exactly this process to end, and waits until it is gone. */
export async function askToEnd(identity: ProcessIdentity, signal: AbortSignal): Promise<"ended" | "refused" | "late"> {
  const state = await readProcessState(identity);
  if (state === "gone") return "ended";
  // On another machine, or in another container, the same number is somebody else.
  if (state === "unknown") return "refused";
  try {
    process.kill(identity.pid, "SIGTERM");
  } catch (error) {
    if (readErrorCode(error) === "EPERM") return "refused";
    if (readErrorCode(error) !== "ESRCH") throw error;
  }
  const until = readSteadyMs() + PATIENCE_MS;
  while (readSteadyMs() < until && !signal.aborted) {
    if ((await readProcessState(identity)) === "gone") return "ended";
    await delay(LOOK_MS, null, { signal }).catch(() => null);
  }
  return "late";
}
