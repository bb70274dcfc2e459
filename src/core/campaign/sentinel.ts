/**
 * The one file that says that a campaign is over.
 *
 * Which one it is follows from the end that the journal recorded, so whoever writes it, now or after a crash, writes
 * the same one. A signal is no end: the campaign goes on with the same command.
 */
import * as v from "valibot";
import { BlockedCode } from "../../contract/values/any-code.ts";
import type { SeriesEnd } from "../../contract/values/codes.ts";
import type { Sentinel } from "../../contract/workflows/campaign-files.ts";
import type { JournalLine } from "../../contract/journal/event.ts";

/**
 * The sentinel that belongs to an end of the series; null where the campaign is not over. A tick that was refused before
 * it started says nothing about the campaign: once the obstacle is gone, the same command goes on.
 */
function chooseSentinel(end: SeriesEnd, reason: string): Sentinel | null {
  if (end === "interrupted" || v.is(BlockedCode, reason)) return null;
  return end === "complete" || end === "timeout" ? end : "blocked";
}

export interface OwedSentinel {
  readonly name: Sentinel;
  readonly text: string;
  readonly reason: string;
  readonly message: string;
}

/** The sentinel that has to stand after these lines of a series; null where it goes on, or a person has cleaned up since. */
export function findOwedSentinel(
  lines: readonly JournalLine[],
  { slug, cleanedSeq }: { readonly slug: string; readonly cleanedSeq: number },
): OwedSentinel | null {
  const last = lines.findLast(({ event }) => ["tick_started", "series_resumed", "series_ended"].includes(event.type));
  if (last === undefined || last.event.type !== "series_ended" || last.seq <= cleanedSeq) return null;
  const { end, reason, message, hint } = last.event;
  const name = chooseSentinel(end, reason);
  if (name === null) return null;
  const text = [
    `# ${slug}: ${name}`,
    "",
    message,
    "",
    ...(hint === null ? [] : [hint, ""]),
    `- reason: ${reason}`,
    `- series: ${last.series_id}`,
    `- at: ${last.at}`,
    "",
  ].join("\n");
  return { name, text, reason, message };
}
