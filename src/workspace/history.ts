/** Reads the history folders. A damaged folder is an answer, too. */
import { locateRunDirectory } from "../journal/run-directory.ts";
import { completeForPerson } from "./held-out-lines.ts";
import { join } from "node:path";
import * as v from "valibot";
import { RunId } from "../base/identifier.ts";
import { Count } from "../base/quantity.ts";
import { Meta } from "../records/meta.ts";
import { Report } from "../records/report.ts";
import type { FoldedLines } from "../records/folded-lines.ts";
import { RunsFold } from "../journal/pure/journal-runs.ts";
import { TickRecords } from "../tick/pure/tick-records.ts";
import { parseWith } from "../base/schema-error.ts";
import { describeError } from "../base/errors.ts";
import { readBounded } from "../system/bounded-file.ts";
import { toBytePath } from "../system/byte-path.ts";
import { isFolder, readNow } from "../system/read-files.ts";
import { listFolders } from "../system/list-folders.ts";
import { parseJson } from "../system/parse-json.ts";
import { UNSAFE } from "../system/redo-log.ts";
import { readFingerprint } from "../journal/remembered-file.ts";
import { walk } from "../system/walk.ts";

const DOCUMENT_BYTES_MAX = 8 * 1024 * 1024;

export interface HistoryEntry {
  readonly runId: string;
  /** Null where the folder is incomplete or damaged. */
  readonly meta: Meta | null;
}

interface ListRequest {
  readonly limit: number;
  /** Ticks whose folders need not be opened. */
  readonly known?: ReadonlySet<string>;
}

/** The newest first, with the documents of the unknown ones. */
export async function listHistory(
  directory: string,
  { limit, known = new Set() }: ListRequest,
): Promise<{ readonly runIds: readonly string[]; readonly entries: readonly HistoryEntry[] }> {
  // A run id begins with its moment, so names sort by time.
  const runIds = (await listRunFolders(directory)).toReversed();
  const entries: HistoryEntry[] = [];
  for (const runId of runIds.filter((name) => !known.has(name)).slice(0, limit)) {
    const read = await readDocument(join(directory, runId, "meta.json"), Meta);
    entries.push({ runId, meta: read.kind === "document" ? read.value : null });
  }
  return { runIds, entries };
}

async function listRunFolders(directory: string): Promise<readonly string[]> {
  return (await listFolders(directory)).filter((name) => name !== "milestones" && v.is(RunId, name));
}

export type ShownRun =
  | {
      readonly kind: "run";
      readonly meta: Meta;
      readonly report: Report;
      readonly files: readonly { readonly name: string; readonly bytes: number }[];
    }
  | { readonly kind: "unknown" }
  | { readonly kind: "damaged"; readonly file: string; readonly reason: string };

interface HistoryPlace {
  readonly history: string;
  readonly stateDirectory: string;
}

/** As a person may read it. */
export async function showRun({ history, stateDirectory }: HistoryPlace, runId: string): Promise<ShownRun> {
  if (!v.is(RunId, runId)) return { kind: "unknown" };
  const folder = join(history, runId);
  const files = listFiles(folder);
  if (files.length === 0) return { kind: "unknown" };
  const documents = await readRun(folder);
  if (documents.kind !== "run") return documents;
  const report = completeForPerson(documents.report, locateRunDirectory(stateDirectory, runId));
  return { ...documents, report, files };
}

/** Links count as themselves and are not followed. */
export function countHistoryBytes(directory: string, besides: string | null = null): number {
  return listFiles(directory).reduce((sum, { name, bytes }) => (name === besides ? sum : sum + bytes), 0);
}

/** What is known of the history, as long as no folder came or went that relais did not publish. */
const HistoryNote = v.object({
  directory: v.string(),
  fingerprint: v.nullable(v.string()),
  bytes: v.pipe(Count, v.safeInteger()),
  /** Whether each folder is one of a tick in the journal; absent where nobody looked. */
  isOwn: v.exactOptional(v.boolean()),
});
type HistoryNote = v.InferOutput<typeof HistoryNote>;

const NOTE = "history.json";
const NOTE_BYTES_MAX = 64 * 1024;
/** So few ticks are counted each time, because a folder does not show that a file in it grew. */
const COUNTED_TICKS = 20;

