/**
 * The journal: one event a line, written before anything acts on it.
 *
 * A line that a power cut may not take back is synced, and with it all lines before. The others say what happens again
 * anyway: without them, the tick is rolled back.
 *
 * Only the holder of the lock opens it for writing, and nobody ever changes a line. A crash can cut the last line
 * short; its event then never counted, because its writer was still waiting. Such a torn line is kept in a file of its
 * own, for people, and cut off before the next line is written. All other damage is refused with its line: a journal
 * that is repaired by guessing is worth nothing.
 */
import { appendFileSync, closeSync, constants, openSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { JournalLine } from "../records/event.ts";
import { type ChainEnd, LINE_BYTES_MAX, renderJournalText } from "./journal-text.ts";
import { locateTickLines } from "./run-directory.ts";
import { fitTexts } from "../records/fit-texts.ts";
import { readPromise } from "../records/event-promise.ts";
import { InvariantError } from "../base/errors.ts";
import { RECORD_VERSION } from "../base/record-version.ts";
import { type FoldedLines, foldEnd, foldLines, type GrowingLines, type JournalEnd } from "../records/folded-lines.ts";
import { parseWith } from "../base/schema-error.ts";
import { copyAtomic, writeAtomic } from "../system/atomic-file.ts";
import { openRedoLog, replayRedoLog } from "../system/redo-log.ts";
import { openJournalFile } from "./journal-file.ts";
import { fitsJournal, type JournalSummary, openEarlierLines, writeSummary } from "./journal-summary.ts";
import {
  type JournalContent,
  type JournalRead,
  type JournalRefusal,
  type JournalTail,
  readJournal,
} from "./read-journal.ts";
import { readOwnIdentity } from "../process/process-identity.ts";

/*
 * A copy of each tick's lines, in the folder of that tick.
 *
 * A journal that somebody cut at the end of an earlier line still has a chain without a fault. The copies show that it
 * was longer, and restore the lost lines. They are written after the journal, so they hold nothing that it did not
 * hold.
 */

function openTickLineCopies(stateDirectory: string) {
  const begun = new Set<string>();
  return {
    /** Copies a line that is in the journal by now; `listAll` has all lines of its tick up to that one. */
    add: (line: JournalLine, listAll: () => readonly JournalLine[]): void => {
      const path = locateTickLines(stateDirectory, line.run_id);
      try {
        if (begun.has(line.run_id)) return appendFileSync(path, renderLine(line));
        // A process that was killed may have left the copy behind the journal.
        replace(path, listAll().map(renderLine));
        begun.add(line.run_id);
      } catch {
        // A tick of another machine has no folder here, and a full disk has no room: what counts is the journal.
      }
    },
  };
}

function renderLine(line: JournalLine): string {
  return `${renderJournalText(line).text}\n`;
}

/** No syncing: a killed process loses nothing that was written, and after a power cut the journal itself is there. */
function replace(path: string, texts: readonly string[]): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, texts.join(""));
  } finally {
    closeSync(file);
  }
}

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

/** The caller's part of a line; number and hashes are the journal's own. */
type JournalEntry = Pick<JournalLine, "at" | "run_id" | "series_id" | "event">;

