/**
 * The newest ticks of a long journal, before all of it is read: each line is checked against its own hash, and its tick
 * is shown again when the whole chain was checked.
 */
import type { JournalLine } from "../../contract/journal/event.ts";
import { listTickRecords } from "../../core/tick/tick-records.ts";
import { splitLogLines } from "../../io/log/log-lines.ts";
import { readFileEnd } from "../../io/files/read-file-end.ts";
import { readLoneLine } from "../../io/journal/journal-text.ts";
import { makeHarmless } from "../page-model/harmless.ts";
import type { TickRow } from "../page-model/page-documents.ts";
import { makeTickRow } from "../page-model/tick-row.ts";

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
