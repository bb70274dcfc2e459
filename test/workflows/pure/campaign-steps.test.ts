/** The way of a campaign from one ended tick to the next. */
import { describe, expect, test } from "vitest";
import type { CampaignSettings } from "../../../src/records/campaign.ts";
import type { JournalLine, TickEvent } from "../../../src/records/event.ts";
import { type CampaignState, NEW_CAMPAIGN, nameWorkerStory } from "../../../src/workflows/pure/campaign-state.ts";
import { findOwedSentinel } from "../../../src/workflows/pure/sentinel.ts";
import { AT, looked, SETTINGS, worked } from "../../support/campaign-ticks.ts";

type Step = "continue" | "verify" | "stuck" | "pass" | "fail" | "blocked";

/** What is due after each step: `W` and the story of a worker, or `V` and the story to verify, or how it ended. */
function way(settings: CampaignSettings, steps: readonly Step[]): readonly string[] {
  let state: CampaignState = { ...NEW_CAMPAIGN, settings };
  return steps.map((step) => {
    if (step === "continue" || step === "verify") state = worked(state, settings, { status: step });
    else if (step === "stuck") state = worked(state, settings, { status: "blocked" });
    else state = looked(state, settings, { verdict: step });
    if (state.status !== "active") return state.status;
    return state.due.length > 0 ? `V ${state.due.join(" ")}` : `W ${nameWorkerStory(state, settings)}`;
  });
}

describe("a campaign goes its way", () => {
  test.each<[string, Partial<CampaignSettings>, readonly Step[], readonly string[]]>([
    [
      "story by story, then everything",
      {},
      ["continue", "verify", "pass", "verify", "pass", "pass"],
      ["W US-001", "V US-001", "W US-002", "V US-002", "V ALL", "complete"],
    ],
    [
      "a failed story is worked on again, and so is a failed end",
      {},
      ["verify", "fail", "verify", "pass", "verify", "pass", "fail", "verify", "pass"],
      ["V US-001", "W US-001", "V US-001", "W US-002", "V US-002", "V ALL", "W ALL", "V ALL", "complete"],
    ],
    [
      "all stories at once, each verified",
      { iteration_unit: "all" },
      ["verify", "pass", "fail", "verify", "pass", "pass"],
      ["V US-001 US-002", "V US-002", "W ALL", "V US-002", "V ALL", "complete"],
    ],
    [
      "in one batch at the end",
      { verify_mode: "batch" },
      ["continue", "verify", "continue", "verify", "fail", "verify", "pass"],
      ["W US-001", "W US-002", "W US-002", "V ALL", "W ALL", "V ALL", "complete"],
    ],
    [
      "all stories at once, in one batch",
      { verify_mode: "batch", iteration_unit: "all" },
      ["verify", "pass"],
      ["V ALL", "complete"],
    ],
    ["a worker that is blocked", {}, ["stuck"], ["blocked"]],
    ["a verifier that is blocked", {}, ["verify", "blocked"], ["V US-001", "blocked"]],
    [
      "the same criterion again and again",
      {},
      ["verify", "fail", "verify", "fail", "verify", "fail"],
      ["V US-001", "W US-001", "V US-001", "W US-001", "V US-001", "blocked"],
    ],
  ])("%s", (_, part, ...[steps, expected]) => {
    expect(way({ ...SETTINGS, ...part }, steps)).toEqual(expected);
  });
});

const RUN = "20260101T000000Z-00000000";
const line = (seq: number, event: TickEvent): JournalLine => {
  return { version: 1, seq, at: AT, run_id: RUN, series_id: RUN, prev: null, event };
};

describe("the sentinel that is owed", () => {
  const ended = (end: "complete" | "timeout" | "blocked" | "interrupted" | "budget_warning") =>
    line(5, { type: "series_ended", end, reason: "why", message: "Because.", hint: null });
  const resumed = line(6, { type: "series_resumed" });
  test.each<[string, readonly JournalLine[], number, string | null]>([
    ["none before the end", [], -1, null],
    ["complete", [ended("complete")], -1, "complete"],
    ["timeout", [ended("timeout")], -1, "timeout"],
    ["blocked", [ended("blocked")], -1, "blocked"],
    ["blocked by anything else", [ended("budget_warning")], -1, "blocked"],
    ["none after a signal", [ended("interrupted")], -1, null],
    ["none once somebody went on", [ended("blocked"), resumed], -1, null],
    ["none once somebody cleaned up", [ended("blocked")], 5, null],
    ["one again after that", [ended("blocked")], 4, "blocked"],
  ])("%s", (_, lines, ...[cleanedSeq, expected]) => {
    expect(findOwedSentinel(lines, { slug: "x", cleanedSeq })?.name ?? null).toBe(expected);
  });
});
