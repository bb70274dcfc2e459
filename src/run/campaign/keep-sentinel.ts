import { join } from "node:path";
import type { Sentinel } from "../../contract/workflows/campaign-files.ts";
import type { Config } from "../../contract/config/config.ts";
import type { JournalLine } from "../../contract/journal/event.ts";
import { summariseCampaign } from "../../core/campaign/campaign-status.ts";
import { findOwedSentinel } from "../../core/campaign/sentinel.ts";
import { createFile } from "../../io/workspace/workspace-files.ts";
import { writeNow } from "../../io/files/write-now.ts";
import { CAMPAIGN_FILES, findCampaignSeries, findCleanedSeq, findStandingSentinel } from "./campaign-files.ts";

interface CampaignPlace {
  readonly config: Config;
  readonly slug: string;
  /** The folder of the campaign, as an absolute path. */
  readonly folder: string;
  readonly worktree: string;
}

/** Whether a sentinel is missing that the journal says must stand. It only reads. */
export function isSentinelOwed(lines: readonly JournalLine[], place: CampaignPlace): boolean {
  return findStandingSentinel(place.folder) === null && findOwedNow(lines, place) !== null;
}

function findOwedNow(lines: readonly JournalLine[], place: CampaignPlace) {
  const known = findCampaignSeries(lines, place);
  return known === null ? null : findOwedSentinel(known.lines, { ...place, cleanedSeq: findCleanedSeq(place.folder) });
}

/**
 * Writes the sentinel that the journal says must stand, unless one does; answers with the one that stands then.
 *
 * It is done on every way out of a run and again at the beginning of the next one, so a process that is killed between
 * the recorded end and the file changes nothing about it. The caller holds the locks.
 */
export async function keepSentinel(lines: readonly JournalLine[], place: CampaignPlace): Promise<Sentinel | null> {
  const standing = findStandingSentinel(place.folder);
  if (standing !== null) return standing;
  const owed = findOwedNow(lines, place);
  if (owed === null) return null;
  await createFile(join(place.folder, `${owed.name}.md`), owed.text);
  reportSentinel(lines, place);
  return owed.name;
}

/** Writes into status.json which sentinel stands now. */
export function reportSentinel(lines: readonly JournalLine[], place: CampaignPlace): void {
  const { folder, config } = place;
  const state = findCampaignSeries(lines, place)?.state;
  if (state === undefined || state.settings === null) return;
  const status = summariseCampaign({
    state,
    settings: state.settings,
    config,
    sentinel: findStandingSentinel(folder),
  });
  writeNow(join(folder, CAMPAIGN_FILES.status), `${JSON.stringify(status, null, 2)}\n`);
}
