import { createHash } from "node:crypto";
import { join } from "node:path";
import { Evidence } from "../records/evidence.ts";
import { parseWith } from "../base/schema-error.ts";
import { readBounded } from "../system/bounded-file.ts";

const EVIDENCE_BYTES_MAX = 256 * 1024 * 1024;

type RecordedEvidence =
  | { readonly kind: "evidence"; readonly evidence: Evidence }
  | { readonly kind: "damaged"; readonly path: string; readonly reason: string };

/** The evidence of a tick, if its hash matches the journal. */
export async function readRecordedEvidence(runDirectory: string, sha256: string): Promise<RecordedEvidence> {
  const path = join(runDirectory, "evidence.json");
  const damaged = (reason: string) => ({ kind: "damaged", path, reason }) as const;
  const read = await readBounded(path, EVIDENCE_BYTES_MAX);
  if (read.kind === "missing") return damaged("it is missing");
  if (read.kind === "refused") return damaged(read.reason);
  const found = createHash("sha256").update(read.data).digest("hex");
  if (found !== sha256) return damaged(`its hash is ${found}, and the journal says ${sha256}`);
  const document: unknown = JSON.parse(read.data.toString("utf8"));
  const parsed = parseWith(Evidence, document);
  return parsed.kind === "valid"
    ? { kind: "evidence", evidence: parsed.value }
    : damaged(parsed.problems[0]?.message ?? "it does not fit its schema");
}

/** Adds the paths that were judged and are as before the tick now. Their content is still in the store. */
export async function addRecorded(found: Evidence, runDirectory: string, sha256: string): Promise<Evidence> {
  const read = await readRecordedEvidence(runDirectory, sha256);
  if (read.kind !== "evidence") return found;
  const changed = new Set(found.changes.map(({ path }) => path));
  const reverted = read.evidence.changes.filter(({ path }) => !changed.has(path));
  return { ...found, changes: [...found.changes, ...reverted] };
}
