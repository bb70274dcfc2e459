/**
 * The file that marks the end of a campaign. It follows from the recorded end, so writing it again after a crash gives
 * the same file. A signal or a pause is no end: the same command resumes the campaign.
 */
import * as v from "valibot";
import { BlockedCode } from "../../base/any-code.ts";
import type { SeriesEnd } from "../../base/codes.ts";
import type { Sentinel } from "../../records/campaign-files.ts";
import type { JournalLine } from "../../records/event.ts";

const FOR_A_PERSON: readonly string[] = ["STOP_UNDECIDED", "STOP_SUSPECT"];

/** A tick that was refused before it started does not end the campaign: the same command resumes it later. */
function chooseSentinel(end: SeriesEnd, reason: string): Sentinel | null {
  if (end === "interrupted" || end === "paused" || FOR_A_PERSON.includes(reason) || v.is(BlockedCode, reason))
    return null;
  return end === "complete" || end === "timeout" ? end : "blocked";
}

export interface OwedSentinel {
  readonly name: Sentinel;
  readonly text: string;
  readonly reason: string;
  readonly message: string;
}

/** Null if the series goes on, or a person has cleaned up since. */
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
