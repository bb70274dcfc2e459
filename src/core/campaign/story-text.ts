import { type CampaignSettings, type CampaignStory, EVERY_STORY } from "../../contract/workflows/campaign.ts";

/** The stories that a name stands for. */
function storiesOf({ stories }: Pick<CampaignSettings, "stories">, story: string): readonly CampaignStory[] {
  return story === EVERY_STORY ? stories : stories.filter(({ id }) => id === story);
}

/** The criteria of these stories by their full names, like `US-001 AC2`. */
export function listCriteriaNames(settings: Pick<CampaignSettings, "stories">, story: string): readonly string[] {
  return storiesOf(settings, story).flatMap(({ id, criteria }) => criteria.map((one) => `${id} ${one.id}`));
}

/** The stories with their criteria, as a list that people and agents read. */
export function writeStory(settings: Pick<CampaignSettings, "stories">, story: string): string {
  return storiesOf(settings, story)
    .flatMap(({ id, title, criteria }) => [
      `${id}: ${title}`,
      ...criteria.map((one) => `- ${id} ${one.id}: ${one.text}`),
      "",
    ])
    .join("\n")
    .trimEnd();
}
