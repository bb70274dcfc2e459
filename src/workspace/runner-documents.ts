/**
 * The runner's own documents in the workspace.
 *
 * They are projections of the journal, so nothing depends on them. But one that its schema refuses was not written by
 * the runner, so it is reported; the report of that tick then overwrites it from the journal.
 */
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
import { removeStaleFiles } from "../system/stale-files.ts";

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
  removeStaleFiles({
    root,
    folder: workspace,
    isStale: (path) => path.endsWith(".tmp") && isStale(path) !== null,
  });
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
