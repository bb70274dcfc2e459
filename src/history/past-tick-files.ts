import type { FileTrouble, OtherFiles, ReplayedTick } from "../records/status-answers.ts";
import { basename, join } from "node:path";
import { findJudgement, findOutcome, isPruned } from "../tick/pure/tick-facts.ts";
import { Evidence } from "../records/evidence.ts";
import type { HistoryFile, JournalLine } from "../records/event.ts";
import { unreachable } from "../base/errors.ts";
import { replay } from "../journal/pure/replay.ts";
import { findTickRecord, listHistoryFiles, type TickRecord } from "../tick/pure/tick-records.ts";
import { readBounded } from "../system/bounded-file.ts";
import { isFolder } from "../system/read-files.ts";
import { readHistoryDocument, readRun } from "../workspace/history.ts";
import { compareFile, listFileTroubles, type Folders, hashDocument } from "../workspace/runner-documents.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";

/** Judges a tick of the history again and compares everything with what the journal says of it. */

const EVIDENCE_BYTES_MAX = 256 * 1024 * 1024;

export interface ReplayRequest extends Folders {
  readonly lines: readonly JournalLine[] | null;
}

export async function replayRun(request: ReplayRequest): Promise<ReplayedTick> {
  const { folder, lines } = request;
  const record = lines === null ? null : findTickRecord(lines, basename(folder));
  const files = record === null ? null : listHistoryFiles(record);
  const known = answerWithoutReplay(record, isFolder(folder));
  if (known !== null) return known;
  const [first, ...rest] = files === null ? [] : await listFileTroubles(request, files);
  const judged = await judgeAgain(request, record);
  if (first !== undefined) return { ...addPlace(first, judged), others: rest.map(describeOther) };
  switch (judged.kind) {
    case "differs":
    case "damaged":
      return { ...judged, others: [] };
    case "same":
      return { ...judged, isFolderChecked: files !== null };
    case "nothing-judged":
      return judged;
    default:
      return unreachable(judged);
  }
}

/** The folder is published last, so a journal without the end of its tick has lost lines. */
const WITHOUT_END: ReplayedTick = {
  kind: "damaged",
  file: "the journal",
  reason: "it has no end of this tick",
  others: [],
};

/** Null if the folder must be read. */
function answerWithoutReplay(record: TickRecord | null, hasFolder: boolean): ReplayedTick | null {
  // An interrupted removal may have left files; they prove nothing.
  if (record !== null && isPruned(record.state)) return { kind: "pruned" };
  if (!hasFolder) return answerWithoutFolder(record === null ? null : listHistoryFiles(record));
  return record !== null && findOutcome(record.state) === null ? WITHOUT_END : null;
}

function answerWithoutFolder(files: readonly HistoryFile[] | null): ReplayedTick {
  if (files?.length === 0) return { kind: "not-kept" };
  return { kind: "damaged", file: "its folder", reason: "it is missing", others: [] };
}

/** A field says more than a hash, if both differ in the same file. */
function addPlace(trouble: FileTrouble, judged: JudgedAgain): FileTrouble {
  const isSame = trouble.kind === "differs" && judged.kind === "differs" && judged.file === trouble.file;
  return isSame && trouble.place === "sha256" ? { ...judged, sha256: trouble.sha256 } : trouble;
}

function describeOther(trouble: FileTrouble): OtherFiles["others"][number] {
  return { file: trouble.file, reason: trouble.kind === "differs" ? "it was changed" : trouble.reason };
}

type JudgedAgain =
  | Omit<Extract<ReplayedTick, { kind: "same" }>, "isFolderChecked">
  | Extract<ReplayedTick, { kind: "nothing-judged" }>
  | FileTrouble;

