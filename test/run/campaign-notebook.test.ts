import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Config } from "../../src/contract/config/config.ts";
import { type CampaignState, NEW_CAMPAIGN } from "../../src/core/campaign/campaign-state.ts";
import { campaignWorkflow } from "../../src/core/campaign/campaign-workflow.ts";
import { openNotebook } from "../../src/run/campaign/campaign-notebook.ts";
import { SETTINGS } from "../support/campaign-ticks.ts";

const nothing = () => {};
const settings = { ...SETTINGS, iteration_unit: "all" as const };

test("each verification keeps a prompt of its own, and a worker begins without the claim and the verdict before", () => {
  const folder = mkdtempSync(join(tmpdir(), "relais-notebook-"));
  const logs = join(folder, "logs");
  mkdirSync(logs);
  try {
    const feed = {
      begin: nothing,
      line: nothing,
      sign: nothing,
      begun: nothing,
      ended: nothing,
      close: () => Promise.resolve(),
    };
    const notebook = openNotebook({ logs, feed, settings });
    const texts = { worker: "", verifier: "", memory: "", context: "", diff: "" };
    const known = { config: v.parse(Config, {}), settings, warnings: [], texts, nonce: "n" };
    const { next } = notebook.noted(campaignWorkflow(known));
    const begin = (part: Partial<CampaignState>) => {
      const step = next({ ...NEW_CAMPAIGN, settings, ...part });
      const review = step.kind === "work" ? step.work.review : null;
      if (step.kind !== "work" || step.work.task === null || review === null) return;
      const matter = { task: step.work.task, patch: "", leftOut: [], runs: [], notes: [], schema: {} };
      review.prompt?.(review.reviewers[0], matter);
    };
    const old = ["done-claim.json", "verify-verdict.json", "verify-verdict.second.json"];
    for (const name of [...old, "iter-signal.json"]) writeFileSync(join(folder, name), "{}");
    begin({ iteration: 1, due: ["US-001"] });
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(old));
    begin({});
    expect(readdirSync(folder).toSorted()).toEqual(["iter-signal.json", "logs"]);
    for (const story of ["US-001", "US-002", "ALL"]) begin({ iteration: 1, due: [story] });
    expect([...notebook.take().prompts.keys(), ...readdirSync(logs)].toSorted()).toEqual([
      "iter-001.verifier-prompt.US-001.md",
      "iter-001.verifier-prompt.US-002.md",
      "iter-001.verifier-prompt.final.md",
      "iter-001.worker-prompt.md",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
