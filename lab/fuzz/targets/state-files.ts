import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FuzzTarget } from "../target.ts";
import { readLastDocument } from "../../../src/process/children.ts";
import { readLog, renderLogHeader, renderRecord } from "../../../src/system/redo-log.ts";
import { fitsJournal, recallJournal } from "../../../src/journal/journal-summary.ts";
import { loadObservation } from "../../../src/store/observation-file.ts";
import { writeRemembered } from "../../../src/journal/remembered-file.ts";

const BOOT = "boot";
const OBSERVATION =
  "relais-observation-1\t1\t1\t1\t,,a\n0\t33188\t3\t0:0\t1\t1:2:3\t-\ta b\t\n2\t41471\t1\t0:0\t1\t1:2:3\t-\tl\t..\n";
const SUMMARY = {
  boot: BOOT,
  runs: null,
  ledger: null,
  recent: [{ version: 2, seq: 0, at: "", run_id: "r", series_id: "r", prev: null, event: { type: "tick_started" } }],
  older: [],
  folds: { RunsFold: "{}" },
  end: { seq: 1, sha256: "0" },
  bytes: 10,
};

const sha256 = (data: Buffer | string): string => createHash("sha256").update(data).digest("hex");

/** Files of the state directory: a power cut may tear them, and a builder without a sandbox may write them. */
export const stateFiles: FuzzTarget = {
  name: "state-files",
  seeds: () =>
    [
      Buffer.concat([
        Buffer.from(renderLogHeader(BOOT)),
        renderRecord({ path: "runs/a/b", mode: 0o600 }, Buffer.from("data\n")),
        renderRecord({ path: "runs/a", mode: 0 }, null),
      ]),
      `${OBSERVATION}${sha256(OBSERVATION)}\n`,
      JSON.stringify(SUMMARY),
      '{"a":1}\nlog\n{"run_id":"r","code":"SUCCESS"}\n',
    ].map((seed) => Buffer.from(seed)),
  words: ["relais-redo-1 boot\n", '"sha256":null', "runs/../x", "\\t", '"ledger":{"path":"a"}', '"recent":[]', "folds"],
  repair: (data) => {
    if (!data.toString("latin1", 0, 20).startsWith("relais-observation-1")) return data;
    const body = data.subarray(0, data.lastIndexOf("\n", data.length - 2) + 1);
    return Buffer.concat([body, Buffer.from(`${sha256(body)}\n`)]);
  },
  check: (data) => {
    const folder = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
    try {
      checkRedoLog(join(folder, "redo.log"), data);
      checkObservation(join(folder, "observation"), data);
      checkSummary(folder, data);
      writeFileSync(join(folder, "output"), data);
      readLastDocument(join(folder, "output"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function checkRedoLog(path: string, data: Buffer): void {
  writeFileSync(path, data);
  const read = readLog(path);
  assert(read !== null && read.end <= read.size && read.size === data.length);
  for (const [name, file] of read.files) {
    assert(!name.split("/").some((part) => ["", ".", ".."].includes(part)), `a path that leads elsewhere: ${name}`);
    assert(data.includes(sha256(file.data)), "bytes without their hash");
  }
}

function checkObservation(path: string, data: Buffer): void {
  writeFileSync(path, data);
  const saved = loadObservation(path);
  if (saved === null) return;
  const { worktree, git, takenAt } = saved.observation;
  assert(Number.isFinite(takenAt) && data.toString("latin1").endsWith(`${saved.sha256}\n`));
  assert(worktree.size + git.size < data.toString("latin1").split("\n").length);
}

/** A summary is believed or not, and never the reason why a command crashes. */
function checkSummary(folder: string, data: Buffer): void {
  writeRemembered(folder, "summary.json", {});
  const [bound = ""] = readFileSync(join(folder, "summary.json"), "utf8").split("\n");
  const body = data.toString("utf8").replaceAll("\n", " ");
  writeFileSync(join(folder, "summary.json"), `${bound}\n${body}\n${body}\n`);
  const summary = recallJournal(folder, join(folder, "ledger.jsonl"), []);
  if (summary !== null) assert.equal(fitsJournal(join(folder, "journal.jsonl"), summary, BOOT), false);
}
