import type { JournalLine } from "../records/event.ts";
import { readPieces, splitLogLines } from "./log-lines.ts";
import { type ChainEnd, readLoneLine } from "./journal-text.ts";
import type { JournalTail } from "./read-journal.ts";

/**
 * The lines of one series in an open journal, up to a known end. Only these are parsed, each checked against its own
 * hash, so that a long history costs neither memory nor much time. Null where the journal has another line at that end.
 */
export function readSeriesLines(
  descriptor: number,
  seriesId: string,
  { end, bytes }: JournalTail,
): readonly JournalLine[] | null {
  const mark = Buffer.from(`"series_id":${JSON.stringify(seriesId)}`);
  const lines: JournalLine[] = [];
  let last: Buffer | null = null;
  for (const text of listTexts(descriptor, bytes)) {
    last = text;
    if (!text.includes(mark)) continue;
    const read = readLoneLine(text);
    if (read?.kind !== "line") return null;
    if (read.line.series_id === seriesId) lines.push(read.line);
  }
  return isAt(end, last) ? lines : null;
}

function isAt({ seq, sha256 }: ChainEnd, text: Buffer | null): boolean {
  const read = text === null ? null : readLoneLine(text);
  return read?.kind === "line" && read.line.seq === seq - 1 && read.sha256 === sha256;
}

function* listTexts(descriptor: number, bytes: number): Generator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for (const piece of readPieces(descriptor, 0, bytes)) {
    const split = splitLogLines(Buffer.concat([rest, piece]));
    yield* split.lines;
    ({ rest } = split);
  }
}
