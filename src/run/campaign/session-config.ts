import { join } from "node:path";
import type { CampaignSessionConfig, CampaignStage } from "../../contract/workflows/campaign-files.ts";
import { chooseCampaignModels } from "../../core/campaign/campaign-roles.ts";
import { NEW_CAMPAIGN } from "../../core/campaign/campaign-state.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { writeNow } from "../../io/files/write-now.ts";
import type { ReadyCampaign } from "./prepare-campaign.ts";

export const SESSION_CONFIG = "session-config.json";

/** Names the tmux session of this leader, before a tick observes the repository. */
export function writeSessionConfig(
  { workspace: { config, repository }, settings, folder }: Omit<ReadyCampaign, "kind">,
  stage: CampaignStage,
): void {
  const { campaign } = config;
  const document: CampaignSessionConfig = {
    ...stage,
    slug: settings.slug,
    created_at: new Date(readClockMs()).toISOString(),
    pid: process.pid,
    root: repository.root,
    models: chooseCampaignModels(NEW_CAMPAIGN, { config, settings }),
    config: {
      max_iter: settings.max_iterations,
      poll_interval: campaign.poll_interval_seconds,
      iter_timeout: campaign.iteration_timeout_seconds,
      heartbeat_stale_threshold: campaign.heartbeat_stale_seconds,
      max_restarts: campaign.max_restarts,
      idle_nudge_threshold: campaign.idle_nudge_seconds,
      max_nudges: campaign.max_nudges,
    },
  };
  writeNow(join(folder, SESSION_CONFIG), `${JSON.stringify(document, null, 2)}\n`);
}
