/** Stops a leader wherever it runs: its tick is reverted, no sentinel is written, and `campaign run` continues it. */
import { unreachable } from "../../contract/values/invariant.ts";
import { askToEnd } from "../../io/process/ask-to-end.ts";
import { type NotReady, type Refusal, refuse } from "../../contract/answers/command-failure.ts";
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
      return refuseStillRunning(slug, `The process ${leader.pid} cannot be stopped from here (no permission).`);
    case "late":
      return refuseStillRunning(slug, `The process ${leader.pid} is still stopping.`);
    default:
      return unreachable(end);
  }
}

function refuseStillRunning(slug: string, message: string): Refusal {
  return refuse({
    cause: "still_running",
    message,
    next: `\`relais campaign status ${slug}\` shows when it has stopped.`,
  });
}
