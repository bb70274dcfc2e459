/**
 * The newest ticks of a long journal, before all of it is read: each line is checked against its own hash, and its tick
 * is shown again when the whole chain was checked.
 */
import type { JournalLine } from "../records/event.ts";
import { listTickRecords } from "../tick/pure/tick-records.ts";
import { splitLogLines } from "../journal/log-lines.ts";
import { readFileEnd } from "../system/read-file-end.ts";
import { readLoneLine } from "../journal/journal-text.ts";
import { makeHarmless } from "./pure/harmless.ts";
import type { TickRow } from "./pure/page-documents.ts";
import { makeTickRow } from "./pure/tick-row.ts";

const GLANCE_BYTES = 256 * 1024;

/** Nothing where the journal is short, so that reading it takes no time, or where it cannot be read. */
export function glanceAtTicks(path: string): readonly TickRow[] {
  try {
    return readTicks(path);
  } catch {
    return []; // A damaged line in between: the check will say so.
  }
}

function readTicks(path: string): readonly TickRow[] {
  // Of the first one only the end was read.
  const [, ...texts] = splitLogLines(readFileEnd(path, GLANCE_BYTES)).lines;
  const lines = texts.flatMap((text): readonly JournalLine[] => {
    const read = readLoneLine(text);
    return read?.kind === "line" ? [read.line] : [];
  });
  const whole = new Set(lines.flatMap(({ run_id, event }) => (event.type === "tick_started" ? [run_id] : [])));
  const newest = new Map(lines.map((line) => [line.run_id, line]));
  return listTickRecords(lines.filter(({ run_id }) => whole.has(run_id))).flatMap((record) => {
    const last = newest.get(record.runId);
    return last === undefined ? [] : [makeHarmless(makeTickRow(record, last))];
  });
}
