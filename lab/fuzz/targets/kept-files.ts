import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { generateValue } from "../generate-value.ts";
import type { FuzzTarget } from "../target.ts";
import { KeptWork } from "../../../src/records/kept-work.ts";
import { Meta } from "../../../src/records/meta.ts";
import { Report } from "../../../src/records/report.ts";
import { Scorecard } from "../../../src/records/scorecard.ts";
import { Evidence } from "../../../src/records/evidence.ts";
import { StoredTestReport } from "../../../src/records/test-report.ts";
import { CampaignHeartbeat } from "../../../src/records/campaign-files.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import { packTestReport, unpackTestReport } from "../../../src/checks/pure/compare-test-reports.ts";
import { holdsNames, recallNames, storeNames } from "../../../src/store/store-names.ts";
import { findRescued } from "../../../src/store/rescue.ts";
import { parseJson } from "../../../src/system/parse-json.ts";
import { readBeat } from "../../../src/journal/beats.ts";
import { recallScorecard } from "../../../src/journal/remembered-scorecard.ts";
import { readFingerprint } from "../../../src/journal/remembered-file.ts";
import { readHeartbeat } from "../../../src/workflows/heartbeat.ts";
import { clearHeldOut } from "../../../src/journal/trial-note.ts";
import { decodeChangePath } from "../../../src/evidence/change-bytes.ts";
import { findWork } from "../../../src/keep/keep-work.ts";
import { readHistoryDocument, recallHistory } from "../../../src/workspace/history.ts";

const RUN = "20260115T100000Z-0123abcd";
const SCHEMAS = [KeptWork, Meta, Report, Scorecard, StoredTestReport, CampaignHeartbeat, Evidence] as const;
const KEPT = {
  version: 1,
  kind: "salvage",
  run_id: RUN,
  kept_at: "2026-01-15T10:00:00.000Z",
  code: "STOP_NO_CHANGE",
  files: [{ path: "src/a.ts", path_base64: null, before: null, after: null }],
  left_out: [],
  left_out_total: 0,
};
const ID = "0123456789abcdef0123456789abcdef01234567";
const REFS = `2026-01-15T10:00:00.000Z refs/heads/main "${ID}"\n2026-01-15T10:00:00.000Z logs/refs/stash "${ID} ${ID} a\\n"\n`;
const STAYS = "stays";

