/**
 * The end of a journal, and what the folds made of all its lines: what most commands need of a long history.
 *
 * Nothing is believed that the journal does not say: the summary holds for one file of one boot, between two ticks, and
 * only where no lock, no folder of a tick and no longer ledger tell of more. Otherwise every line is read.
 */
import { closeSync, constants, lstatSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import type { JournalLine } from "../records/event.ts";
import type { JournalEnd } from "../records/folded-lines.ts";
import { isRecord } from "../base/quantity.ts";
import { MeasurementError } from "../base/errors.ts";
import { readFingerprint, readJournalFingerprint, readRemembered, writeRemembered } from "./remembered-file.ts";
import { parseJson } from "../system/parse-json.ts";
import { readNow, isThere } from "../system/read-files.ts";
import { findLedgerMark, type LedgerMark, noteLedger } from "./ledger-copy.ts";
import { type ChainEnd, LINE_BYTES_MAX, renderJournalText } from "./journal-text.ts";
import { type JournalTail, readJournalNow, readSeriesLines } from "./read-journal.ts";

const { O_RDONLY, O_NOFOLLOW } = constants;
const NAME = "summary.json";

interface SummaryBody extends Omit<JournalEnd, "readAll" | "readSeries">, JournalTail {
  readonly boot: string;
  /** The fingerprint of the folder with the ticks' own copies of their lines. */
  readonly runs: string | null;
  /** The copy that was published last. */
  readonly ledger: LedgerMark | null;
}

const Lines = v.array(v.custom<JournalLine>((line) => isRecord(line) && isRecord(line["event"])));
/** Somebody else may have written the file, and it is not the reason why a command crashes. */
const Summary = v.object({
  boot: v.string(),
  runs: v.nullable(v.string()),
  ledger: v.nullable(v.object({ path: v.string(), fingerprint: v.string(), inode: v.string(), bytes: v.number() })),
  recent: Lines,
  older: Lines,
  folds: v.record(v.string(), v.string()),
  end: v.object({ seq: v.number(), sha256: v.nullable(v.string()) }),
  bytes: v.number(),
});

export interface JournalSummary extends SummaryBody {
  /** The fingerprint of the journal. */
  readonly journal: string | null;
}

/** Null where every line has to be read. */
export function recallJournal(
  stateDirectory: string,
  ledger: string,
  lockPaths: readonly string[],
): JournalSummary | null {
  if (lockPaths.some((path) => isThere(path))) return null;
  const found = readRemembered(stateDirectory, NAME);
  if (found === null) return null;
  const parsed = v.safeParse(Summary, parseJson(found.text));
  if (!parsed.success) return null;
  const summary: SummaryBody = parsed.output;
  if (summary.runs !== readFingerprint(join(stateDirectory, "runs"))) return null;
  if ((lstatSync(ledger, { throwIfNoEntry: false })?.size ?? 0) > summary.bytes) return null;
  if (summary.ledger !== null) noteLedger(summary.ledger);
  return { ...summary, journal: found.journal };
}

/** Whether it is still the end of this journal: also the last line is compared, because times do not show every write. */
export function fitsJournal(path: string, summary: JournalSummary, boot: string): boolean {
  const last = summary.recent.at(-1);
  if (last === undefined || summary.boot !== boot) return false;
  if (summary.journal !== readJournalFingerprint(dirname(path))) return false;
  const { text, sha256 } = renderJournalText(last);
  const written = Buffer.from(`${text}\n`);
  const found = readNow(path, { bytesMax: Math.min(written.length, LINE_BYTES_MAX), isTail: true });
  return sha256 === summary.end.sha256 && found?.equals(written) === true;
}

interface SummarySource {
  readonly path: string;
  readonly ledger: string | null;
  readonly boot: string;
}

export function writeSummary(
  { path, ledger, boot }: SummarySource,
  content: JournalTail & Pick<SummaryBody, "recent" | "older" | "folds">,
): void {
  const runs = readFingerprint(join(dirname(path), "runs"));
  const mark = ledger === null ? null : findLedgerMark(ledger);
  writeRemembered(dirname(path), NAME, { ...content, boot, runs, ledger: mark } satisfies SummaryBody);
}

/**
 * Reads the lines of a summary when they are asked for. The file stays open, so that a journal that somebody removes
 * meanwhile can still be read; one that was overwritten is read from its copy in the workspace.
 */
export function openEarlierLines({ path, ledger }: Pick<SummarySource, "path" | "ledger">, tail: JournalTail) {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW);
  let isOpen = true;
  const readAll = (): readonly JournalLine[] => {
    const own = isOpen ? readUpTo(file, path, tail) : readCopy(path, tail);
    const lines = own ?? (ledger === null ? null : readCopy(ledger, tail));
    if (lines === null) throw new MeasurementError(path, "its earlier lines have changed");
    return lines;
  };
  return {
    readAll,
    readSeries: (seriesId: string): readonly JournalLine[] =>
      (isOpen
        ? readSeriesLines(file, seriesId, tail)
        : withFile(path, (again) => readSeriesLines(again, seriesId, tail))) ??
      readAll().filter(({ series_id }) => series_id === seriesId),
    close: (): void => {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}

function readUpTo(file: number, path: string, { end, bytes }: JournalTail): readonly JournalLine[] | null {
  const read = readJournalNow(file, path, bytes);
  return read.kind === "read" && isSameEnd(read.end, end) ? read.lines : null;
}

function readCopy(ledger: string, tail: JournalTail): readonly JournalLine[] | null {
  return withFile(ledger, (file) => readUpTo(file, ledger, tail));
}

type Lines = readonly JournalLine[] | null;

/** Null where it cannot be read. */
function withFile(path: string, read: (file: number) => Lines): Lines {
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW);
    try {
      return read(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function isSameEnd(one: ChainEnd, other: ChainEnd): boolean {
  return one.seq === other.seq && one.sha256 === other.sha256;
}
