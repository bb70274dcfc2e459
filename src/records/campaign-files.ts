/** The documents that relais keeps in the folder of a campaign, and what it prints about one. */
import * as v from "valibot";
import { CampaignSlug } from "./campaign.ts";
import { SeriesId, Timestamp } from "../base/identifier.ts";
import { Count, Positive } from "../base/quantity.ts";

export const SENTINELS = ["complete", "blocked", "timeout"] as const;
const Sentinel = v.picklist(SENTINELS);
export type Sentinel = v.InferOutput<typeof Sentinel>;

const CampaignResult = v.picklist([
  "running",
  "continue",
  "verify",
  "pass",
  "fail",
  "request_info",
  "blocked",
  "refused",
  "infrastructure",
]);
export type CampaignResult = v.InferOutput<typeof CampaignResult>;

const statusEntries = {
  slug: CampaignSlug,
  iteration: Count,
  max_iter: Positive,
  phase: v.picklist(["worker", "verifier", "done"]),
  story: v.string(),
  verify_mode: v.picklist(["per-story", "batch"]),
  verified_stories: v.array(v.string()),
  stories_total: Positive,
  worker_model: v.nullable(v.string()),
  verifier_model: v.nullable(v.string()),
  last_result: CampaignResult,
  /** One more after each `fail`, zero after a `pass`, unchanged by `request_info`. */
  consecutive_failures: Count,
  restarts: Count,
  sentinel: v.nullable(Sentinel),
  message: v.string(),
  updated_at_utc: Timestamp,
};

export const CampaignStatus = v.strictObject(statusEntries);
export type CampaignStatus = v.InferOutput<typeof CampaignStatus>;

/** What `relais campaign run` and `status` print with `--json`. */
export const CampaignSummary = v.strictObject({
  kind: v.literal("campaign_summary"),
  series_id: v.nullable(SeriesId),
  ...statusEntries,
  folder: v.string(),
  /** Null if no leader is expected. */
  leader: v.nullable(v.picklist(["alive", "stale", "gone"])),
  session: v.nullable(
    v.strictObject({ role: v.picklist(["worker", "verifier"]), state: v.picklist(["alive", "stale"]) }),
  ),
  branch: v.nullable(v.string()),
  commits: Count,
  exit_status: Count,
});
export type CampaignSummary = v.InferOutput<typeof CampaignSummary>;

export const CampaignStage = v.strictObject({
  session_name: v.string(),
  panes: v.strictObject({ leader: v.string(), worker: v.string(), verifier: v.string() }),
});

export type CampaignStage = v.InferOutput<typeof CampaignStage>;

export const CampaignSessionConfig = v.strictObject({
  ...CampaignStage.entries,
  slug: CampaignSlug,
  created_at: Timestamp,
  pid: Positive,
  root: v.string(),
  models: v.strictObject({ worker: v.nullable(v.string()), verifier: v.nullable(v.string()) }),
  config: v.strictObject({
    max_iter: Positive,
    poll_interval: v.number(),
    iter_timeout: v.number(),
    heartbeat_stale_threshold: v.number(),
    max_restarts: Positive,
    idle_nudge_threshold: v.number(),
    max_nudges: Positive,
  }),
});
export type CampaignSessionConfig = v.InferOutput<typeof CampaignSessionConfig>;

export const CampaignHeartbeat = v.strictObject({
  ts: Timestamp,
  pid: Positive,
  session: v.nullable(v.strictObject({ role: v.picklist(["worker", "verifier"]), ts: Timestamp })),
});
export type CampaignHeartbeat = v.InferOutput<typeof CampaignHeartbeat>;

export const PANES = ["leader", "worker", "verifier"] as const;
export type Pane = (typeof PANES)[number];

/** `cleaned.json`: the end of the journal when a person last cleaned up. */
export const CampaignCleaned = v.strictObject({
  seq: Count,
  /** The end of the journal when the folder was made: lines up to here belong to an earlier campaign of this name. */
  planned_seq: v.exactOptional(Count),
});
export type CampaignCleaned = v.InferOutput<typeof CampaignCleaned>;
