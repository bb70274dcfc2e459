/** The stories of a campaign: which are verified, which one is worked on, and how often it came back. */
import type { CampaignSettings } from "../../contract/workflows/campaign.ts";
import { type CampaignState, workerStory } from "../../core/campaign/campaign-state.ts";
import { oneLine } from "../cards/report-words.ts";
import { type Line, row, span } from "./frame-line.ts";
import type { PartPlace } from "./frame-place.ts";
import type { LiveModel } from "./live-model.ts";
import { windowed } from "./windowed.ts";

/** At most so many rows, and the story that is worked on among them. */
export function storyRows(
  { campaign }: LiveModel,
  { columns }: Pick<PartPlace, "columns">,
  rows: number,
): readonly Line[] {
  if (campaign?.settings == null || rows < 1) return [];
  const { stories } = campaign.settings;
  const current = campaign.due[0] ?? workerStory(campaign, campaign.settings);
  const at = Math.max(
    0,
    stories.findIndex(({ id }) => id === current),
  );
  const head = row("stories", [span(headWords(campaign, campaign.settings, current))], columns);
  const lines = windowed(stories, { rows: rows - 1, at }).map((story) =>
    row("", storyLine(story, campaign, story.id === current), columns),
  );
  return [head, ...lines];
}

function headWords(
  { verified, failures, due }: CampaignState,
  { stories }: CampaignSettings,
  at: string,
): string {
  const failed = failures === 0 ? "" : `; ${failures} failures in a row`;
  return `${verified.length} of ${stories.length} verified; ${due.length > 0 ? "verifying" : "working on"} ${at}${failed}`;
}

function storyLine(
  { id, title }: CampaignSettings["stories"][number],
  { verified, claimed, records }: CampaignState,
  isCurrent: boolean,
): Line {
  const fixes = records
    .flatMap(({ verifications }) => verifications)
    .filter(({ story, verdict }) => story === id && verdict === "fail").length;
  const isDone = verified.includes(id);
  const mark = isDone ? span("✓ ", "good") : isCurrent ? span("▸ ", "strong") : span("○ ", "faint");
  const state = isDone ? "" : claimed.includes(id) ? "  claimed done" : "";
  return [
    mark,
    span(id, ...(isCurrent ? (["strong"] as const) : [])),
    span(`  ${oneLine(title)}`),
    span(state, "faint"),
    span(fixes === 0 ? "" : `  ${fixes === 1 ? "1 fix" : `${fixes} fixes`}`, "bad"),
  ];
}
