/**
 * Whether the journal has all of its lines.
 *
 * The chain of hashes finds every change but one: a journal that was cut after a whole line, or emptied, or removed. So
 * it is compared with the copies of each tick's lines, the ledger in the workspace, and the locks of processes that are
 * gone, which note the length of the journal when their tick began to change something.
 *
 * It needs no lock. A running relais writes the journal first and everything else after it; so a missing line is looked
 * for once more in the journal as it is then.
 */
import { join } from "node:path";
import type { JournalLine } from "../records/event.ts";
import type { Lock } from "../records/lock.ts";
import { readBounded } from "../system/bounded-file.ts";
import { splitLogLines } from "./log-lines.ts";
import { type ChainEnd, readLoneLine } from "./journal-text.ts";
import { listFolders } from "../system/list-folders.ts";
import { inspectLock } from "./acquire-lock.ts";
import {
  type JournalCorrupt,
  type JournalForeign,
  type JournalRead,
  type JournalRefusal,
  readJournal,
} from "./read-journal.ts";
import { locateTickLines } from "./run-directory.ts";

export interface SurveyRequest {
  readonly stateDirectory: string;
  /** The published journal. */
  readonly ledger: string;
  readonly lockPaths: readonly string[];
}

export type JournalSurvey =
  | { readonly kind: "whole"; readonly lines: readonly JournalLine[] }
  /** Lines are missing, and copies of all of them are there. */
  | {
      readonly kind: "short";
      /** With the missing ones. */
      readonly lines: readonly JournalLine[];
      /** Their text, to be written after `bytes` of the journal. */
      readonly missing: readonly Buffer[];
      readonly bytes: number;
      /** Further damage of the journal, null where it was only cut. */
      readonly damage: JournalCorrupt | null;
    }
  /** A tick began that neither the journal nor any copy knows. */
  | { readonly kind: "lost"; readonly lines: readonly JournalLine[]; readonly holder: Lock }
  | JournalRefusal;

const COPY_BYTES_MAX = 512 * 1024 * 1024;
const START: ChainEnd = { seq: 0, sha256: null };

export async function surveyJournal(request: SurveyRequest): Promise<JournalSurvey> {
  const path = join(request.stateDirectory, "journal.jsonl");
  const gone = await listGoneHolders(request.lockPaths);
  const read = await readJournal(path);
  if (read.kind === "foreign") return read;
  if (gone === null) return acceptAsIs(read, request.ledger);
  const copies = await readCopies(request, read);
  if (copies.kind === "foreign") return copies;
  const first = await compare(read, copies.byPlace, gone, request.ledger);
  if (first.kind === "whole") return first;
  const again = await readJournal(path);
  if (again.kind === "foreign") return again;
  return compare(again, copies.byPlace, gone, request.ledger);
}

/** Processes that are gone and noted the end of the journal; null where one is at work. */
async function listGoneHolders(paths: readonly string[]): Promise<readonly Lock[] | null> {
  const sightings = await Promise.all(paths.map(inspectLock));
  if (sightings.some(({ kind }) => kind === "busy")) return null;
  return sightings.flatMap((sighting) =>
    sighting.kind === "stale" && sighting.holder !== null ? [sighting.holder] : [],
  );
}

async function acceptAsIs(read: JournalRead, ledger: string): Promise<JournalSurvey> {
  const found = read.kind === "missing" ? await readJournal(ledger) : read;
  if (found.kind === "corrupt" || found.kind === "foreign") return found;
  return { kind: "whole", lines: found.kind === "missing" ? [] : found.lines };
}

interface LineCopy {
  readonly text: Buffer;
  readonly line: JournalLine;
  readonly sha256: string;
}

/** Named by what they continue. */
type CopiesByPlace = ReadonlyMap<string, LineCopy>;

function namePlace({ seq, sha256 }: ChainEnd): string {
  return `${seq} ${sha256 ?? ""}`;
}

