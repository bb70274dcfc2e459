/**
 * Adopts the finished work of an interrupted tick, so that no session is paid twice for it.
 *
 * The change comes from salvage and is judged, checked and settled as if it had just been
 * made. If the same files were changed since, the tick stops.
 */
import { join } from "node:path";
import type { TickEvent } from "../records/event.ts";
import { unreachable } from "../base/errors.ts";
import type { FinishedWork } from "../workflows/pure/left-work.ts";
import { type BuilderWords, FINISHED_WORK_LOST } from "../workflows/pure/workflow.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { readClockMs } from "../system/clock.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { createDispatch, type DropFolder } from "../system/drop-folder.ts";
import { type AppliedSalvage, applySalvage } from "../keep/salvage.ts";
import { writeMoves } from "./adopt-landing.ts";
import type { RunningTick } from "./running-tick.ts";
import type { StateIn } from "./pure/tick-state.ts";

export function announceFinished({ runId, building }: FinishedWork): TickEvent {
  return { type: "build_started", ...building, dispatch: createDispatch(), kept: runId };
}

export async function adoptFinished(session: RunningTick, { runId, salvage, built }: FinishedWork): Promise<TickEvent> {
  const {
    where: { place, store, stateDirectory },
    record: { journal },
  } = session;
  const startedAt = readClockMs();
  const applied =
    salvage === null
      ? null
      : await applySalvage({
          root: place.tree,
          store,
          stateDirectory,
          lines: journal.linesOf(salvage),
          runId: salvage,
        });
  session.left.proposals = await copyProposals(session, runId);
  const duration_ms = Math.max(0, Math.round(readClockMs() - startedAt));
  const ended = { type: "build_ended", duration_ms, usage: null } as const;
  if (applied === null || applied.kind === "applied") return { ...ended, ...built, failure: null };
  return {
    ...ended,
    failure: { code: "STOP_INTERRUPTED", cause: FINISHED_WORK_LOST },
    builder_output_valid: null,
    summary: explainLost(applied),
  };
}

/** A copy stays with this tick, which may be interrupted, too. */
async function copyProposals(
  { where: { stateDirectory, runDirectory }, work }: RunningTick,
  runId: string,
): Promise<BuilderWords["proposals"]> {
  const folder = locateRunDirectory(stateDirectory, runId);
  const proposals = new Map<string, Uint8Array>();
  for (const [name, bytesMax] of Object.entries(work.brief.proposals)) {
    const file = locateProposalFile(name);
    const left = await readBounded(join(folder, file), bytesMax);
    if (left.kind !== "read") continue;
    await writeAtomic(join(runDirectory, file), left.data, { mode: 0o600 });
    proposals.set(name, left.data);
  }
  return proposals;
}

function explainLost(applied: Exclude<AppliedSalvage, { kind: "applied" }>): string {
  switch (applied.kind) {
    case "conflict":
      return `The finished work does not apply any more: ${applied.paths.slice(0, 5).join(", ")} changed.`;
    case "damaged":
      return `The finished work cannot be read: ${applied.reason}.`;
    case "missing":
      return "The finished work is lost.";
    default:
      return unreachable(applied);
  }
}

export type Proposals = Pick<Required<BuilderWords>, "proposals" | "refused">;

const locateProposalFile = (name: string): string => `proposal-${name}`;

/** Reads what the session left for the workflow, before the folder is removed. A copy stays with the tick. */
export async function takeProposals(
  drop: DropFolder,
  wanted: readonly (readonly [name: string, bytesMax: number])[],
  runDirectory: string,
): Promise<Proposals> {
  const proposals = new Map<string, Uint8Array>();
  const refused = new Map<string, string>();
  for (const [name, bytesMax] of wanted) {
    const left = await drop.read(name, bytesMax);
    if (left.kind === "refused") refused.set(name, REFUSED[left.reason](bytesMax));
    if (left.kind !== "read") continue;
    await writeAtomic(join(runDirectory, locateProposalFile(name)), left.data, { mode: 0o600 });
    proposals.set(name, left.data);
  }
  return { proposals, refused };
}

const REFUSED = {
  link: () => "it is a link",
  folder: () => "it is a folder",
  special: () => "it is not a regular file",
  too_large: (bytesMax: number) => `it has more than ${bytesMax} bytes`,
  unreadable: () => "it cannot be read",
} as const;

export interface SalvageStart {
  readonly prompt: string;
  /** For a session that goes on with an earlier one; null: it gets the whole prompt. */
  readonly resumedPrompt: string | null;
  readonly notes: readonly string[];
}

const FROM_NOTHING: SalvageStart = { prompt: "", resumedPrompt: null, notes: [] };

const GO_ON = `

An earlier session worked on this and was ended by a limit before it was done. What it had changed, if anything, lies in
the working tree, uncommitted. Look at it first, keep what is right, and bring it to its end.
`;

/**
 * Applies the work of a session that a limit ended, or whose change was refused, so that the next one continues it.
 *
 * It is applied after T0, so it is judged and rolled back with the rest.
 */
export async function startFromSalvage(
  session: RunningTick,
  { building, handedOver }: StateIn<"build">,
): Promise<SalvageStart> {
  const { repair = null } = session.work;
  const told = repair ?? { prompt: GO_ON, resumedPrompt: null };
  if (handedOver.some(({ role }) => role === "builder")) return tell(told, []);
  const salvage = building.continues ?? null;
  if (salvage === null) return repair === null ? FROM_NOTHING : tell(told, []);
  const obstacle = await applyEarlier(session, salvage);
  if (obstacle === null) return tell(told, [`The session began from the work of ${salvage}`]);
  return tell(repair ?? FROM_NOTHING, [`The work of ${salvage} was not used: ${obstacle}`]);
}

/** Null where it is written, else why not. */
async function applyEarlier(session: RunningTick, salvage: string): Promise<string | null> {
  const {
    where: { place, store, stateDirectory },
    record: { journal },
    work: { repair },
  } = session;
  if (repair?.moves !== undefined)
    return (await writeMoves(session, repair.moves)) === null ? null : "paths changed since";
  const lines = journal.linesOf(salvage);
  const applied = await applySalvage({ root: place.tree, store, stateDirectory, lines, runId: salvage });
  return applied.kind === "applied" ? null : explainNotApplied(applied);
}

const tell = (
  { prompt, resumedPrompt }: Pick<SalvageStart, "prompt" | "resumedPrompt">,
  notes: readonly string[],
): SalvageStart => ({ prompt, resumedPrompt, notes });

function explainNotApplied(applied: Exclude<AppliedSalvage, { kind: "applied" }>): string {
  switch (applied.kind) {
    case "conflict":
      return `${applied.paths.slice(0, 5).join(", ")} changed since`;
    case "damaged":
      return applied.reason;
    case "missing":
      return "it is gone";
    default:
      return unreachable(applied);
  }
}
