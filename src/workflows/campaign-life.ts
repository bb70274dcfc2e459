/** The process that leads a campaign right now, by its locks and its heartbeat. */
import type { CampaignSummary } from "../records/campaign-files.ts";
import type { Lock } from "../records/lock.ts";
import { isStale } from "./pure/live-session.ts";
import { readClockMs } from "../system/clock.ts";
import { lockPaths, readLocks } from "../workspace/read-locks.ts";
import type { FoundCampaign } from "./find-campaign.ts";
import { locatePrivateFolder, readHeartbeat } from "./heartbeat.ts";

export type CampaignLife = Pick<CampaignSummary, "leader" | "session">;

const NOBODY: CampaignLife = { leader: null, session: null };

/** No leader is expected before the first run, after an orderly end, and once the campaign is over. */
export async function readCampaignLife(found: FoundCampaign): Promise<CampaignLife> {
  const heartbeat = readCampaignHeartbeat(found);
  if (found.status.sentinel !== null || heartbeat === null) return NOBODY;
  if ((await findCampaignLeader(found)) === null) return { leader: "gone", session: null };
  const stateAt = (ts: string): "alive" | "stale" =>
    isStale(Date.parse(ts), readClockMs(), found.around.config.campaign) ? "stale" : "alive";
  const { ts, session } = heartbeat;
  return { leader: stateAt(ts), session: session && { role: session.role, state: stateAt(session.ts) } };
}

/** The process that leads the campaign in this worktree: it holds the locks here, and the heartbeat is its own. */
export async function findCampaignLeader(found: FoundCampaign): Promise<Lock | null> {
  const heartbeat = readCampaignHeartbeat(found);
  if (heartbeat === null) return null;
  const { lockPath, repository, config } = found.around;
  const sightings = await readLocks(lockPaths({ lockPath, repository, config }));
  const holders = sightings.flatMap((sighting) => (sighting.kind === "busy" ? [sighting.holder] : []));
  const [holder] = holders;
  const isHolder = holders.length === sightings.length && holders.every(({ pid }) => pid === heartbeat.pid);
  return isHolder ? (holder ?? null) : null;
}

function readCampaignHeartbeat({ around, slug }: FoundCampaign) {
  return readHeartbeat(locatePrivateFolder(around.stateDirectory, slug));
}
