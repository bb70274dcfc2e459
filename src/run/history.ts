/** What happened, as the history folders tell it. Everything here only reads, and a damaged folder is an answer. */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import * as v from "valibot";
import { Evidence } from "../contract/evidence.ts";
import type { JournalLine } from "../contract/event.ts";
import { RunId } from "../contract/identifier.ts";
import type { Judgement } from "../contract/judgement.ts";
import { Meta } from "../contract/meta.ts";
import { Report } from "../contract/report.ts";
import { parseWith } from "../contract/schema-error.ts";
import { replay } from "../core/tick/replay.ts";
import { tickRecord, type TickRecord } from "../core/tick/tick-records.ts";
import { readBounded } from "../io/bounded-file.ts";
import { bytePath } from "../io/byte-path.ts";
import { listFolders } from "../io/list-folders.ts";
import { walk } from "../io/walk.ts";

const DOCUMENT_BYTES_MAX = 8 * 1024 * 1024;
const EVIDENCE_BYTES_MAX = 256 * 1024 * 1024;

export interface HistoryEntry {
  readonly runId: string;
  /** Null where the folder is incomplete or damaged. */
  readonly meta: Meta | null;
}

interface ListRequest {
  /** How many folders are opened at most. */
  readonly limit: number;
  /** Ticks whose folders need not be opened, because everything about them is known. */
  readonly known?: ReadonlySet<string>;
}

/** The ticks of a history folder by name, the newest first, and what the folders of the unknown ones say. */
export async function listHistory(
  directory: string,
  { limit, known = new Set() }: ListRequest,
): Promise<{ readonly runIds: readonly string[]; readonly entries: readonly HistoryEntry[] }> {
  // A run id begins with its moment, so names sort by time.
  const runIds = (await listFolders(directory)).filter(isRunFolder).toReversed();
  const entries: HistoryEntry[] = [];
  for (const runId of runIds.filter((name) => !known.has(name)).slice(0, limit)) {
    const read = await readDocument(join(directory, runId, "meta.json"), Meta);
    entries.push({ runId, meta: read.kind === "document" ? read.value : null });
  }
  return { runIds, entries };
}

/** Besides the folders of ticks there is one for milestones. */
function isRunFolder(name: string): boolean {
  return name !== "milestones" && v.is(RunId, name);
}

export type ShownRun =
  | {
      readonly kind: "run";
      readonly meta: Meta;
      readonly report: Report;
      /** Everything in the folder, with sizes. */
      readonly files: readonly { readonly name: string; readonly bytes: number }[];
    }
  | { readonly kind: "unknown" }
  | { readonly kind: "damaged"; readonly file: string; readonly reason: string };

/** One tick of a history folder. */
export async function showRun(directory: string, runId: string): Promise<ShownRun> {
  if (!v.is(RunId, runId)) return { kind: "unknown" };
  const folder = join(directory, runId);
  const files = filesOf(folder);
  if (files.length === 0) return { kind: "unknown" };
  const documents = await readRun(folder);
  return documents.kind === "run" ? { ...documents, files } : documents;
}

/** The size of everything below a folder; links count as themselves and are not followed. */
export function historyBytes(directory: string): number {
  return filesOf(directory).reduce((sum, { bytes }) => sum + bytes, 0);
}

