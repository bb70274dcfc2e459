/**
 * The way into a workspace for everything that only reads, without a lock and even if something is wrong.
 *
 * It needs neither git nor a journal that is open, so what does is not loaded.
 */
import type { CommandFailure } from "../records/command-failure.ts";
import type { Caller } from "../base/environment.ts";
import { MeasurementError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";
import { explainFailure } from "./refusals.ts";
import { readWorkspace } from "./read-workspace.ts";
import type { WorkspaceSnapshot } from "./workspace.ts";

interface ReadRequest extends Caller {
  readonly signal?: AbortSignal;
}

export async function withSnapshot<T>(
  request: ReadRequest,
  work: (snapshot: WorkspaceSnapshot) => T | Promise<T>,
): Promise<T | CommandFailure> {
  try {
    const snapshot = await readWorkspace(request);
    return snapshot.kind === "blocked" ? snapshot : await work(snapshot);
  } catch (error) {
    const isOfWorld = error instanceof MeasurementError || readErrorCode(error) !== null;
    if (!isOfWorld || request.signal?.aborted === true) throw error;
    return explainFailure(error);
  }
}