/** Reads only copies that can hold more than the journal: of ticks without an end, and a longer ledger. */
async function readCopies(
  request: SurveyRequest,
  read: JournalRead,
): Promise<{ readonly kind: "copies"; readonly byPlace: CopiesByPlace } | JournalForeign> {
  const { stateDirectory, ledger } = request;
  const lines = read.kind === "read" ? read.lines : [];
  const ended = new Set(lines.flatMap(({ run_id, event }) => (event.type === "tick_ended" ? [run_id] : [])));
  const runs = (await listFolders(join(stateDirectory, "runs"))).filter((runId) => !ended.has(runId));
  const copies = new Map<string, LineCopy>();
  for (const path of [...runs.map((runId) => locateTickLines(stateDirectory, runId)), ledger]) {
    const found = await readBounded(path, COPY_BYTES_MAX);
    if (found.kind !== "read") continue;
    if (path === ledger && read.kind === "read" && found.data.length <= read.bytes) continue;
    for (const copy of parseCopies(found.data)) {
      if (copy.kind === "foreign") return { ...copy, path };
      const name = namePlace({ seq: copy.line.seq, sha256: copy.line.prev });
      if (!copies.has(name)) copies.set(name, copy);
    }
  }
  return { kind: "copies", byPlace: copies };
}

type CopyRead = ({ readonly kind: "copy" } & LineCopy) | Omit<JournalForeign, "path">;

function parseCopies(data: Buffer): readonly CopyRead[] {
  const copies: CopyRead[] = [];
  for (const [index, text] of splitLogLines(data).lines.entries()) {
    const read = readLoneLine(text);
    if (read?.kind === "line") copies.push({ kind: "copy", text, line: read.line, sha256: read.sha256 });
    if (read?.kind === "foreign") copies.push({ kind: "foreign", line: index + 1, version: read.version });
  }
  return copies;
}

async function compare(
  read: Exclude<JournalRead, JournalForeign>,
  copies: CopiesByPlace,
  gone: readonly Lock[],
  ledger: string,
): Promise<JournalSurvey> {
  const own = read.kind === "read" ? read : { lines: [], end: START, bytes: 0 };
  const { added, end } = follow(own.end, copies);
  const lines = [...own.lines, ...added.map(({ line }) => line)];
  // What can be read of a damaged journal must come back with the rest.
  if (read.kind === "corrupt" && (read.line === null || added.length < Math.max(1, read.line - 1))) return read;
  const holder = gone.find(({ journal }) => journal !== undefined && !isIn({ lines, end }, journal));
  if (holder !== undefined) return { kind: "lost", lines, holder };
  const foreign = read.kind === "missing" ? await surveyLedger(added, ledger) : null;
  if (foreign !== null) return foreign;
  if (added.length === 0) return { kind: "whole", lines };
  const missing = added.map(({ text }) => text);
  return { kind: "short", lines, missing, bytes: own.bytes, damage: read.kind === "corrupt" ? read : null };
}

/** The copies that continue a chain. */
function follow(
  from: ChainEnd,
  copies: CopiesByPlace,
): { readonly added: readonly LineCopy[]; readonly end: ChainEnd } {
  const added: LineCopy[] = [];
  let end = from;
  for (let next = copies.get(namePlace(end)); next !== undefined; next = copies.get(namePlace(end))) {
    added.push(next);
    end = { seq: end.seq + 1, sha256: next.sha256 };
  }
  return { added, end };
}

function isIn(
  { lines, end }: { readonly lines: readonly JournalLine[]; readonly end: ChainEnd },
  journal: NonNullable<Lock["journal"]>,
): boolean {
  const sha256 = journal.seq === end.seq ? end.sha256 : lines[journal.seq]?.prev;
  return sha256 === journal.sha256;
}

/** Without a journal: what the ledger alone says, or null where the copies hold more. */
async function surveyLedger(added: readonly LineCopy[], ledger: string): Promise<JournalSurvey | null> {
  const published = await readJournal(ledger);
  if (published.kind === "foreign") return published;
  // What can be read of a damaged ledger says nothing of what stood behind it.
  if (published.kind === "corrupt" && added.length < (published.line ?? Number.POSITIVE_INFINITY)) return published;
  // A repository that came from another machine has a ledger and no journal yet.
  const length = published.kind === "read" ? published.lines.length : 0;
  return added.length <= length ? acceptAsIs(published, ledger) : null;
}
