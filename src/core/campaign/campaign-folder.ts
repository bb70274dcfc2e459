/** Where everything about a campaign lies. */
import type { JournalLine } from "../../contract/journal/event.ts";
import type { CampaignState } from "./campaign-state.ts";
import { NEW_CAMPAIGN } from "./campaign-state.ts";
import { foldCampaign } from "./fold-campaign.ts";

/** The folder of a campaign, from the root of the repository. */
export function locateCampaignFolder(workspaceDir: string, slug: string): string {
  return `${workspaceDir}/campaigns/${slug}`;
}

/** What its series are called in the journal, so that one campaign is never taken up for another. */
export function writeCampaignCommand(slug: string): string {
  return `campaign ${slug}`;
}

interface Wanted {
  readonly slug: string;
  /** Linked worktrees share a journal, and each works by itself. */
  readonly worktree: string;
}

export interface KnownCampaign {
  readonly seriesId: string;
  readonly state: CampaignState;
  readonly lines: readonly JournalLine[];
}

/** The last series of a campaign as the journal tells it; null before there was one. */
export function findKnownCampaign(lines: readonly JournalLine[], { slug, worktree }: Wanted): KnownCampaign | null {
  const started = lines.findLast(
    ({ event }) =>
      event.type === "tick_started" &&
      event.series?.command === writeCampaignCommand(slug) &&
      event.worktree === worktree,
  );
  if (started === undefined) return null;
  const own = lines.filter(({ series_id }) => series_id === started.series_id);
  return { seriesId: started.series_id, state: own.reduce(foldCampaign, NEW_CAMPAIGN), lines: own };
}
