import { createHash } from "node:crypto";
import { fstatSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JournalLine } from "../records/event.ts";
import { withOrdinaryFile } from "../system/bounded-file.ts";
import { readPieces, splitLogLines } from "./log-lines.ts";
import {
  type ChainEnd,
  isTorn,
  LINE_BYTES_MAX,
  findForeignTornVersion,
  readJournalText,
  readLoneLine,
} from "./journal-text.ts";

const NEWLINE = Buffer.from("\n");
/** How often a reader tries again while a writer is at work. */
const READINGS_MAX = 5;

/** Damage that no crash can have caused. The line counts from 1; null is the file as a whole. */
export interface JournalCorrupt {
  readonly kind: "corrupt";
  readonly path: string;
  readonly line: number | null;
  readonly reason: string;
}

/** Written in another version of the records. It is not damaged, and nothing is done about it. */
export interface JournalForeign {
  readonly kind: "foreign";
  readonly path: string;
  readonly line: number;
  readonly version: number;
}

export type JournalRefusal = JournalCorrupt | JournalForeign;

export interface JournalContent {
  readonly kind: "read";
  readonly lines: readonly JournalLine[];
  /** Where the next line continues. */
  readonly end: ChainEnd;
  readonly bytes: number;
  /** The rest of an unfinished write; usually empty. */
  readonly torn: Buffer;
}

/** Where to begin to read: after lines that were read before. */
export type JournalTail = Pick<JournalContent, "end" | "bytes">;
const WHOLE: JournalTail = { end: { seq: 0, sha256: null }, bytes: 0 };

export type JournalRead = { readonly kind: "missing" } | JournalContent | JournalRefusal;

/**
 * Reads and verifies a journal. It needs no lock: lines are only ever added, so a reader beside the writer sees the
 * journal of a moment ago, at worst with the beginning of a line behind it.
 */
export async function readJournal(path: string, from: JournalTail = WHOLE): Promise<JournalRead> {
  for (let reading = 1; ; reading += 1) {
    const { read, isSteady } = await readOnce(path, from);
    if (read.kind !== "corrupt" || isSteady || reading === READINGS_MAX) return read;
  }
}

/** The first bytes of an open journal, read at once. */
export function readJournalNow(descriptor: number, path: string, bytes: number): JournalContent | JournalRefusal {
  const reader = openLineReader(path, WHOLE);
  for (const piece of readPieces(descriptor, 0, bytes)) {
    const refusal = reader.take(piece);
    if (refusal !== null) return refusal;
  }
  return reader.finish();
}

/** `isSteady` tells whether nobody wrote to the file meanwhile. */
async function readOnce(path: string, from: JournalTail) {
  let isSteady = true;
  const found = await withOrdinaryFile(path, async (descriptor) => {
    const before = fstatSync(descriptor, { bigint: true });
    const lines = await readLines(descriptor, path, from);
    const after = fstatSync(descriptor, { bigint: true });
    isSteady = before.mtimeNs === after.mtimeNs && before.size === after.size;
    return lines;
  });
  const read: JournalRead =
    found.kind === "refused" ? { kind: "corrupt", path, line: null, reason: found.reason } : found;
  return { read, isSteady };
}

/**
 * The last journal that was read whole, by the hash of all its bytes. A command that changes something looks at the
 * journal before it takes the lock and again after it, and mostly nobody wrote in between.
 */
let lastRead: { readonly sha256: string; readonly size: number; readonly content: JournalContent } | null = null;

async function readLines(
  descriptor: number,
  path: string,
  from: JournalTail,
): Promise<JournalContent | JournalRefusal> {
  if (from.bytes === 0 && fstatSync(descriptor).size === lastRead?.size) {
    const digest = createHash("sha256");
    for await (const piece of readInTurns(descriptor, 0)) digest.update(piece);
    if (digest.digest("hex") === lastRead.sha256) return lastRead.content;
  }
  const reader = openLineReader(path, from);
  const digest = createHash("sha256");
  let size = from.bytes;
  for await (const piece of readInTurns(descriptor, from.bytes)) {
    digest.update(piece);
    size += piece.length;
    const refusal = reader.take(piece);
    if (refusal !== null) return refusal;
  }
  const content = reader.finish();
  if (content.kind === "read" && from.bytes === 0) lastRead = { sha256: digest.digest("hex"), size, content };
  return content;
}

/** Signals are heard between two pieces. */
async function* readInTurns(descriptor: number, from: number): AsyncGenerator<Buffer> {
  for (const piece of readPieces(descriptor, from)) {
    yield piece;
    await nextTurn();
  }
}

interface LineReader {
  readonly take: (chunk: Buffer) => JournalRefusal | null;
  readonly finish: () => JournalContent | JournalRefusal;
}

function openLineReader(path: string, from: JournalTail): LineReader {
  const lines: JournalLine[] = [];
  let { end, bytes }: JournalTail = from;
  /** What was read after the last whole line. */
  let rest: Buffer = Buffer.alloc(0);
  const corrupt = (reason: string): JournalCorrupt => ({
    kind: "corrupt",
    path,
    line: end.seq + 1,
    reason,
  });

  const foreign = (version: number): JournalForeign => ({ kind: "foreign", path, line: end.seq + 1, version });

  const takeLine = (text: Buffer, isLast: boolean): JournalRefusal | "torn" | null => {
    const read = readJournalText(text, end);
    if (read.kind === "not-json" && isLast) return "torn";
    if (read.kind === "foreign") return foreign(read.version);
    if (read.kind !== "line") return corrupt(read.reason);
    lines.push(read.line);
    end = { seq: end.seq + 1, sha256: read.sha256 };
    bytes += text.length + 1;
    return null;
  };

  const take: LineReader["take"] = (chunk) => {
    const split = splitLogLines(Buffer.concat([rest, chunk]));
    ({ rest } = split);
    for (const [index, text] of split.lines.entries()) {
      const problem = takeLine(text, rest.length === 0 && index === split.lines.length - 1);
      // Only more bytes prove that a line is not the last, so its newline stays with it.
      if (problem === "torn") rest = Buffer.concat([text, NEWLINE]);
      else if (problem !== null) return problem;
    }
    return rest.length > LINE_BYTES_MAX ? corrupt(`it is longer than ${LINE_BYTES_MAX} bytes`) : null;
  };

  const finish: LineReader["finish"] = () => {
    const version = findForeignTornVersion(rest);
    if (version !== null) return foreign(version);
    // The first line is created whole, so a file without one was cut by somebody.
    if (end.seq === 0) return corrupt(rest.length === 0 ? "the file is empty" : "it is cut off");
    if (!isTorn(rest)) return corrupt("something else follows it before its newline");
    return { kind: "read", lines, end, bytes, torn: rest };
  };
  return { take, finish };
}

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
