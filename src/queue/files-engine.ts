/** The queue of a user on one machine: files in a folder, no server, no lock. */
import type { Engine } from "./pure/engine.ts";
import { readClockMs, readSteadyMs } from "../system/clock.ts";
import { readOwnIdentity } from "../process/process-identity.ts";
import { findDueInCron } from "./cron.ts";
import { type EngineOptions, joinParts } from "./files-parts.ts";
import { openEngine } from "./open-engine.ts";

const LOG_BYTES_MAX = 4 * 1024 * 1024;

/** Everything but the folder has a default; a double is for tests. */
type FilesEngineOptions = Pick<EngineOptions, "folder"> & Partial<EngineOptions>;

export async function openFilesEngine(options: FilesEngineOptions): Promise<Engine> {
  const identity = await readOwnIdentity();
  const defaults = { readClockMs, readSteadyMs, findDue: findDueInCron, logBytesMax: LOG_BYTES_MAX };
  const parts = joinParts({ ...defaults, ...options }, identity);
  return openEngine({ ...parts, facts: { name: "files", shared: false, durable: "fsync" } });
}
