import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Config } from "../../src/config/config.ts";
import type { JournalLine } from "../../src/records/event.ts";
import { type CampaignState, NEW_CAMPAIGN } from "../../src/workflows/pure/campaign-state.ts";
import { makeCampaignWorkflow } from "../../src/workflows/pure/campaign-workflow.ts";
import { prepareIteration, listVerifierPrompts } from "../../src/workflows/run-campaign.ts";
import { SETTINGS } from "../support/campaign-ticks.ts";

let box = "";
beforeEach(() => (box = mkdtempSync(join(tmpdir(), "relais-prompts-"))));
afterEach(() => rmSync(box, { recursive: true, force: true }));

const settings = { ...SETTINGS, iteration_unit: "all" as const };
const texts = { worker: "", verifier: "", memory: "", context: "", diff: "" };
const known = {
  config: v.parse(Config, {}),
  settings,
  warnings: [],
  seriesId: "series-0001",
  texts,
  nonce: "n",
};

/** The work that a campaign in this state does next. */
function workIn(part: Partial<CampaignState>) {
  const state = { ...NEW_CAMPAIGN, settings, ...part };
  const step = makeCampaignWorkflow(known).next(state, state);
  if (step.kind !== "work") throw new Error("there is no work");
  return step.work;
}

test("a worker begins with its prompt in the logs, and without the claim and the verdict before", () => {
  const logs = join(box, "logs");
  mkdirSync(logs);
  const old = ["done-claim.json", "verify-verdict.json", "verify-verdict.second.json"];
  for (const name of [...old, "iter-signal.json"]) writeFileSync(join(box, name), "{}");
  const [worker, verification] = [workIn({}), workIn({ iteration: 1, due: ["US-001"] })];
  // To decide what is next changes nothing.
  expect(readdirSync(box)).toEqual(expect.arrayContaining(old));
  prepareIteration(verification, logs, settings);
  expect(readdirSync(box)).toEqual(expect.arrayContaining(old));
  expect(readdirSync(logs)).toEqual([]);
  prepareIteration(worker, logs, settings);
  expect(readdirSync(box).toSorted()).toEqual(["iter-signal.json", "logs"]);
  expect(readdirSync(logs)).toEqual(["iter-001.worker-prompt.md"]);
});

test("each verification keeps a prompt of its own", () => {
  const names = ["US-001", "US-002", "ALL"].flatMap((story, index) => {
    const { task } = workIn({ iteration: 1, due: [story] });
    if (task === null) throw new Error("a verification has a task");
    const runId = `20260101T00000${index}Z-00000000`;
    mkdirSync(join(box, "runs", runId), { recursive: true });
    writeFileSync(join(box, "runs", runId, `verifier-${settings.verifiers[0]}.prompt.txt`), story);
    const line: JournalLine = {
      version: 1,
      seq: 1,
      at: "2026-01-01T00:00:00.000Z",
      run_id: runId,
      series_id: runId,
      prev: null,
      event: { type: "planned", task, orchestrator_calls: 0 },
    };
    return [...listVerifierPrompts([line], settings, box)];
  });
  expect(names).toEqual([
    ["iter-001.verifier-prompt.US-001.md", "US-001"],
    ["iter-001.verifier-prompt.US-002.md", "US-002"],
    ["iter-001.verifier-prompt.final.md", "ALL"],
  ]);
});
