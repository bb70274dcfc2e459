import type { CampaignSettings } from "../../records/campaign.ts";
import type { Config } from "../../config/config.ts";
import { decideAfterTick, endSeries, withoutBreakers } from "./after-tick.ts";
import type { NextWork, Workflow } from "./workflow.ts";
import { type CampaignState, NEW_CAMPAIGN, withSettings } from "./campaign-state.ts";
import { type CampaignCircumstances, planVerification, planWorkerSession } from "./campaign-work.ts";
import { foldCampaign } from "./fold-campaign.ts";

export function makeCampaignWorkflow(known: CampaignCircumstances): Workflow<CampaignState> {
  return { name: "campaign", start: NEW_CAMPAIGN, reduce: foldCampaign, next: (state) => chooseNext(state, known) };
}

function chooseNext(told: CampaignState, known: CampaignCircumstances): NextWork {
  const { config, settings, warnings } = known;
  // The contract may have been edited since the last tick, and only the next one records it.
  const state = withSettings(told, settings);
  if (state.status !== "active") return endWorkflow(state, settings);
  const loop = withoutBreakers(config.loop);
  const step = decideAfterTick(state.series.ticks, { loop, maxTicks: null, warnings });
  if (step.kind !== "go_on") return step;
  if (state.due.length === 0 && state.iteration >= settings.max_iterations) return endWithoutIterations(settings);
  if (state.restarts > 0 && !state.hasWaited) return { kind: "wait", ms: computeBackoffMs(state.restarts, config) };
  const work = state.due.length > 0 ? planVerification(state, known) : planWorkerSession(state, known);
  return { kind: "work", work };
}

const BACKOFF_DOUBLINGS_MAX = 6;

function computeBackoffMs(restarts: number, { campaign }: Pick<Config, "campaign">): number {
  const doublings = Math.min(BACKOFF_DOUBLINGS_MAX, restarts - 1);
  return Math.round(campaign.poll_interval_seconds * 1000 * 2 ** doublings);
}

function endWorkflow({ status, message }: CampaignState, { slug }: CampaignSettings): NextWork {
  if (status === "complete")
    return endSeries("complete", {
      reason: "campaign_complete",
      message: `Everything is verified. ${message}`,
    });
  const hint = `Fix the problem, then \`relais campaign clean ${slug}\` and \`relais campaign run ${slug}\`.`;
  return { ...endSeries("blocked", { reason: "campaign_blocked", message, hint }), exit: 14 };
}

function endWithoutIterations({ slug, max_iterations }: CampaignSettings): NextWork {
  return endSeries("timeout", {
    reason: "max_iterations",
    message: `All ${max_iterations} iterations are used up.`,
    hint: `\`relais campaign clean ${slug}\`, then \`relais campaign run ${slug} --max-iter N\` with a higher number.`,
  });
}
