/** Ends a leader in order, wherever it runs: its tick is put back, no sentinel is left, and `run` goes on with it. */
import { unreachable } from "../../contract/values/invariant.ts";
import { askToEnd } from "../../io/process/ask-to-end.ts";
import { type NotReady, type Refusal, refuse } from "../../contract/answers/command-failure.ts";
import { campaignLeader } from "./campaign-life.ts";
import { type CampaignQuestion, findCampaign } from "./find-campaign.ts";

export interface StoppedCampaign {
  readonly kind: "stopped";
  readonly slug: string;
  readonly pid: number;
}

interface StopRequest extends CampaignQuestion {
  readonly signal: AbortSignal;
}

export async function stopCampaign(request: StopRequest): Promise<StoppedCampaign | Refusal | NotReady> {
  const { slug, signal } = request;
  const found = await findCampaign(request);
  if (found.kind !== "campaign") return found;
  const leader = await campaignLeader(found);
  if (leader === null)
    return refuse({
      cause: "not_running",
      message: `Nobody runs the campaign ${slug} here.`,
      next: `\`relais campaign status ${slug}\` tells where it stands.`,
    });
  const end = await askToEnd(
    {
      pid: leader.pid,
      processStart: leader.process_start,
      bootId: leader.boot_id,
      host: leader.host,
      pidNamespace: leader.pid_namespace,
    },
    signal,
  );
  switch (end) {
    case "ended":
      return { kind: "stopped", slug, pid: leader.pid };
    case "refused":
      return stillThere(slug, `The process ${leader.pid} may not be ended from here.`);
    case "late":
      return stillThere(slug, `The process ${leader.pid} was asked to end and is not through with it yet.`);
    default:
      return unreachable(end);
  }
}

function stillThere(slug: string, message: string): Refusal {
  return refuse({
    cause: "still_running",
    message,
    next: `\`relais campaign status ${slug}\` tells when it has.`,
  });
}
