import { join } from "node:path";
import type { GenericSchema } from "valibot";
import { Blocked } from "../records/blocked.ts";
import type { Config } from "../config/config.ts";
import { Report } from "../records/report.ts";
import { parseWith } from "../base/schema-error.ts";
import { WorkspaceState } from "../records/state.ts";
import { Task } from "../records/task.ts";
import { compileAllowed } from "../base/globs.ts";
import { readBounded } from "../system/bounded-file.ts";
import { removeStaleFiles } from "../system/remove-own.ts";
import { createHash } from "node:crypto";
import type { FileDiffers, FileTrouble } from "../records/status-answers.ts";
import type { HistoryFile } from "../records/event.ts";
import { toBytePath } from "../system/byte-path.ts";
import { hashFile } from "../system/hash-file.ts";
import { walk } from "../system/walk.ts";

/**
 * The runner's own documents in the workspace.
 *
 * They are projections of the journal, so nothing depends on them. But one that its schema refuses was not written by
 * the runner, so it is reported; the report of that tick then overwrites it from the journal.
 */

const DOCUMENTS: readonly (readonly [string, GenericSchema])[] = [
  ["STATE.json", WorkspaceState],
  ["TASK.json", Task],
  ["REPORT.json", Report],
  ["BLOCKED.json", Blocked],
];
const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

export interface DocumentsRequest {
  readonly workspace: string;
  readonly cleanup: Config["runner"]["crash_cleanup"];
}

/** Only `.tmp` files, so that a wide glob removes nothing of a person. */
export function removeHalfWritten({ root, workspace, cleanup }: DocumentsRequest & { readonly root: string }): void {
  const isStale = compileAllowed([cleanup.delete_tmp_glob]);
  removeStaleFiles(root, workspace, (path) => path.endsWith(".tmp") && isStale(path) !== null);
}

export async function listDamagedDocuments({ workspace, cleanup }: DocumentsRequest): Promise<readonly string[]> {
  if (!cleanup.validate_runner_json_files) return [];
  const problems: string[] = [];
  for (const [name, schema] of DOCUMENTS) {
    const problem = await findDocumentProblem(join(workspace, name), schema);
    if (problem !== null) problems.push(`${name} is damaged: ${problem}.`);
  }
  return problems;
}

async function findDocumentProblem(path: string, schema: GenericSchema): Promise<string | null> {
  const read = await readBounded(path, DOCUMENT_BYTES_MAX);
  if (read.kind === "missing") return null;
  if (read.kind === "refused") return read.reason;
  try {
    const document: unknown = JSON.parse(read.data.toString("utf8"));
    const parsed = parseWith(schema, document);
    return parsed.kind === "valid" ? null : (parsed.problems[0]?.message ?? "it does not fit its schema");
  } catch {
    return "it is not JSON";
  }
}

/**
 * Whether the history folder of a tick is unchanged.
 *
 * The journal has the hash of every file, and its own hash chain. So a file that was changed, removed
 * or added is found without trusting anything in the folder.
 */

/** Larger files are compared by their hashes alone. */
const COMPARED_BYTES_MAX = 256 * 1024 * 1024;

export interface Folders {
  /** The folder of one tick in the history. */
  readonly folder: string;
  /** The tick's folder in the state directory: if it exists, it shows which byte was changed. */
  readonly original: string | null;
}

/** By name: changed and missing files first, then added ones. */
export async function listFileTroubles(
  folders: Folders,
  recorded: readonly HistoryFile[],
): Promise<readonly FileTrouble[]> {
  const troubles: FileTrouble[] = [];
  for (const file of recorded.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const trouble = await findFileTrouble(folders, file);
    if (trouble !== null) troubles.push(trouble);
  }
  return [...troubles, ...listAddedEntries(folders.folder, recorded)];
}

async function findFileTrouble(folders: Folders, { name, sha256 }: HistoryFile): Promise<FileTrouble | null> {
  const found = await hashFile(join(folders.folder, name));
  if (found.kind === "missing") return { kind: "damaged", file: name, reason: "it is missing" };
  if (found.kind === "refused") return { kind: "damaged", file: name, reason: found.reason };
  return found.sha256 === sha256 ? null : compareFile(folders, name, { recorded: sha256, found: found.sha256 });
}

/** Names the first changed byte if the original exists. */
export async function compareFile(
  { folder, original }: Folders,
  file: string,
  sha256: { readonly recorded: string; readonly found: string },
): Promise<FileDiffers> {
  const differs = { kind: "differs", file, sha256 } as const;
  const before = original === null ? null : await readBounded(join(original, file), COMPARED_BYTES_MAX);
  const after = await readBounded(join(folder, file), COMPARED_BYTES_MAX);
  if (before?.kind !== "read" || after.kind !== "read" || hashDocument(before.data) !== sha256.recorded)
    return { ...differs, place: "sha256", recorded: sha256.recorded, derived: sha256.found };
  const at = findFirstDifference(before.data, after.data);
  return {
    ...differs,
    place: `byte ${at}`,
    recorded: cutExcerpt(before.data, at),
    derived: cutExcerpt(after.data, at),
  };
}

/** Entries that were added; a folder counts if it holds no recorded file. */
function listAddedEntries(folder: string, recorded: readonly HistoryFile[]): readonly FileTrouble[] {
  const names = new Set(recorded.flatMap(({ name }) => [name, ...listFoldersAbove(name)]));
  const { manifest } = walk({
    folder: toBytePath(folder),
    earlier: null,
    skipTopLevel: () => false,
    force: false,
  });
  return [...manifest.keys()]
    .map((path) => Buffer.from(path, "latin1").toString("utf8"))
    .filter((name) => name !== "" && !names.has(name))
    .toSorted()
    .map((file) => ({ kind: "damaged", file, reason: "it was added" }));
}

function listFoldersAbove(name: string): readonly string[] {
  const parts = name.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

export function hashDocument(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function findFirstDifference(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) return at;
  return length;
}

const EXCERPT_BYTES = 40;

function cutExcerpt(data: Buffer, at: number): string {
  return at >= data.length ? "nothing" : JSON.stringify(data.toString("latin1", at, at + EXCERPT_BYTES));
}
