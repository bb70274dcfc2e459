import type { JournalLine } from "../../records/event.ts";
import type { FoldedLines } from "../../records/folded-lines.ts";
import { findLastSeries } from "./last-series.ts";
import { type CampaignState, NEW_CAMPAIGN } from "./campaign-state.ts";
import { writeCampaignCommand } from "./campaign-names.ts";
import { foldCampaign } from "./fold-campaign.ts";
import { type CampaignSettings, EVERY_STORY } from "../../records/campaign.ts";

interface CampaignQuery {
  readonly slug: string;
  /** Linked worktrees share a journal. */
  readonly worktree: string;
  /** Lines up to this one do not count; -1 counts all. */
  readonly from: number;
}

export interface KnownCampaign {
  readonly seriesId: string;
  readonly state: CampaignState;
  readonly lines: readonly JournalLine[];
}

/** Null before its first series. */
export function findKnownCampaign(journal: FoldedLines, { slug, worktree, from }: CampaignQuery): KnownCampaign | null {
  const last = findLastSeries(journal, { command: writeCampaignCommand(slug), worktree });
  if (last === null) return null;
  const { seriesId } = last;
  const own = journal.linesOfSeries(seriesId).filter(({ seq }) => seq > from);
  if (!own.some(({ event }) => event.type === "tick_started")) return null;
  return { seriesId, state: own.reduce(foldCampaign, NEW_CAMPAIGN), lines: own };
}

/** Null if the task is not of a campaign. */
export function nameLog(taskId: string, settings: CampaignSettings): string | null {
  const parts = /^(?<kind>iter|verify)-(?<iteration>\d+)-(?<story>.+)$/u.exec(taskId)?.groups;
  if (parts === undefined) return null;
  const { kind, iteration, story = "" } = parts;
  return kind === "iter"
    ? `iter-${iteration}.worker-prompt.md`
    : `iter-${iteration}.verifier-prompt${chooseSuffix(story, settings)}.md`;
}

/** An iteration may have several verifications, and each keeps its prompt. */
function chooseSuffix(story: string, settings: CampaignSettings): string {
  if (settings.verify_mode === "batch") return "";
  if (story === EVERY_STORY) return ".final";
  return settings.iteration_unit === "all" ? `.${story}` : "";
}
