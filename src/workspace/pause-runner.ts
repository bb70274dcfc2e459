/**
 * `relais pause` and `relais resume`: a running series ends after the current tick, and the next command continues it.
 *
 * The keys of a live view call the same functions, in the process of the runner or in another one.
 */
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import type { RequestedPause, RunningRelais, WithdrawnPause } from "../records/decisions.ts";
import type { Lock } from "../records/lock.ts";
import type { PauseRequest } from "../records/requests.ts";
import { openSeries } from "../workflows/pure/last-series.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { findStart } from "../tick/pure/tick-facts.ts";
import { listRepositoryLines } from "./lines-of-repository.ts";
import { findHeldLock } from "./read-locks.ts";
import { refuseOther } from "./misuse.ts";
import { readRequest, removeRequest, writeRequest } from "./request-file.ts";
import { withSnapshot } from "./with-snapshot.ts";
import type { Workspace, WorkspaceRequest, WorkspaceSnapshot } from "./workspace.ts";

/** Asks the running series to end after its current tick. If the person named a tick, it must still be that one. */
export function requestPause(request: WorkspaceRequest, seen?: string): Promise<RequestedPause | CommandFailure> {
  return withSnapshot(request, async (snapshot) => {
    const holder = await findHolder(snapshot);
    if (holder === null) return refuseIdle();
    const other = findOtherRunner(holder, seen);
    if (other !== null) return other;
    const asked = nameRunner(snapshot, holder);
    // A single tick ends by itself.
    if (asked.command !== "run") await writeRequest(snapshot.stateDirectory, "pause", pickHolder(holder));
    return { kind: "pausing", ...asked };
  });
}

/** Withdraws a pause that has not happened yet. */
export function withdrawPause(request: WorkspaceRequest, seen?: string): Promise<WithdrawnPause | CommandFailure> {
  return withSnapshot(request, async (snapshot) => {
    const holder = await findHolder(snapshot);
    if (holder === null) return refuseNotPausing(snapshot);
    const other = findOtherRunner(holder, seen);
    if (other !== null) return other;
    const isAsked = isMeantFor(await readRequest(snapshot.stateDirectory, "pause"), holder);
    removeRequest(snapshot.stateDirectory, "pause");
    if (isAsked) return { kind: "resumed", ...nameRunner(snapshot, holder) };
    const message = "relais is running, and no pause was asked for.";
    return refuse({ cause: "not_paused", runId: holder.run_id, message, next: "See `relais status`." });
  });
}

type Place = Pick<Workspace, "stateDirectory" | "lockPath" | "repository" | "config">;

/** Whether the process that holds the locks was asked to end after its tick. */
export async function isPauseRequested(place: Place): Promise<boolean> {
  const asked = await readRequest(place.stateDirectory, "pause");
  return asked !== null && isMeantFor(asked, await findHolder(place));
}

/** For the holder of the locks: a request counts once, and one for an earlier process is only removed. */
export async function takePause(place: Place): Promise<boolean> {
  const isAsked = await isPauseRequested(place);
  removeRequest(place.stateDirectory, "pause");
  return isAsked;
}

export async function findHolder(place: Pick<Place, "lockPath" | "repository" | "config">): Promise<Lock | null> {
  const sighting = await findHeldLock(place);
  return sighting.kind === "busy" ? sighting.holder : null;
}

/** Null where the holder works on the tick that the person saw, or the person named none. */
export function findOtherRunner({ run_id: runId }: Lock, seen: string | undefined): Refusal | null {
  return seen === undefined || seen === runId ? null : refuseOther(runId, `relais works on ${runId} now.`);
}

export function refuseIdle(): Refusal {
  return refuse({ cause: "not_running", message: "relais is not running here.", next: "See `relais status`." });
}

function refuseNotPausing({ lines, repository }: WorkspaceSnapshot): Refusal {
  const open = openSeries(listRepositoryLines(lines, repository), repository.root).at(-1);
  if (open === undefined) return refuseIdle();
  const message = `The series ${open.seriesId} of \`relais ${open.options.command}\` is not running.`;
  const next = "Its own command continues it; `relais status` shows it.";
  return refuse({ cause: "not_running", message, next });
}

/** The command of a holder that has no tick yet is unknown: null. */
export function nameRunner({ lines }: WorkspaceSnapshot, { run_id: runId, pid }: Lock): RunningRelais {
  const record = findTickRecord(lines, runId);
  const start = record === null ? null : findStart(record.state);
  const series = start?.series ?? null;
  return { runId, pid, command: start === null ? null : (series?.command ?? "run"), mode: series?.mode ?? null };
}

function pickHolder({ pid, process_start, boot_id, started_at }: Lock): PauseRequest {
  return { pid, process_start, boot_id, started_at };
}

function isMeantFor(asked: PauseRequest | null, holder: Lock | null): boolean {
  if (asked === null || holder === null) return false;
  return (
    asked.pid === holder.pid &&
    asked.process_start === holder.process_start &&
    asked.boot_id === holder.boot_id &&
    asked.started_at === holder.started_at
  );
}
