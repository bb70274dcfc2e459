/** A longer line is no line about the session, and is skipped. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Cuts chunks of output into lines. Text after the last line break is a line once the output has ended. Bytes are joined
 * before they are decoded, so a character that is split between chunks stays whole.
 */
export function splitOutputLines(onLine: (line: string) => void) {
  let pieces: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size <= LINE_BYTES_MAX) pieces.push(piece);
    else pieces = [];
  };
  const finish = (): void => {
    if (size > 0 && size <= LINE_BYTES_MAX) onLine(Buffer.concat(pieces).toString("utf8"));
    pieces = [];
    size = 0;
  };
  return {
    take: (chunk: Buffer): void => {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        add(chunk.subarray(start, end));
        finish();
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    },
    end: finish,
  };
}
