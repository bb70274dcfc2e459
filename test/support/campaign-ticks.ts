/** Ticks of a campaign that have ended, without anybody having run them. */
import * as v from "valibot";
import type { TickEvent } from "../../src/records/event.ts";
import { Task } from "../../src/records/task.ts";
import type { CampaignSettings } from "../../src/records/campaign.ts";
import type { Review } from "../../src/records/review.ts";
import { type CampaignState, nameWorkerStory } from "../../src/workflows/pure/campaign-state.ts";
import { evolveVerification, evolveWorker } from "../../src/workflows/pure/fold-campaign.ts";
import { evolve } from "../../src/tick/pure/evolve.ts";
import { START, type TickState } from "../../src/tick/pure/tick-state.ts";
import { CONTRACT } from "./campaign-contract.ts";
import { executeTask, verifyOnlyTask } from "./tasks.ts";

export const SETTINGS: CampaignSettings = {
  ...CONTRACT,
  iteration_unit: "story",
  verify_mode: "per-story",
  max_iterations: 9,
  verifiers: ["verifier"],
  limits: { request_info: 2, max_restarts: 3 },
  base: "0".repeat(40),
};
export const AT = "2026-01-01T00:00:00.000Z";
const OUTCOME = { code: "SUCCESS", cause: null, message: null } as const;

const gate = {
  role: "verifier",
  reviewers: ["verifier"],
  quorum: 1,
  of_verify_only: true,
} as const;
const BEGUN: readonly TickEvent[] = [
  {
    type: "tick_started",
    workflow: "campaign",
    relais_version: "0",
    config_sha256: null,
    worktree: "/repo",
    git_prefix: "",
    on_success: "commit",
    review: { ...gate, reviewers: [...gate.reviewers] },
    max_tick_seconds: 900,
  },
  { type: "preflight_passed", base_commit: "a".repeat(40), head: "ref: refs/heads/x", warnings: [] },
  { type: "prepared", isolation: "in_place", observation_sha256: "b".repeat(64) },
];

/** A tick after its preparation and these events. */
const after = (...events: readonly TickEvent[]): TickState => [...BEGUN, ...events].reduce(evolve, START);

function judged(touched: readonly string[]): TickEvent {
  return {
    type: "judged",
    code: "SUCCESS",
    cause: null,
    evidence_sha256: "0".repeat(64),
    blast_radius: { files_touched: touched.length, lines_added: 0, lines_deleted: 0, new_files: 0 },
    findings: [],
    findings_total: 0,
    notes: [],
    touched_paths: [...touched],
    touched_paths_total: touched.length,
  };
}

interface Worked {
  readonly status: "continue" | "verify" | "blocked";
  /** What it changed without saying for which issue. */
  readonly touched?: readonly string[];
}

/** A worker has ended well with this signal. */
export function worked(state: CampaignState, settings: CampaignSettings, { status, touched = [] }: Worked) {
  const story = nameWorkerStory(state, settings);
  const address = { slug: "lines", iteration: state.iteration + 1, story, nonce: "n" };
  const signal = { kind: "signal", ...address, status, summary: "Done." };
  const claim = status === "verify" ? { kind: "claim", ...address, criteria: [], changes: [] } : null;
  const built: TickEvent = {
    type: "build_ended",
    failure: null,
    builder_output_valid: true,
    summary: "Done.",
    duration_ms: 1,
    usage: null,
    data: { signal, claim, memory: null, context: `after ${state.iteration}` },
  };
  const tick = after(
    { type: "planned", task: v.parse(Task, executeTask), orchestrator_calls: 0 },
    { type: "build_started", driver: "scripted", sandbox: "none", dispatch: "d" },
    built,
    judged(touched),
  );
  return evolveWorker({ state, tick, outcome: OUTCOME, settings, at: AT });
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
  const task = v.parse(Task, { ...verifyOnlyTask, verification: { fast: [], slow: [] } });
  const tick = after(
    { type: "planned", task, orchestrator_calls: 0 },
    judged([]),
    { type: "review_started", driver: "scripted", sessions: [] },
    { type: "reviewed", code: null, cause: null, message: null, reviews: [review] },
  );
  return evolveVerification({ state, tick, outcome: OUTCOME, settings, at: AT });
}

function voteOf(verdict: Look["verdict"]): Review["vote"] {
  if (verdict === "none") return "none";
  return verdict === "pass" ? "approve" : "refuse";
}
