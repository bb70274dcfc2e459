import { join } from "node:path";
import { CampaignHeartbeat, type Sentinel } from "../records/campaign-files.ts";
import type { Config } from "../config/config.ts";
import { foldLiveCampaign, NO_LIVE_CAMPAIGN } from "./pure/live-session.ts";
import { readClockMs, repeatEvery } from "../system/clock.ts";
import { makeFolders } from "../system/folders.ts";
import { removeFile } from "../system/remove-own.ts";
import { writeNow } from "../system/write-files.ts";
import {
  readCampaignDocument,
  CAMPAIGN_FILES,
  findCampaignSeries,
  findCleanedSeq,
  findStandingSentinel,
} from "./campaign-on-disk.ts";
import type { LiveEvent } from "../records/live-event.ts";
import type { FoldedLines } from "../records/folded-lines.ts";
import { summariseCampaign } from "./pure/campaign-status.ts";
import { findOwedSentinel } from "./pure/sentinel.ts";
import { createFile } from "../journal/workspace-files.ts";

/**
 * The heartbeat of a campaign: who leads it, which session runs, and when each of them last did anything.
 *
 * The leader writes it from its live events. It is beside the journal and not in the repository,
 * because a tick observes the repository meanwhile. It exists while a leader is expected.
 */

export function locatePrivateFolder(stateDirectory: string, slug: string): string {
  return join(stateDirectory, "campaigns", slug);
}

const LOOK_MS_MIN = 250;

/** How often a leader writes its heartbeat and checks its panes. */
export function chooseBeatInterval({ campaign }: Pick<Config, "campaign">): number {
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
      if (isFirst) stop = repeatEvery(chooseBeatInterval(config), beat);
      if (isFirst || (stop !== null && live.session?.role !== session?.role)) beat();
    },
    close: (): void => {
      if (stop === null) return;
      stop();
      removeFile(path);
    },
  };
}

interface CampaignPlace {
  readonly config: Config;
  readonly slug: string;
  readonly folder: string;
  readonly worktree: string;
}

/** Whether the journal requires a sentinel that is missing. */
export function isSentinelOwed(journal: FoldedLines, place: CampaignPlace): boolean {
  return findStandingSentinel(place.folder) === null && findOwedNow(journal, place) !== null;
}

function findOwedNow(journal: FoldedLines, place: CampaignPlace) {
  const known = findCampaignSeries(journal, place);
  return known === null ? null : findOwedSentinel(known.lines, { ...place, cleanedSeq: findCleanedSeq(place.folder) });
}

/**
 * Writes the sentinel that the journal requires, unless there is one; answers with the present one.
 *
 * It runs at the end of every run and at the beginning of the next one, so a process that is killed between
 * the recorded end and the file changes nothing. The caller holds the locks.
 */
export async function keepSentinel(journal: FoldedLines, place: CampaignPlace): Promise<Sentinel | null> {
  const standing = findStandingSentinel(place.folder);
  if (standing !== null) return standing;
  const owed = findOwedNow(journal, place);
  if (owed === null) return null;
  await createFile(join(place.folder, `${owed.name}.md`), owed.text);
  reportSentinel(journal, place);
  return owed.name;
}

/** Updates the sentinel in status.json. */
export function reportSentinel(journal: FoldedLines, place: CampaignPlace): void {
  const { folder, config } = place;
  const state = findCampaignSeries(journal, place)?.state;
  if (state === undefined || state.settings === null) return;
  const status = summariseCampaign(state, state.settings, config, findStandingSentinel(folder));
  writeNow(join(folder, CAMPAIGN_FILES.status), `${JSON.stringify(status, null, 2)}\n`);
}
