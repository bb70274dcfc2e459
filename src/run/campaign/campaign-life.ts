/** Who is at work on a campaign right now, as far as the locks and the signs of life tell. */
import {
  CampaignHeartbeat,
  type CampaignSummary,
  type Pane,
} from "../../contract/workflows/campaign-files.ts";
import type { Lock } from "../../contract/journal/lock.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { lookAtLock } from "../../io/journal/lock.ts";
import { lockPathsOf } from "../workspace/incomplete-journal.ts";
import { documentOf } from "./campaign-files.ts";
import type { FoundCampaign } from "./find-campaign.ts";
import { heartbeatPath, liveFolder } from "./live-feed.ts";

export type CampaignLife = Pick<CampaignSummary, "leader" | "session">;

const NOBODY: CampaignLife = { leader: null, session: null };

/** Nobody is told of where nobody is expected: before the first run, after an orderly end, and once it is over. */
export async function campaignLife(found: FoundCampaign): Promise<CampaignLife> {
  const leader = ageOf(found, "leader");
  if (found.status.sentinel !== null || leader === null) return NOBODY;
  if ((await campaignLeader(found)) === null) return { leader: "gone", session: null };
  const pane = ageOf(found, "worker") === null ? "verifier" : "worker";
  const session = ageOf(found, pane);
  return {
    leader: leader.isStale ? "stale" : "alive",
    session: session === null ? null : { role: pane, state: session.isStale ? "stale" : "alive" },
  };
}

/** The process that leads the campaign in this worktree: it holds the locks here, and gives its signs of life. */
export async function campaignLeader(found: FoundCampaign): Promise<Lock | null> {
  const heartbeat = heartbeatOf(found, "leader");
  if (heartbeat === null) return null;
  const { lockPath, repository, config } = found.around;
  const sightings = await Promise.all(lockPathsOf({ lockPath, repository, config }).map(lookAtLock));
  const holders = sightings.flatMap((sighting) => (sighting.kind === "busy" ? [sighting.holder] : []));
  const [holder] = holders;
  const isHolder = holders.length === sightings.length && holders.every(({ pid }) => pid === heartbeat.pid);
  return isHolder ? (holder ?? null) : null;
}

function heartbeatOf({ around, slug }: FoundCampaign, pane: Pane) {
  return documentOf(heartbeatPath(liveFolder(around.stateDirectory, slug), pane), CampaignHeartbeat);
}

/** Whether the last sign of life is too old; null where none is expected. */
function ageOf(found: FoundCampaign, pane: Pane): { readonly isStale: boolean } | null {
  const heartbeat = heartbeatOf(found, pane);
  if (heartbeat === null) return null;
  const ageSeconds = (currentTimeMs() - Date.parse(heartbeat.ts)) / 1000;
  return { isStale: ageSeconds > found.around.config.campaign.heartbeat_stale_seconds };
}
