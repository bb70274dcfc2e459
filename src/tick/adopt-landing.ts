/**
 * Writes a change that was made elsewhere into the place of the tick, where it is judged and checked like any other.
 *
 * Every path must still be as it was when the change was put on top of it. Otherwise nothing is written and the tick
 * stops.
 */
import type { TickEvent } from "../records/event.ts";
import { decodePath } from "../base/path-names.ts";
import { shortenList } from "../base/words.ts";
import type { Landing, LandingMove } from "../workflows/pure/workflow.ts";
import { listUnmovable, writeEntries } from "../store/write-entries.ts";
import { toBytePath } from "../system/byte-path.ts";
import { createDispatch } from "../system/drop-folder.ts";
import { readClockMs } from "../system/clock.ts";
import type { RunningTick } from "./running-tick.ts";

export function announceLanding({ name, commits, accepted }: Landing): TickEvent {
  const landed = { name, tip: commits?.tip ?? null, ...(accepted === undefined ? {} : { accepted }) };
  return {
    type: "build_started",
    driver: "patch",
    sandbox: "none",
    dispatch: createDispatch(),
    own_patch: true,
    landed,
  };
}

export async function adoptLanding(session: RunningTick, landing: Landing): Promise<TickEvent> {
  const { moves, summary, refusal: known } = landing;
  if (known !== undefined) return { type: "refused", ...known };
  const startedAt = readClockMs();
  const refusal = await writeMoves(session, moves);
  if (refusal !== null) return refusal;
  const duration_ms = Math.max(0, Math.round(readClockMs() - startedAt));
  return { type: "build_ended", builder_output_valid: null, duration_ms, usage: null, failure: null, summary };
}

/** Null where everything is written; otherwise nothing is. */
export async function writeMoves(
  { where: { place, store } }: RunningTick,
  moves: readonly LandingMove[],
): Promise<TickEvent | null> {
  const root = toBytePath(place.tree);
  const stuck = listUnmovable({ root, moves }).map((path) => decodePath(path).text);
  if (stuck.length > 0) {
    const message = `These paths changed meanwhile: ${shortenList(stuck)}.`;
    return { type: "interrupted", code: "STOP_MAIN_TREE_CHANGED", cause: "main_tree_changed", message };
  }
  await writeEntries({ root, moves, store });
  return null;
}
