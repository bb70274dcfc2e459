/** Ticks of a campaign that have ended, without anybody having run them. */
import type { CampaignSettings } from "../../src/contract/workflows/campaign.ts";
import type { Review } from "../../src/contract/agents/review.ts";
import { type CampaignState, workerStory } from "../../src/core/campaign/campaign-state.ts";
import { verificationEnded } from "../../src/core/campaign/verification-ended.ts";
import { workerEnded } from "../../src/core/campaign/worker-ended.ts";
import { START } from "../../src/core/tick/tick-state.ts";
import { CONTRACT } from "./campaign-world.ts";

export const SETTINGS: CampaignSettings = {
  ...CONTRACT,
  iteration_unit: "story",
  verify_mode: "per-story",
  max_iterations: 9,
  verifiers: ["verifier"],
  limits: { same_criterion: 2, distinct_criteria: 3, context_unchanged: 3, request_info: 2, max_restarts: 3 },
  base: "0".repeat(40),
};
export const AT = "2026-01-01T00:00:00.000Z";
const OUTCOME = { code: "SUCCESS", cause: null, message: null } as const;

interface Worked {
  readonly status: "continue" | "verify" | "blocked";
  /** What it changed without saying for which issue. */
  readonly touched?: readonly string[];
}

/** A worker has ended well with this signal. */
export function worked(state: CampaignState, settings: CampaignSettings, { status, touched = [] }: Worked) {
  const story = workerStory(state, settings);
  const address = { slug: "lines", iteration: state.iteration + 1, story, nonce: "n" };
  const signal = { kind: "signal", ...address, status, summary: "Done." };
  const claim = status === "verify" ? { kind: "claim", ...address, criteria: [], changes: [] } : null;
  const judged = {
    code: "SUCCESS" as const,
    cause: null,
    evidence_sha256: "0".repeat(64),
    blast_radius: { files_touched: touched.length, lines_added: 0, lines_deleted: 0, new_files: 0 },
    findings: [],
    findings_total: 0,
    notes: [],
    touched_paths: [...touched],
    touched_paths_total: touched.length,
  };
  const tick = {
    ...START,
    judged,
    built: {
      failure: null,
      builder_output_valid: true,
      summary: "Done.",
      duration_ms: 1,
      usage: null,
      data: { signal, claim, memory: null, context: `after ${state.iteration}` },
    },
  };
  return workerEnded({ state, tick, outcome: OUTCOME, settings, at: AT });
}

interface Look {
  /** `none` leaves no file at all. */
  readonly verdict: "pass" | "fail" | "request_info" | "blocked" | "none";
  /** What fails; by default the first criterion of the story. */
  readonly criteria?: readonly string[];
}

/** A verifier has ended with this verdict. */
export function looked(state: CampaignState, settings: CampaignSettings, { verdict, criteria }: Look) {
  const [story = "ALL"] = state.due;
  const issues = (criteria ?? [`${story} AC1`]).map((criterion) => {
    return { criterion, severity: "major", description: "No.", fix_hint: null };
  });
  const decision = {
    kind: "verdict",
    slug: "lines",
    iteration: state.iteration,
    story,
    nonce: "n",
    verdict,
    summary: "Looked.",
    evidence: ["seen"],
    issues: verdict === "fail" ? issues : [],
    questions: verdict === "request_info" ? ["Which?"] : [],
    blocker: verdict === "blocked" ? "A key is missing." : null,
  };
  const review = {
    name: "verifier",
    vote: voteOf(verdict),
    cause: verdict === "none" ? "result_missing" : null,
    decision: verdict === "none" ? null : decision,
    explanation: "",
    reasons: [],
    wrote: [],
    duration_ms: 1,
    usage: null,
  };
  const reviewed = { code: null, cause: null, message: null, reviews: [review] };
  return verificationEnded({ state, tick: { ...START, reviewed }, outcome: OUTCOME, settings, at: AT });
}

function voteOf(verdict: Look["verdict"]): Review["vote"] {
  if (verdict === "none") return "none";
  return verdict === "pass" ? "approve" : "refuse";
}
