/** Reads files that only grow by whole lines, such as the journal and the log of a queue, in pieces. */
import { readSync } from "node:fs";

/** Small, so that signals and requests are heard in between. */
const PIECE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** The bytes of an open file up to a position, or to its end. A piece holds only until the next one is read. */
export function* readPieces(file: number, from: number, to = Number.POSITIVE_INFINITY): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = from; at < to;) {
    const read = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at);
    if (read === 0) return;
    at += read;
    yield buffer.subarray(0, read);
  }
}

/** Without their newlines; the rest is a line that is being written, or that was cut short. Both are parts of the same bytes. */
export function splitLogLines(data: Buffer): { readonly lines: readonly Buffer[]; readonly rest: Buffer } {
  const lines: Buffer[] = [];
  let from = 0;
  for (let to = data.indexOf(NEWLINE); to !== -1; to = data.indexOf(NEWLINE, from)) {
    lines.push(data.subarray(from, to));
    from = to + 1;
  }
  return { lines, rest: data.subarray(from) };
}
