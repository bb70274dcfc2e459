/** The documents that relais keeps in the folder of a campaign, and what it prints about one. */
import * as v from "valibot";
import { CampaignSlug } from "./campaign.ts";
import { SeriesId, Timestamp } from "./identifier.ts";
import { Count, Positive } from "./quantity.ts";

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
  /** The story that is next, or `ALL`. */
  story: v.string(),
  verify_mode: v.picklist(["per-story", "batch"]),
  verified_stories: v.array(v.string()),
  stories_total: Positive,
  /** The model of the next session, where a rule or a person has chosen one. */
  worker_model: v.nullable(v.string()),
  verifier_model: v.nullable(v.string()),
  last_result: CampaignResult,
  /** One more with each `fail`, none after a `pass`, untouched by `request_info`. */
  consecutive_failures: Count,
  /** How many sessions in a row have ended without their file. */
  restarts: Count,
  /** How the campaign is over; null while it is not. */
  sentinel: v.nullable(Sentinel),
  /** One sentence about the last thing that was decided. */
  message: v.string(),
  updated_at_utc: Timestamp,
};

/** `status.json` of a campaign. */
export const CampaignStatus = v.strictObject(statusEntries);
export type CampaignStatus = v.InferOutput<typeof CampaignStatus>;

/** What `relais campaign run` and `status` print with `--json`. */
export const CampaignSummary = v.strictObject({
  kind: v.literal("campaign_summary"),
  series_id: v.nullable(SeriesId),
  ...statusEntries,
  folder: v.string(),
  branch: v.nullable(v.string()),
  commits: Count,
  exit_status: Count,
});
export type CampaignSummary = v.InferOutput<typeof CampaignSummary>;

/** `cleaned.json`: how far the journal was when a person last said that everything before is settled. */
export const CampaignCleaned = v.strictObject({ seq: Count });
