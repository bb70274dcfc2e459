import { type CampaignSettings, EVERY_STORY } from "../../contract/workflows/campaign.ts";

/** The file in `logs/` for the prompt of a task of a campaign; null for any other task. */
export function nameLog(taskId: string, settings: CampaignSettings): string | null {
  const parts = /^(?<kind>iter|verify)-(?<iteration>\d+)-(?<story>.+)$/u.exec(taskId)?.groups;
  if (parts === undefined) return null;
  const { kind, iteration, story = "" } = parts;
  return kind === "iter"
    ? `iter-${iteration}.worker-prompt.md`
    : `iter-${iteration}.verifier-prompt${suffixOf(story, settings)}.md`;
}

/** An iteration may have several verifications, and each keeps its prompt. */
function suffixOf(story: string, settings: CampaignSettings): string {
  if (settings.verify_mode === "batch") return "";
  if (story === EVERY_STORY) return ".final";
  return settings.iteration_unit === "all" ? `.${story}` : "";
}
