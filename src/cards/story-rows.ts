/** The stories of a campaign: which are verified, which one is worked on, and how often it came back. */
import type { CampaignSettings } from "../records/campaign.ts";
import { type CampaignState, nameWorkerStory } from "../workflows/pure/campaign-state.ts";
import { joinLines } from "./report-words.ts";
import { type FrameLine, makeRow, makeSpan, type PartPlace } from "./frame-line.ts";
import type { LiveModel } from "./live-model.ts";
import { pickWindow } from "./pick-window.ts";

/** At most so many rows, and the story that is worked on among them. */
export function renderStoryRows(
  { campaign }: LiveModel,
  { columns }: Pick<PartPlace, "columns">,
  rows: number,
): readonly FrameLine[] {
  if (campaign?.settings == null || rows < 1) return [];
  const { stories } = campaign.settings;
  const current = campaign.due[0] ?? nameWorkerStory(campaign, campaign.settings);
  const at = Math.max(
    0,
    stories.findIndex(({ id }) => id === current),
  );
  const head = makeRow("stories", [makeSpan(describeProgress(campaign, campaign.settings, current))], columns);
  const lines = pickWindow(stories, { rows: rows - 1, at }).map((story) =>
    makeRow("", renderStory(story, campaign, story.id === current), columns),
  );
  return [head, ...lines];
}

function describeProgress(
  { verified, failures, due }: CampaignState,
  { stories }: CampaignSettings,
  at: string,
): string {
  const failed = failures === 0 ? "" : `; ${failures} failures in a row`;
  return `${verified.length} of ${stories.length} verified; ${due.length > 0 ? "verifying" : "working on"} ${at}${failed}`;
}

function renderStory(
  { id, title }: CampaignSettings["stories"][number],
  { verified, claimed, records }: CampaignState,
  isCurrent: boolean,
): FrameLine {
  const fixes = records
    .flatMap(({ verifications }) => verifications)
    .filter(({ story, verdict }) => story === id && verdict === "fail").length;
  const isDone = verified.includes(id);
  const mark = isDone ? makeSpan("✓ ", "good") : isCurrent ? makeSpan("▸ ", "strong") : makeSpan("○ ", "faint");
  const state = isDone ? "" : claimed.includes(id) ? "  claimed done" : "";
  return [
    mark,
    makeSpan(id, ...(isCurrent ? (["strong"] as const) : [])),
    makeSpan(`  ${joinLines(title)}`),
    makeSpan(state, "faint"),
    makeSpan(fixes === 0 ? "" : `  ${fixes === 1 ? "1 fix" : `${fixes} fixes`}`, "strong"),
  ];
}
