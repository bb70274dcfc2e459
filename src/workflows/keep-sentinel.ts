import { join } from "node:path";
import type { Sentinel } from "../records/campaign-files.ts";
import type { Config } from "../config/config.ts";
import type { FoldedLines } from "../records/folded-lines.ts";
import { summariseCampaign } from "./pure/campaign-status.ts";
import { findOwedSentinel } from "./pure/sentinel.ts";
import { createFile } from "../journal/workspace-files.ts";
import { writeNow } from "../system/write-now.ts";
import { CAMPAIGN_FILES, findCampaignSeries, findCleanedSeq, findStandingSentinel } from "./campaign-on-disk.ts";

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
  const status = summariseCampaign({
    state,
    settings: state.settings,
    config,
    sentinel: findStandingSentinel(folder),
  });
  writeNow(join(folder, CAMPAIGN_FILES.status), `${JSON.stringify(status, null, 2)}\n`);
}