function filesOf(folder: string): readonly { readonly name: string; readonly bytes: number }[] {
  const { manifest } = walk({
    folder: bytePath(folder),
    earlier: null,
    skipTopLevel: () => false,
    force: false,
  });
  return [...manifest]
    .filter(([, { type }]) => type !== "directory")
    .map(([path, { size }]) => ({ name: Buffer.from(path, "latin1").toString("utf8"), bytes: size }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export interface ReplayRequest {
  /** The folder of one tick in the history. */
  readonly folder: string;
  /** The journal, or null where there is none. */
  readonly lines: readonly JournalLine[] | null;
  /** The tick's folder in the state directory, should it still exist: it shows which byte was changed. */
  readonly original: string | null;
}

export type Replayed =
  | { readonly kind: "same"; readonly judgement: Judgement; readonly isHashChecked: boolean }
  | {
      readonly kind: "differs";
      readonly file: string;
      /** A field such as `findings[0].code`, or a byte of the file. */
      readonly place: string;
      readonly recorded: string;
      readonly derived: string;
      /** The hashes of the whole file, where it is not the one that was recorded. */
      readonly sha256: { readonly recorded: string; readonly found: string } | null;
    }
  /** The tick ended before anything was judged, so there is nothing to judge again. */
  | { readonly kind: "nothing-judged" }
  | { readonly kind: "damaged"; readonly file: string; readonly reason: string };

/** Derives the verdict of a tick from its evidence once more and compares it with everything that was recorded. */
export async function replayRun(request: ReplayRequest): Promise<Replayed> {
  const { folder, lines } = request;
  const record = lines === null ? null : tickRecord(lines, basename(folder));
  const evidence = await readEvidence(request, record);
  if (evidence.kind !== "evidence") return evidence;
  const run = await readRun(folder);
  if (run.kind === "damaged") return run;
  const { judgement, difference } = replay({ ...run, evidence: evidence.value, record });
  if (difference !== null) return { kind: "differs", ...difference, sha256: null };
  return judgement === null
    ? { kind: "nothing-judged" }
    : { kind: "same", judgement, isHashChecked: record !== null };
}

type EvidenceRead =
  | { readonly kind: "evidence"; readonly value: Evidence | null }
  | Extract<Replayed, { kind: "differs" | "damaged" }>;

/** The evidence as it was recorded; null where the tick was never judged, whatever lies in its folder. */
async function readEvidence(request: ReplayRequest, record: TickRecord | null): Promise<EvidenceRead> {
  const expected = record?.state.judged?.evidence_sha256 ?? null;
  if (record !== null && expected === null) return { kind: "evidence", value: null };
  const read = await readBounded(join(request.folder, "evidence.json"), EVIDENCE_BYTES_MAX);
  const file = "evidence.json";
  if (read.kind === "missing")
    return expected === null
      ? { kind: "evidence", value: null }
      : { kind: "damaged", file, reason: "it is missing" };
  if (read.kind === "refused") return { kind: "damaged", file, reason: read.reason };
  return checkedEvidence(request, read.data, expected);
}

async function checkedEvidence(
  request: ReplayRequest,
  data: Buffer,
  expected: string | null,
): Promise<EvidenceRead> {
  if (expected !== null && sha256(data) !== expected) return changedEvidence(request, data, expected);
  const document = documentOf(data, Evidence);
  return document.kind === "damaged"
    ? { ...document, file: "evidence.json" }
    : { kind: "evidence", value: document.value };
}

/** Names the first byte that was changed, where the original is still there to compare with. */
async function changedEvidence(
  { original }: ReplayRequest,
  data: Buffer,
  expected: string,
): Promise<EvidenceRead> {
  const read =
    original === null ? null : await readBounded(join(original, "evidence.json"), EVIDENCE_BYTES_MAX);
  const found = sha256(data);
  const differs = {
    kind: "differs",
    file: "evidence.json",
    sha256: { recorded: expected, found },
  } as const;
  if (read?.kind !== "read" || sha256(read.data) !== expected)
    return { ...differs, place: "sha256", recorded: expected, derived: found };
  const at = firstByte(read.data, data);
  return { ...differs, place: `byte ${at}`, recorded: excerpt(read.data, at), derived: excerpt(data, at) };
}

/** The first offset at which two buffers that are not the same differ. */
function firstByte(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) return at;
  return length;
}

const EXCERPT_BYTES = 40;

function excerpt(data: Buffer, at: number): string {
  return at >= data.length ? "nothing" : JSON.stringify(data.toString("latin1", at, at + EXCERPT_BYTES));
}

type RunRead =
  | { readonly kind: "run"; readonly meta: Meta; readonly report: Report }
  | { readonly kind: "damaged"; readonly file: string; readonly reason: string };

async function readRun(folder: string): Promise<RunRead> {
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
  return read.kind === "refused" ? { kind: "damaged", reason: read.reason } : documentOf(read.data, schema);
}

function documentOf<S extends v.GenericSchema>(data: Buffer, schema: S): DocumentRead<v.InferOutput<S>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data));
  } catch (error) {
    return {
      kind: "damaged",
      reason: `it is not JSON: ${error instanceof Error ? error.message : "unknown"}`,
    };
  }
  const parsed = parseWith(schema, value);
  return parsed.kind === "valid"
    ? { kind: "document", value: parsed.value }
    : { kind: "damaged", reason: parsed.problems[0]?.message ?? "it is not valid" };
}

function sha256(data: Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}
