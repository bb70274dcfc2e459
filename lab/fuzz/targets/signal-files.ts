import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { generateValue } from "../generate-value.ts";
import type { FuzzTarget } from "../target.ts";
import { Lock } from "../../../src/records/lock.ts";
import { DecisionRequest, PauseRequest } from "../../../src/records/requests.ts";
import { CampaignCleaned, CampaignStatus } from "../../../src/records/campaign-files.ts";
import { CampaignClaim, CampaignSignal, CampaignVerdict, WorkerWords } from "../../../src/records/campaign-messages.ts";
import { GoalDecision, GoalReceipt } from "../../../src/records/goal.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import {
  CLAIM_FILE,
  CONTEXT_FILE,
  MEMORY_FILE,
  readVerdict,
  readWorker,
} from "../../../src/workflows/pure/read-messages.ts";
import { extractAnswer } from "../../../src/base/strict-json.ts";
import { readBuilderResult } from "../../../src/workflows/pure/workflow.ts";
import { readCampaignDocument } from "../../../src/workflows/campaign-on-disk.ts";
import { readRequest } from "../../../src/workspace/request-file.ts";

const SCHEMAS: readonly v.GenericSchema[] = [
  CampaignSignal,
  CampaignClaim,
  CampaignVerdict,
  GoalDecision,
  GoalReceipt,
  PauseRequest,
  DecisionRequest,
  CampaignCleaned,
  CampaignStatus,
  Lock,
];
const ADDRESS = { slug: "a", iteration: 1, story: "US-001", nonce: "b" };
const NOTES = { memory: "", context: "" };
const CRITERIA = ["AC1"];

/** What sessions and other terminals leave in files for the runner: signals, claims, verdicts, receipts and requests. */
export const signalFiles: FuzzTarget = {
  name: "signal-files",
  seeds: () => [
    Buffer.from(JSON.stringify({ kind: "signal", ...ADDRESS, status: "verify", summary: "Done." })),
    Buffer.from(JSON.stringify({ kind: "claim", ...ADDRESS, criteria: [], changes: [] })),
  ],
  words: ["verify", "continue", "blocked", "pass", "fail", "```json\n", "\n```", "\\u0000", '"nonce":"b"', "pause"],
  generate: (random) => {
    const schema = random.pick(SCHEMAS) ?? CampaignSignal;
    const value: unknown = generateValue(schema, random);
    const isAddressed = random.below(3) > 0 && typeof value === "object" && value !== null && "nonce" in value;
    const text = JSON.stringify(isAddressed ? { ...value, ...ADDRESS } : value) ?? "";
    return Buffer.from(random.below(4) === 0 ? `Here:\n\`\`\`json\n${text}\n\`\`\`\n` : text);
  },
  check: async (data) => {
    checkMessages(data);
    const folder = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
    try {
      for (const name of ["pause-request.json", "decision-request.json"]) writeFileSync(join(folder, name), data);
      await checkRequests(folder, data);
      for (const schema of SCHEMAS) checkDocument(join(folder, "pause-request.json"), schema);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** A message of another session, or one that no schema takes, is never obeyed. */
function checkMessages(data: Buffer): void {
  const proposals = new Map([CLAIM_FILE, MEMORY_FILE, CONTEXT_FILE].map((name) => [name, data]));
  const worker = readWorker({ result: data, proposals }, ADDRESS, NOTES);
  if (worker.kind === "valid") {
    const { signal, memory } = v.parse(WorkerWords, worker.data);
    assert.deepEqual({ ...ADDRESS }, pickAddress(signal), "a signal of another session");
    assert(!(memory ?? "").includes("\0"));
  } else
    assert(
      worker.kind === "invalid" && worker.cause !== "" && worker.message.length < 5000,
      "a reason without words, or with too many",
    );
  readBuilderResult(data);
  const answer = extractAnswer(data);
  if (answer.kind !== "object") return;
  const verdict = readVerdict(answer.value, ADDRESS, CRITERIA);
  if (verdict.kind !== "valid") return;
  const told = v.parse(CampaignVerdict, answer.value);
  assert.equal(verdict.opinion.vote === "approve", told.verdict === "pass", "only pass approves");
  assert.deepEqual({ ...ADDRESS }, pickAddress(told), "a verdict of another session");
}

const pickAddress = ({ slug, iteration, story, nonce }: typeof ADDRESS): typeof ADDRESS => ({
  slug,
  iteration,
  story,
  nonce,
});

async function checkRequests(folder: string, data: Buffer): Promise<void> {
  const [pause, decision] = [await readRequest(folder, "pause"), await readRequest(folder, "decision")];
  for (const [schema, request] of [
    [PauseRequest, pause],
    [DecisionRequest, decision],
  ] as const)
    if (request !== null)
      assert.deepEqual(request, v.parse(schema, JSON.parse(data.toString("utf8"))), "another request than was written");
}

function checkDocument(path: string, schema: v.GenericSchema): void {
  const value: unknown = readCampaignDocument(path, schema);
  if (value === null) return;
  const again = parseWith(schema, JSON.parse(JSON.stringify(value)));
  assert(again.kind === "valid", "a document that is not taken again");
}
