/**
 * The heartbeat of a campaign: who leads it, which session runs, and when each of them last did anything.
 *
 * The leader writes it from its live events. It is beside the journal and not in the repository,
 * because a tick observes the repository meanwhile. It exists while a leader is expected.
 */
import { join } from "node:path";
import { CampaignHeartbeat } from "../records/campaign-files.ts";
import type { Config } from "../config/config.ts";
import { foldLiveCampaign, NO_LIVE_CAMPAIGN } from "./pure/live-session.ts";
import { readClockMs, repeatEvery } from "../system/clock.ts";
import { makeFolders } from "../system/make-folders.ts";
import { removeFile } from "../system/remove-file.ts";
import { writeNow } from "../system/write-now.ts";
import { readCampaignDocument } from "./campaign-on-disk.ts";
import type { LiveEvent } from "../records/live-event.ts";

export function locatePrivateFolder(stateDirectory: string, slug: string): string {
  return join(stateDirectory, "campaigns", slug);
}

const LOOK_MS_MIN = 250;

/** How often a leader writes its heartbeat and checks its panes. */
export function chooseLookInterval({ campaign }: Pick<Config, "campaign">): number {
  return Math.max(LOOK_MS_MIN, campaign.poll_interval_seconds * 1000);
}

const HEARTBEAT = "heartbeat.json";

export function readHeartbeat(folder: string): CampaignHeartbeat | null {
  return readCampaignDocument(join(folder, HEARTBEAT), CampaignHeartbeat);
}

export function openHeartbeat(folder: string, config: Config) {
  makeFolders(folder, 0o700);
  const path = join(folder, HEARTBEAT);
  let live = NO_LIVE_CAMPAIGN;
  let stop: (() => void) | null = null;
  const beat = (): void => {
    const { session } = live;
    const document: CampaignHeartbeat = {
      ts: new Date(readClockMs()).toISOString(),
      pid: process.pid,
      session: session && { role: session.role, ts: new Date(session.heardMs).toISOString() },
    };
    try {
      writeNow(path, `${JSON.stringify(document)}\n`, 0o600);
    } catch {
      // A full disk is reported by the journal. The heartbeat must not end the campaign.
    }
  };
  return {
    /** `opened` starts it: by then this process holds the locks. */
    emit: (event: LiveEvent): void => {
      const { session } = live;
      live = foldLiveCampaign(live, event);
      const isFirst = event.kind === "opened" && stop === null;
      if (isFirst) stop = repeatEvery(chooseLookInterval(config), beat);
      if (isFirst || (stop !== null && live.session?.role !== session?.role)) beat();
    },
    close: (): void => {
      if (stop === null) return;
      stop();
      removeFile(path);
    },
  };
}