/** What relais keeps about ticks for later commands: a power cut, an editor or a builder without a sandbox may write it. */
export const keptFiles: FuzzTarget = {
  name: "kept-files",
  seeds: () =>
    [
      JSON.stringify(KEPT),
      REFS,
      '{"directory":"HISTORY","fingerprint":"FINGERPRINT","bytes":3,"isOwn":true}',
      '["test/held.ts","a/../../b",""]',
      `${"12".padStart(20, "0")} ${"12".padStart(20, "0")}\n`,
      "ab:1 2:x y\nlarge:1 3:z",
    ].map((seed) => Buffer.from(seed)),
  words: [
    '"directory":"HISTORY"',
    '"fingerprint":"FINGERPRINT"',
    '"bytes":',
    "../",
    '"path_base64":"Li4vYQ=="',
    "refs/",
  ],
  generate: (random) => {
    const schema = random.pick(SCHEMAS) ?? KeptWork;
    const value: unknown = generateValue(schema, random);
    const isKept = schema === KeptWork && typeof value === "object" && random.below(3) > 0;
    return Buffer.from(JSON.stringify(isKept ? { ...value, kind: "salvage", run_id: RUN } : value) ?? "");
  },
  check: async (data) => {
    for (const schema of SCHEMAS) checkDocument(data, schema);
    const folder = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
    try {
      await checkWork(folder, data);
      checkHistory(folder, data);
      checkTrial(folder, data);
      checkStore(folder, data.toString("utf8").split("\n"));
      await checkRescued(folder, data);
      checkSmallFiles(folder, data);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** What is taken is written and taken again as the same; a report of tests is packed as it was. */
function checkDocument(data: Buffer, schema: v.GenericSchema): void {
  const read = readHistoryDocument(data, schema);
  if (read.kind === "damaged") return assert(read.reason !== "", "a reason without words");
  // By its text: JSON knows one zero.
  const text = JSON.stringify(read.value);
  const again = readHistoryDocument(Buffer.from(text), schema);
  assert(again.kind === "document", "a document that is not taken again");
  assert.equal(JSON.stringify(again.value), text);
  const report = parseWith(StoredTestReport, read.value);
  if (report.kind === "valid")
    assert.deepEqual(JSON.parse(JSON.stringify(packTestReport(unpackTestReport(report.value)))), JSON.parse(text));
}

/** Kept work of another tick, or with a name that leads elsewhere, is refused. */
async function checkWork(folder: string, data: Buffer): Promise<void> {
  mkdirSync(join(folder, "salvage", RUN), { recursive: true });
  writeFileSync(join(folder, "salvage", RUN, "meta.json"), data);
  const found = await findWork({ stateDirectory: folder, lines: [] }, "salvage", RUN);
  if (found.kind !== "found") return assert.equal(found.kind, "damaged");
  const { work } = found;
  assert(work.run_id === RUN && work.kind === "salvage", "the work of another tick");
  for (const file of [...work.files, ...(work.besides?.files ?? [])]) {
    const parts = decodeChangePath(file).split("/");
    assert(!parts.some((part) => ["", ".", "..", ".git"].includes(part)), `a path that leads elsewhere: ${file.path}`);
  }
}

/** A number of bytes is a number. */
function checkHistory(folder: string, data: Buffer): void {
  const history = join(folder, "history");
  mkdirSync(history);
  const note = data
    .toString("utf8")
    .replace("HISTORY", history)
    .replace("FINGERPRINT", readFingerprint(history) ?? "");
  writeFileSync(join(folder, "history.json"), note);
  const known = recallHistory({ history, stateDirectory: folder });
  if (known === null) return;
  assert(Number.isSafeInteger(known.bytes) && known.bytes >= 0, `bytes: ${String(known.bytes)}`);
  assert(known.isOwn === undefined || typeof known.isOwn === "boolean");
}

/** The note of a trial removes files of the tree, and nothing around it. */
function checkTrial(folder: string, data: Buffer): void {
  const [run, tree] = [join(folder, "run"), join(folder, "around", "tree")];
  for (const made of [run, join(tree, "a"), join(folder, "around", "b")]) mkdirSync(made, { recursive: true });
  writeFileSync(join(run, "trial.json"), data);
  writeFileSync(join(folder, "around", "b", STAYS), STAYS);
  clearHeldOut(run, tree);
  assert(readFingerprint(join(folder, "around", "b", STAYS)) !== null, "a file around the tree is gone");
  assert(readFingerprint(tree) !== null, "the tree itself is gone");
}

/** Names that were noted are those of the store, or everything is listed again. */
function checkStore(folder: string, saved: readonly string[]): void {
  const [gitDir, largeDir] = [join(folder, "store"), join(folder, "large")];
  for (const made of [join(gitDir, "objects", "ab"), largeDir]) mkdirSync(made, { recursive: true });
  writeFileSync(join(gitDir, "objects", "ab", "x"), "");
  recallNames({ gitDir, largeDir }, saved);
  const now = storeNames({ gitDir, largeDir });
  assert(holdsNames(now, now), "a store without its own names");
  assert.equal(now.length, 2);
}

async function checkRescued(folder: string, data: Buffer): Promise<void> {
  mkdirSync(join(folder, "rescued"));
  writeFileSync(join(folder, "rescued", "refs.log"), data);
  const { commits } = await findRescued(folder);
  for (const { id, ref, at } of commits) {
    assert.match(id, /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u);
    assert(ref !== "" && at !== "" && !/\s/u.test(at));
  }
  assert.equal(new Set(commits.map(({ id, ref }) => `${ref} ${id}`)).size, commits.length, "a commit twice");
}

function checkSmallFiles(folder: string, data: Buffer): void {
  mkdirSync(join(folder, "beats"));
  for (const name of ["drill.json", "heartbeat.json", "beats/w"]) writeFileSync(join(folder, name), data);
  const scorecard = recallScorecard(folder);
  if (scorecard !== null) v.parse(Scorecard, parseJson(data.toString("utf8")));
  const heartbeat = readHeartbeat(folder);
  if (heartbeat !== null) v.parse(CampaignHeartbeat, parseJson(data.toString("utf8")));
  const beat = refuseOr(() => readBeat(folder, "w"));
  assert(beat === null || Number.isFinite(beat));
}

/** Null stands for a failed measurement. */
function refuseOr<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    assert(error instanceof Error && error.name === "MeasurementError", String(error));
    return null;
  }
}