async function judgeAgain(request: ReplayRequest, record: TickRecord | null): Promise<JudgedAgain> {
  const evidence = await readEvidence(request, record);
  if (evidence.kind !== "evidence") return evidence;
  const run = await readRun(request.folder);
  if (run.kind === "damaged") return run;
  const { judgement, difference } = replay({ ...run, evidence: evidence.value, record });
  if (difference !== null) return { kind: "differs", ...difference, sha256: null };
  return judgement === null ? { kind: "nothing-judged" } : { kind: "same", judgement, isHashChecked: record !== null };
}

type EvidenceRead = { readonly kind: "evidence"; readonly value: Evidence | null } | FileTrouble;

/** Null where the tick was never judged, whatever is in its folder. */
async function readEvidence(request: ReplayRequest, record: TickRecord | null): Promise<EvidenceRead> {
  const judged = record === null ? null : findJudgement(record.state);
  const expected = judged?.evidence_sha256 ?? null;
  if (record !== null && expected === null) return { kind: "evidence", value: null };
  const read = await readBounded(join(request.folder, "evidence.json"), EVIDENCE_BYTES_MAX);
  const file = "evidence.json";
  if (read.kind === "missing")
    return expected === null ? { kind: "evidence", value: null } : { kind: "damaged", file, reason: "it is missing" };
  if (read.kind === "refused") return { kind: "damaged", file, reason: read.reason };
  return checkEvidence(request, read.data, expected);
}

async function checkEvidence(request: ReplayRequest, data: Buffer, expected: string | null): Promise<EvidenceRead> {
  const found = hashDocument(data);
  if (expected !== null && found !== expected)
    return compareFile(request, "evidence.json", { recorded: expected, found });
  const document = readHistoryDocument(data, Evidence);
  return document.kind === "damaged"
    ? { ...document, file: "evidence.json" }
    : { kind: "evidence", value: document.value };
}

/** The recorded files of one past tick. */

const PATCH_BYTES_MAX = 512 * 1024 * 1024;

export type PatchFound =
  | { readonly kind: "patch"; readonly patch: Buffer }
  /** Nothing changed, or the patch was not kept. */
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly path: string; readonly reason: string };

export async function readTickPatch(
  { stateDirectory, history }: WorkspaceSnapshot,
  runId: string,
): Promise<PatchFound> {
  for (const folder of [locateRunDirectory(stateDirectory, runId), join(history, runId)]) {
    const path = join(folder, "diff.patch");
    const read = await readBounded(path, PATCH_BYTES_MAX);
    if (read.kind === "read") return { kind: "patch", patch: read.data };
    if (read.kind === "refused") return { kind: "refused", path, reason: read.reason };
  }
  return { kind: "none" };
}

export function replayTick(
  { stateDirectory, history, lines }: WorkspaceSnapshot,
  runId: string,
): Promise<ReplayedTick> {
  return replayRun({
    folder: join(history, runId),
    lines: lines.length === 0 ? null : lines,
    original: locateRunDirectory(stateDirectory, runId),
  });
}

/** The first line of the ledger that differs from the journal. */
export function findEditedLedgerLine(snapshot: WorkspaceSnapshot): Promise<number | null> {
  const { stateDirectory, repository, config } = snapshot;
  return findLedgerDifference(
    join(stateDirectory, "journal.jsonl"),
    join(repository.root, config.workspace_dir, "ledger.jsonl"),
  );
}

const BYTES_MAX = 512 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The first line in which journal and published journal differ, counted from 1; null where one is the beginning of the
 * other, since the journal may have grown, and where one of them is missing.
 */
export async function findLedgerDifference(journal: string, ledger: string): Promise<number | null> {
  const [own, published] = await Promise.all([readBounded(journal, BYTES_MAX), readBounded(ledger, BYTES_MAX)]);
  if (own.kind !== "read" || published.kind !== "read") return null;
  const length = Math.min(own.data.length, published.data.length);
  if (own.data.subarray(0, length).equals(published.data.subarray(0, length))) return null;
  let line = 1;
  for (let at = 0; own.data[at] === published.data[at]; at += 1) if (own.data[at] === NEWLINE) line += 1;
  return line;
}