/** Null where folders came or went since. */
export function recallHistory({ history, stateDirectory }: HistoryPlace): HistoryNote | null {
  try {
    const text = readNow(join(stateDirectory, NOTE), { bytesMax: NOTE_BYTES_MAX });
    const parsed = v.safeParse(HistoryNote, parseJson(text?.toString("utf8") ?? ""));
    const note = parsed.success ? parsed.output : null;
    return note?.directory === history && note.fingerprint === readFingerprint(history) ? note : null;
  } catch {
    return null;
  }
}

/** The size of the history. All of a long one is only looked at where it is not known. */
export async function measureHistory(place: HistoryPlace, journal: FoldedLines): Promise<number> {
  const { count } = journal.fold(RunsFold);
  const noted = recallHistory(place);
  if (noted !== null && count > COUNTED_TICKS) return noted.bytes;
  const bytes = countHistoryBytes(place.history);
  const { isOwn } = await findOwnership(place, journal);
  // A look alone writes nothing.
  if (count > 0 && (noted?.bytes !== bytes || noted.isOwn !== isOwn))
    noteHistory(place, { bytes, ...(isOwn === undefined ? {} : { isOwn }) });
  return bytes;
}

/** Only where all ticks are known anyway. */
async function findOwnership({ history }: HistoryPlace, journal: FoldedLines): Promise<Pick<HistoryNote, "isOwn">> {
  const records = journal.foldRecent(TickRecords);
  if (records.all().length < journal.fold(RunsFold).count) return {};
  return { isOwn: (await listRunFolders(history)).every((runId) => records.find(runId) !== null) };
}

/** Adds the folder of a tick to what is known, once it was published. */
export async function growHistory<T>(place: HistoryPlace, runId: string, publish: () => Promise<T>): Promise<T> {
  const known = isFolder(join(place.history, runId)) ? null : recallHistory(place);
  const published = await publish();
  if (known !== null)
    noteHistory(place, { ...known, bytes: known.bytes + countHistoryBytes(join(place.history, runId)) });
  return published;
}

/** Without it the history is looked at again, so a failure does not matter. */
function noteHistory({ history, stateDirectory }: HistoryPlace, known: Pick<HistoryNote, "bytes" | "isOwn">): void {
  const note: HistoryNote = { ...known, directory: history, fingerprint: readFingerprint(history) };
  try {
    UNSAFE.write(join(stateDirectory, NOTE), JSON.stringify(note));
  } catch {
    // As on a full disk.
  }
}

function listFiles(folder: string): readonly { readonly name: string; readonly bytes: number }[] {
  const { manifest } = walk({
    folder: toBytePath(folder),
    earlier: null,
    skipTopLevel: () => false,
    force: false,
  });
  return [...manifest]
    .filter(([, { type }]) => type !== "directory")
    .map(([path, { size }]) => ({ name: Buffer.from(path, "latin1").toString("utf8"), bytes: size }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

type RunRead =
  | { readonly kind: "run"; readonly meta: Meta; readonly report: Report }
  | { readonly kind: "damaged"; readonly file: string; readonly reason: string };

export async function readRun(folder: string): Promise<RunRead> {
  const meta = await readDocument(join(folder, "meta.json"), Meta);
  if (meta.kind === "damaged") return { ...meta, file: "meta.json" };
  const report = await readDocument(join(folder, "report.json"), Report);
  if (report.kind === "damaged") return { ...report, file: "report.json" };
  return { kind: "run", meta: meta.value, report: report.value };
}

type DocumentRead<T> =
  { readonly kind: "document"; readonly value: T } | { readonly kind: "damaged"; readonly reason: string };

async function readDocument<S extends v.GenericSchema>(
  path: string,
  schema: S,
): Promise<DocumentRead<v.InferOutput<S>>> {
  const read = await readBounded(path, DOCUMENT_BYTES_MAX);
  if (read.kind === "missing") return { kind: "damaged", reason: "it is missing" };
  return read.kind === "refused" ? { kind: "damaged", reason: read.reason } : readHistoryDocument(read.data, schema);
}

export function readHistoryDocument<S extends v.GenericSchema>(
  data: Buffer,
  schema: S,
): DocumentRead<v.InferOutput<S>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data));
  } catch (error) {
    return {
      kind: "damaged",
      reason: `it is not JSON: ${describeError(error)}`,
    };
  }
  const parsed = parseWith(schema, value);
  return parsed.kind === "valid"
    ? { kind: "document", value: parsed.value }
    : { kind: "damaged", reason: parsed.problems[0]?.message ?? "it is not valid" };
}
