/**
 * Stores both sides of a change in the private repository, and finds them again.
 *
 * Salvage and undo use the same form: a pair of trees under a ref, and a document that describes
 * them. Content is stored before the document, so an existing document can be relied on.
 */
import { createHash } from "node:crypto";
import type { Code } from "../base/codes.ts";
import type { Evidence } from "../records/evidence.ts";
import { type KeptFile, KeptWork, type LeftOut } from "../records/kept-work.ts";
import type { JournalLine } from "../records/event.ts";
import { parseWith } from "../base/schema-error.ts";
import { isStorableName, chooseKeptBesides, chooseKeptFiles, type KeepLimits } from "../judge/pure/kept-files.ts";
import { writePairPatch, storePair } from "../store/change-pair.ts";
import { readClockMs } from "../system/clock.ts";
import type { ContentStore } from "../store/content-store.ts";
import { locateKeptFolder, readKeptMeta, writeKept } from "../store/rescue.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";

export interface KeepWorkRequest {
  readonly store: ContentStore;
  readonly stateDirectory: string;
  readonly runId: string;
  readonly code: Code;
  readonly evidence: Evidence;
  /** Whether no rule was broken, so that complete work can be continued. */
  readonly isLawful?: boolean;
  /** Files that the runner writes beside a change: lawful work without them is complete. */
  readonly isRunners?: (path: string) => boolean;
  /** Changes that no commit holds, so that undo reverts them too. */
  readonly besides?: Evidence["changes"];
}

type KeptKind = KeptWork["kind"];

/** The rest is only counted. */
const LEFT_OUT_MAX = 1_000;
/** A larger patch is too long to read, and takes several times its size in memory. */
const PATCHED_BYTES_MAX = 64 * 1024 * 1024;

const MIB = 1024 * 1024;
/** The limits of salvage. */
const BESIDES_LIMITS = { filesMax: 20_000, fileBytesMax: 16 * MIB, totalBytesMax: 64 * MIB };

/** May be repeated. */
export async function keepWork(
  request: KeepWorkRequest,
  { kind, limits }: { readonly kind: KeptKind; readonly limits: KeepLimits },
): Promise<KeptWork> {
  const { store, stateDirectory, runId, code, evidence, isLawful = false, isRunners = () => false } = request;
  const { files, leftOut } = chooseKeptFiles(evidence, limits);
  const listed = leftOut.toSorted((left, right) => rankLeftOut(left) - rankLeftOut(right));
  const ref = nameKeptRef(kind, runId);
  const trees = await storePair(
    store,
    ref,
    files.map((file) => ({ path: decodeChangePath(file), before: file.before, after: file.after })),
  );
  const besides = await keepBesides(request, kind);
  const kept: KeptWork = {
    version: 1,
    kind,
    run_id: runId,
    kept_at: new Date(readClockMs()).toISOString(),
    code,
    files: [...files],
    left_out: listed.slice(0, LEFT_OUT_MAX),
    left_out_total: leftOut.length,
    ...(isLawful && leftOut.every((one) => one.reason === "ignored" || isRunners(one.path)) ? { whole: true } : {}),
    ...(besides === null ? {} : { besides }),
  };
  await writeDocuments(store, stateDirectory, kept, trees);
  return kept;
}

/** Keeps the work of another state directory here, as salvage. Its content is in this store already. */
export async function adoptWork(store: ContentStore, stateDirectory: string, work: KeptWork): Promise<void> {
  const { besides: _, ...rest } = work;
  const kept: KeptWork = { ...rest, kind: "salvage" };
  const trees = await storePair(
    store,
    nameKeptRef("salvage", kept.run_id),
    kept.files.map((file) => ({ path: decodeChangePath(file), before: file.before, after: file.after })),
  );
  await writeDocuments(store, stateDirectory, kept, trees);
}

async function writeDocuments(
  store: ContentStore,
  stateDirectory: string,
  kept: KeptWork,
  trees: Awaited<ReturnType<typeof storePair>>,
): Promise<void> {
  const { kind, run_id: runId, files } = kept;
  const isLong = countBytes(files) > PATCHED_BYTES_MAX;
  writeKept(
    store.redo,
    locateKeptFolder(stateDirectory, kind, runId),
    renderMeta(kept),
    isLong ? null : await writePairPatch(store, nameKeptRef(kind, runId), trees),
  );
}