/** `lines` has all so far, those just appended included. */
export interface Journal extends FoldedLines {
  readonly path: string;
  /** Leaves its end and what the folds made of it for the next process: between two ticks, by the holder of the lock. */
  readonly summarise: (made: Pick<JournalEnd, "older" | "folds">) => void;
  /** The number of lines and the hash of the last, null where there is none. */
  readonly end: () => ChainEnd;
  /**
   * Resolves once the line is written, and on the disk if it is a promise: then everything before it is, too. A failed
   * write leaves the journal as it was.
   */
  readonly append: (entry: JournalEntry) => Promise<JournalLine>;
  /** Writes all lines that this process knows into a new file. The present one is set aside first. */
  readonly rewrite: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export type JournalOpened = { readonly kind: "open"; readonly journal: Journal } | JournalRefusal;

interface JournalPlaces {
  readonly path: string;
  /** The published journal, copied where there is none at `path`: the repository came from another machine. */
  readonly ledger: string | null;
}

/**
 * Opens the journal for writing; the caller holds the lock. Where there is none, the first line creates it. With a
 * summary that is its end, only the lines that somebody asks for are read.
 */
export async function openJournal(
  { path, ledger }: JournalPlaces,
  summary: JournalSummary | null = null,
): Promise<JournalOpened> {
  const { bootId } = await readOwnIdentity();
  replayRedoLog(dirname(path), bootId);
  if (summary !== null && fitsJournal(path, summary, bootId))
    return { kind: "open", journal: openAtEnd({ path, ledger }, summary) };
  const read = await readOrAdopt({ path, ledger });
  if (read.kind === "corrupt" || read.kind === "foreign") return read;
  const content = read.kind === "missing" ? { lines: [], ...NOTHING } : read;
  if (read.kind === "read" && read.torn.length > 0) await cutTornLine(path, read);
  return {
    kind: "open",
    journal: openWriter(path, { ...content, ledger, boot: bootId, folded: foldLines(content.lines) }),
  };
}

async function readOrAdopt({ path, ledger }: JournalPlaces): Promise<JournalRead> {
  const read = await readJournal(path);
  if (read.kind !== "missing" || ledger === null) return read;
  return (await adoptLedger(ledger, path)) ?? readJournal(path);
}

const NOTHING: JournalTail = { end: { seq: 0, sha256: null }, bytes: 0 };

function openAtEnd({ path, ledger }: JournalPlaces, summary: JournalSummary): Journal {
  const { end, bytes, boot } = summary;
  const earlier = openEarlierLines({ path, ledger }, summary);
  const folded = foldEnd({ ...summary, ...earlier });
  return openWriter(path, { end, bytes, ledger, boot, folded, close: earlier.close });
}

/** Copies a ledger that is whole to the last byte; it was published in one piece, so it cannot have a torn line. */
async function adoptLedger(ledger: string, path: string): Promise<JournalRefusal | null> {
  const read = await readJournal(ledger);
  if (read.kind === "missing") return null;
  if (read.kind === "corrupt" || read.kind === "foreign") return read;
  if (read.torn.length > 0)
    return { kind: "corrupt", path: ledger, line: read.lines.length + 1, reason: "it is cut off" };
  await copyAtomic(ledger, path, { mode: 0o600 });
  return null;
}

/** The torn line is on the disk under its own name before it leaves the journal; a crash in between repeats both. */
async function cutTornLine(path: string, { torn, bytes, end }: JournalContent): Promise<void> {
  await writeAtomic(join(dirname(path), `journal.torn-${end.seq}`), torn, { mode: 0o600 });
  const file = await open(path, O_WRONLY | O_NOFOLLOW);
  try {
    await file.truncate(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

interface WriterStart extends JournalTail {
  readonly ledger: string | null;
  readonly boot: string;
  readonly folded: GrowingLines;
  readonly close?: () => void;
}

function openWriter(path: string, start: WriterStart): Journal {
  const file = openJournalFile(path, start.bytes);
  const redo = openRedoLog(dirname(path));
  let { folded, end } = start;
  let copies = openTickLineCopies(dirname(path));
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => null); // One failure is one caller's; the next line has its own try.
    return done;
  };

  const write = async (entry: JournalEntry): Promise<JournalLine> => {
    const line = validate({ version: RECORD_VERSION, seq: end.seq, ...entry, prev: end.sha256 });
    const { text, sha256 } = renderJournalText(line);
    const data = Buffer.from(`${text}\n`);
    if (data.length > LINE_BYTES_MAX) throw new InvariantError("a line of the journal is too long");
    const promise = readPromise(line.event);
    if (promise === "files") redo.sync();
    await file.append(data, { end, isDurable: promise !== "nothing" });
    folded.push(line);
    end = { seq: end.seq + 1, sha256 };
    copies.add(line, () => folded.linesOf(line.run_id));
    return line;
  };

  const rewrite = async (): Promise<void> => {
    const { lines, end: last, text } = renderLines(folded);
    await file.replace(Buffer.from(text));
    folded = foldLines(lines);
    end = last;
    copies = openTickLineCopies(dirname(path)); // They may be gone as well.
  };

  return {
    path,
    ...passOn(() => folded),
    summarise: (made) => writeSummary({ path, ...start }, { ...made, recent: folded.tail(), end, bytes: file.bytes() }),
    end: () => end,
    append: (entry) => inTurn(() => write(entry)),
    rewrite: () => inTurn(rewrite),
    close: async () => {
      await turn;
      start.close?.();
      await file.close();
    },
  };
}

/** A rewritten journal has other lines. */
function passOn(present: () => FoldedLines): FoldedLines {
  return {
    lines: () => present().lines(),
    recent: () => present().recent(),
    linesOf: (runId) => present().linesOf(runId),
    linesOfSeries: (seriesId) => present().linesOfSeries(seriesId),
    fold: (kind) => present().fold(kind),
    foldRecent: (kind) => present().foldRecent(kind),
  };
}

interface RenderedLines {
  readonly lines: readonly JournalLine[];
  readonly end: ChainEnd;
  readonly text: string;
}

/** All lines; where the earlier ones were destroyed everywhere, a new journal begins with those that are known. */
function renderLines(folded: GrowingLines): RenderedLines {
  let end: ChainEnd = NOTHING.end;
  const lines: JournalLine[] = [];
  const texts: string[] = [];
  for (const known of findAll(folded)) {
    const line = { ...known, seq: end.seq, prev: end.sha256 };
    const { text, sha256 } = renderJournalText(line);
    lines.push(line);
    texts.push(`${text}\n`);
    end = { seq: end.seq + 1, sha256 };
  }
  return { lines, end, text: texts.join("") };
}

function findAll(folded: GrowingLines): readonly JournalLine[] {
  try {
    return folded.lines();
  } catch {
    return folded.known();
  }
}

/** Cuts texts and validates before writing, because a line that cannot be read back would block every later tick. */
function validate(line: JournalLine): JournalLine {
  const parsed = parseWith(JournalLine, { ...line, event: fitTexts(line.event) });
  if (parsed.kind === "valid") return parsed.value;
  throw new InvariantError(`an event that no journal takes: ${parsed.problems[0]?.message ?? "unknown"}`);
}
