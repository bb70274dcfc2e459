/** What the version of the records stands for, as hashes: whatever changes one of them is a change of the records. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { Evidence } from "../../src/contract/evidence/evidence.ts";
import { Judgement } from "../../src/contract/evidence/judgement.ts";
import { RECORD_VERSION } from "../../src/contract/values/record-version.ts";
import { judge } from "../../src/core/judge/judge.ts";
import { VERSION_FOLDERS } from "./restored-history.ts";

const Fingerprints = v.strictObject({ events: v.string(), evidence: v.string(), rules: v.string() });
type Fingerprints = v.InferOutput<typeof Fingerprints>;

const Versions = v.record(
  v.string(),
  v.strictObject({
    /** The first release that wrote this version; null as long as there is none. */
    released: v.nullable(v.string()),
    ...Fingerprints.entries,
  }),
);

const JudgedEvidence = v.strictObject({ evidence: Evidence, judgement: Judgement });
export type JudgedEvidence = v.InferOutput<typeof JudgedEvidence>;

/** Each version of the records with its fingerprints. */
export const VERSIONS = v.parse(Versions, JSON.parse(readFileSync(join(import.meta.dirname, "versions.json"), "utf8")));

/** Evidence that was judged by earlier versions, with the judgements. */
export const JUDGED: readonly JudgedEvidence[] = VERSION_FOLDERS.flatMap((folder) =>
  readFileSync(join(folder, "judgements.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => v.parse(JudgedEvidence, JSON.parse(line))),
);

/** The fingerprints of the schemas and rules of today. */
export function presentFingerprints(): Fingerprints {
  const judgements = JUDGED.map(({ evidence }) => judge({ ...evidence, version: RECORD_VERSION }));
  return {
    events: hash(schema("event")),
    evidence: hash(schema("evidence")),
    rules: hash(judgements),
  };
}

/** A schema without its descriptions, which decide nothing. */
function schema(name: string): unknown {
  const text = readFileSync(join(import.meta.dirname, `../../schemas/${name}.schema.json`), "utf8");
  return JSON.parse(text, (key, value: unknown) => (key === "description" ? undefined : value));
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