/** Only the side before is stored: the other is in the worktree. */
async function keepBesides(
  { store, runId, evidence: { rules }, besides: changes = [] }: KeepWorkRequest,
  kind: KeptKind,
): Promise<NonNullable<KeptWork["besides"]> | null> {
  if (changes.length === 0) return null;
  const { files, leftOut } = chooseKeptBesides({ rules, changes }, BESIDES_LIMITS);
  await storePair(
    store,
    nameBesidesRef(kind, runId),
    files.map((file) => ({ path: decodeChangePath(file), before: file.before, after: null })),
  );
  return { files: [...files], left_out: leftOut.slice(0, LEFT_OUT_MAX), left_out_total: leftOut.length };
}

export function nameBesidesRef(kind: KeptKind, runId: string): string {
  return `${nameKeptRef(kind, runId)}-besides`;
}

function countBytes(files: readonly KeptFile[]): number {
  return files.reduce((bytes, { before, after }) => bytes + (before?.size ?? 0) + (after?.size ?? 0), 0);
}

/** There may be many ignored files: they are listed last. */
function rankLeftOut({ reason }: LeftOut): number {
  return reason === "ignored" ? 1 : 0;
}

export function nameKeptRef(kind: KeptKind, runId: string): string {
  return `refs/relais/${kind}/${runId}`;
}

export type FoundWork =
  | { readonly kind: "found"; readonly work: KeptWork }
  | { readonly kind: "missing" }
  | { readonly kind: "damaged"; readonly reason: string };

const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{7,79}$/;

/** Where kept work is, and the journal that says which. */
export interface KeptPlace {
  readonly stateDirectory: string;
  readonly lines: readonly JournalLine[];
}

/** Refuses a document that relais cannot have written, or that is not the one of the journal. */
export async function findWork(
  { stateDirectory, lines }: KeptPlace,
  kind: KeptKind,
  runId: string,
): Promise<FoundWork> {
  if (!RUN_ID.test(runId)) return { kind: "missing" };
  const read = await readKeptMeta(locateKeptFolder(stateDirectory, kind, runId));
  if (read.kind === "missing") return { kind: "missing" };
  if (read.kind === "refused") return { kind: "damaged", reason: read.reason };
  const recorded = findRecordedHash(lines, kind, runId);
  if (recorded !== null && recorded !== computeHash(read.data))
    return { kind: "damaged", reason: "it is not what the journal recorded" };
  const parsed = parseWith(KeptWork, parseJson(read.data));
  if (parsed.kind === "invalid") return { kind: "damaged", reason: parsed.problems[0]?.message ?? "it is invalid" };
  const reason = findStrangeness(parsed.value, { kind, runId });
  return reason === null ? { kind: "found", work: parsed.value } : { kind: "damaged", reason };
}

/** Null for a tick that is not settled yet, and of a version that recorded none. */
function findRecordedHash(lines: readonly JournalLine[], kind: KeptKind, runId: string): string | null {
  const line = lines.findLast(({ run_id, event }) => run_id === runId && event.type === "settled");
  if (line?.event.type !== "settled") return null;
  const isOfKind = (line.event.action === "rollback") === (kind === "salvage");
  return isOfKind ? (line.event.kept_sha256 ?? null) : null;
}

/** The hash of the document, for the journal. */
export function hashKept(work: KeptWork): string {
  return computeHash(renderMeta(work));
}

function renderMeta(work: KeptWork): string {
  return `${JSON.stringify(work, null, 2)}\n`;
}

function computeHash(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function parseJson(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString("utf8"));
  } catch {
    return null;
  }
}

function findStrangeness(work: KeptWork, expected: { readonly kind: KeptKind; readonly runId: string }): string | null {
  if (work.kind !== expected.kind || work.run_id !== expected.runId) return "it belongs to another tick";
  const strange = [...work.files, ...(work.besides?.files ?? [])].find(
    (file) => !isStorableName(decodeChangePath(file)),
  );
  return strange === undefined ? null : `it names ${strange.path}`;
}
