/**
 * Requests of another terminal to the process that holds the locks.
 *
 * A request is one small file, replaced in one step, and names what it is meant for. The runner removes every request
 * that it reads, so that none is obeyed twice and none outlives its run.
 */
import { join } from "node:path";
import type * as v from "valibot";
import { DecisionRequest, PauseRequest } from "../records/requests.ts";
import { parseWith } from "../base/schema-error.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { removeFile } from "../system/remove-own.ts";

const REQUESTS = { pause: PauseRequest, decision: DecisionRequest } as const;
type Requests = typeof REQUESTS;
type RequestName = keyof Requests;
type RequestOf<N extends RequestName> = v.InferOutput<Requests[N]>;

const BYTES_MAX = 64 * 1024;

export async function writeRequest<N extends RequestName>(
  stateDirectory: string,
  name: N,
  request: RequestOf<N>,
): Promise<void> {
  await writeAtomic(locateRequest(stateDirectory, name), `${JSON.stringify(request)}\n`, { mode: 0o600 });
}

/** Null if there is none, or if it cannot be understood. */
export async function readRequest<N extends RequestName>(
  stateDirectory: string,
  name: N,
): Promise<RequestOf<N> | null> {
  const read = await readBounded(locateRequest(stateDirectory, name), BYTES_MAX);
  if (read.kind !== "read") return null;
  try {
    const parsed = parseWith(REQUESTS[name], JSON.parse(read.data.toString("utf8")));
    return parsed.kind === "valid" ? parsed.value : null;
  } catch {
    return null; // Not JSON.
  }
}

export function removeRequest(stateDirectory: string, name: RequestName): void {
  removeFile(locateRequest(stateDirectory, name));
}

function locateRequest(stateDirectory: string, name: RequestName): string {
  return join(stateDirectory, `${name}-request.json`);
}
