/** Stops a leader wherever it runs: its tick is reverted, no sentinel is written, and `campaign run` continues it. */
import { type NotReady, type Refusal, refuse } from "../records/command-failure.ts";
import { endHolder } from "../workspace/stop-runner.ts";
import { findCampaignLeader } from "./campaign-life.ts";
import { type CampaignQuestion, findCampaign } from "./find-campaign.ts";

export interface StoppedCampaign {
  readonly kind: "stopped";
  readonly slug: string;
  readonly pid: number;
}

export async function stopCampaign(
  request: CampaignQuestion & { readonly signal: AbortSignal },
): Promise<StoppedCampaign | Refusal | NotReady> {
  const { slug, signal } = request;
  const found = await findCampaign(request);
  if (found.kind !== "campaign") return found;
  const leader = await findCampaignLeader(found);
  if (leader === null)
    return refuse({
      cause: "not_running",
      message: `The campaign ${slug} is not running.`,
      next: `\`relais campaign status ${slug}\` shows its state.`,
    });
  const status = `relais campaign status ${slug}`;
  return (await endHolder(leader, { signal, status })) ?? { kind: "stopped", slug, pid: leader.pid };
}
