/** What is next in a campaign whose contract was edited, or that somebody takes up again. */
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { CampaignSettings } from "../../../src/records/campaign.ts";
import { Config } from "../../../src/config/config.ts";
import type { SeriesEnd } from "../../../src/base/codes.ts";
import type { TickEvent } from "../../../src/records/event.ts";
import { type CampaignState, NEW_CAMPAIGN } from "../../../src/workflows/pure/campaign-state.ts";
import { makeCampaignWorkflow } from "../../../src/workflows/pure/campaign-workflow.ts";
import { foldCampaign } from "../../../src/workflows/pure/fold-campaign.ts";
import { AT, looked, SETTINGS, worked } from "../../support/campaign-ticks.ts";

const NEW: CampaignState = { ...NEW_CAMPAIGN, settings: SETTINGS };
const [FIRST, SECOND] = SETTINGS.stories;
if (FIRST === undefined || SECOND === undefined) throw new Error("two stories are needed");

const claimed = (state: CampaignState) => worked(state, SETTINGS, { status: "verify" });
const passed = (state: CampaignState) => looked(state, SETTINGS, { verdict: "pass" });
const failed = (state: CampaignState) => looked(state, SETTINGS, { verdict: "fail" });
const ONE_DONE = passed(claimed(NEW));
const ALL_DONE = passed(claimed(ONE_DONE));

const edited = (...stories: CampaignSettings["stories"]) => ({ ...SETTINGS, stories });
const REWRITTEN = { ...FIRST, title: "Another first line" };
const THIRD = { ...FIRST, id: "US-003" };

function next(state: CampaignState, settings: CampaignSettings) {
  const texts = { worker: "", verifier: "", memory: "", context: "", diff: "" };
  const known = {
    config: v.parse(Config, {}),
    settings,
    warnings: [],
    seriesId: "series-0001",
    texts,
    nonce: "n",
  };
  const step = makeCampaignWorkflow(known).next(state, state);
  return step.kind === "work" ? step.work : null;
}

describe("what is next once the contract was edited", () => {
  test.each<[string, CampaignState, CampaignSettings, string]>([
    ["nothing was", claimed(ONE_DONE), SETTINGS, "verify-002-US-002"],
    ["a verified story, before the next one", ONE_DONE, edited(REWRITTEN, SECOND), "iter-002-US-001"],
    ["the story that waits for its verification", claimed(NEW), edited(REWRITTEN, SECOND), "iter-002-US-001"],
    ["another one than that", claimed(NEW), edited(FIRST, THIRD), "verify-001-US-001"],
    ["it is taken out, and others are open", claimed(NEW), edited(SECOND), "iter-002-US-002"],
    ["it is taken out, and nothing is open", claimed(ONE_DONE), edited(FIRST), "verify-002-ALL"],
    ["a new one before the last verification", ALL_DONE, edited(FIRST, SECOND, THIRD), "iter-003-US-003"],
    ["the last open story is taken out", ONE_DONE, edited(FIRST), "verify-001-ALL"],
    ["all that was to mend is taken out", failed(claimed(ONE_DONE)), edited(FIRST), "verify-002-ALL"],
    ["by another way to verify", ONE_DONE, { ...SETTINGS, verify_mode: "batch" }, "iter-002-US-002"],
  ])("%s", (_, state, ...[settings, expected]) => {
    expect(next(state, settings)?.task?.task_id).toBe(expected);
  });

  test("nobody is asked to mend what is not there any more", () => {
    const failing = failed(claimed(NEW));
    expect(next(failing, SETTINGS)?.brief.prompt).toContain("US-001 AC1: No.");
    expect(next(failing, edited(REWRITTEN, SECOND))?.brief.prompt).not.toContain("US-001 AC1: No.");
  });
});

const RUN = "20260101T000000Z-00000000";
const told = (state: CampaignState, ...events: readonly TickEvent[]) =>
  events.reduce(
    (known, event, seq) =>
      foldCampaign(known, { version: 1, seq, at: AT, run_id: RUN, series_id: RUN, prev: null, event }),
    state,
  );

describe("a campaign that is taken up again", () => {
  const waiting = claimed(failed(claimed(NEW)));
  const up = (end: SeriesEnd) =>
    told(
      waiting,
      { type: "series_ended", end, reason: "why", message: "Because.", hint: null },
      { type: "series_resumed" },
    );
  test("after a signal everything stands as it stood", () => {
    const { due, failures, chain, contract } = up("interrupted");
    expect({ due, failures, chain, contract }).toEqual({
      due: ["US-001"],
      failures: 1,
      chain: waiting.chain,
      contract: waiting.contract,
    });
  });
  test("after an end the counters begin anew, and what was done and claimed is still to be verified", () => {
    const { due, failures, chain, message } = up("blocked");
    expect({ due, failures, chain }).toEqual({ due: ["US-001"], failures: 0, chain: [] });
    expect(message).toBe("Because.");
  });
  test("a signal right after the last word does not take it back", () => {
    const blocked = told(
      { ...waiting, status: "blocked" },
      { type: "series_ended", end: "interrupted", reason: "sigint", message: "A signal.", hint: null },
      { type: "series_resumed" },
    );
    expect(blocked.status).toBe("blocked");
  });
});
