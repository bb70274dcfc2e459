import type { CampaignSettings } from "../../records/campaign.ts";
import type { CampaignStatus, Sentinel } from "../../records/campaign-files.ts";
import type { Config } from "../../config/config.ts";
import { chooseCampaignModels } from "./campaign-settings.ts";
import { type CampaignState, nameWorkerStory } from "./campaign-state.ts";

export function summariseCampaign(
  state: CampaignState,
  settings: CampaignSettings,
  config: Config,
  sentinel: Sentinel | null,
): CampaignStatus {
  const isOver = sentinel !== null || state.status === "complete";
  const { worker, verifier } = chooseCampaignModels(state, { config, settings });
  return {
    slug: settings.slug,
    iteration: state.iteration,
    max_iter: settings.max_iterations,
    phase: isOver ? "done" : state.due.length > 0 ? "verifier" : "worker",
    story: state.due[0] ?? nameWorkerStory(state, settings),
    verify_mode: settings.verify_mode,
    verified_stories: [...state.verified],
    stories_total: settings.stories.length,
    worker_model: worker,
    verifier_model: verifier,
    last_result: state.lastResult,
    consecutive_failures: state.failures,
    restarts: state.restarts,
    sentinel,
    message: state.message,
    updated_at_utc: state.updatedAt ?? "1970-01-01T00:00:00Z",
  };
}
