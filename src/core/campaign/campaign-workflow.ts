/** The workflow of a campaign: a worker's iteration, then what has to be verified, until everything passes or it is over. */
import type { CampaignSettings } from "../../contract/workflows/campaign.ts";
import type { Config } from "../../contract/config/config.ts";
import { decideAfterTick, endSeries } from "../series/after-tick.ts";
import type { NextWork, Workflow } from "../workflow/workflow.ts";
import { type CampaignState, NEW_CAMPAIGN } from "./campaign-state.ts";
import { type CampaignCircumstances, planVerification, planWorkerSession } from "./campaign-work.ts";
import { foldCampaign } from "./fold-campaign.ts";
import { withSettings } from "./with-settings.ts";

/** Breakers of series are for tasks that agents propose; a campaign has its own. */
const NEVER = Number.MAX_SAFE_INTEGER;
const NO_BREAKERS = {
  same_task: NEVER,
  same_code: NEVER,
  empty_ticks: NEVER,
  infrastructure_failures: NEVER,
};

export function makeCampaignWorkflow(known: CampaignCircumstances): Workflow<CampaignState> {
  return { name: "campaign", start: NEW_CAMPAIGN, reduce: foldCampaign, next: (state) => next(state, known) };
}

function next(told: CampaignState, known: CampaignCircumstances): NextWork {
  const { config, settings, warnings } = known;
  // The contract may have been edited since the last tick, and the next one records it only when it begins.
  const state = withSettings(told, settings);
  if (state.status !== "active") return endOf(state, settings);
  const loop = { ...config.loop, on_stop: "continue", breakers: NO_BREAKERS } as const;
  const step = decideAfterTick(state.series.ticks, { loop, maxTicks: null, warnings });
  if (step.kind !== "go_on") return step;
  if (state.due.length === 0 && state.iteration >= settings.max_iterations) return outOfIterations(settings);
  if (state.restarts > 0 && !state.hasWaited) return { kind: "wait", ms: backoffMs(state.restarts, config) };
  const work = state.due.length > 0 ? planVerification(state, known) : planWorkerSession(state, known);
  return { kind: "work", work };
}

const BACKOFF_DOUBLINGS_MAX = 6;

/** Twice as long with each try that came to nothing. */
function backoffMs(restarts: number, { campaign }: Pick<Config, "campaign">): number {
  const doublings = Math.min(BACKOFF_DOUBLINGS_MAX, restarts - 1);
  return Math.round(campaign.poll_interval_seconds * 1000 * 2 ** doublings);
}

function endOf({ status, message }: CampaignState, { slug }: CampaignSettings): NextWork {
  if (status === "complete")
    return endSeries("complete", {
      reason: "campaign_complete",
      message: `Everything is verified. ${message}`,
    });
  const hint = `Mend what is in the way, \`relais campaign clean ${slug}\`, and \`relais campaign run ${slug}\` goes on.`;
  return { ...endSeries("blocked", { reason: "campaign_blocked", message, hint }), exit: 14 };
}

function outOfIterations({ slug, max_iterations }: CampaignSettings): NextWork {
  return endSeries("timeout", {
    reason: "max_iterations",
    message: `All ${max_iterations} iterations are used up.`,
    hint: `\`relais campaign clean ${slug}\`, then \`relais campaign run ${slug} --max-iter N\` with a higher number.`,
  });
}
