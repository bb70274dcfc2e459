/**
 * An agent's suggestions for a campaign. A person chooses the iteration unit and the models, so those are not included.
 */
import * as v from "valibot";
import { limitedText } from "../values/limited-text.ts";
import { CAMPAIGN_LIMITS, CampaignCommand, CampaignContract, CampaignSlug } from "./campaign.ts";

const DraftStory = v.strictObject({
  title: limitedText(200),
  criteria: v.pipe(
    v.array(limitedText(CAMPAIGN_LIMITS.textChars)),
    v.minLength(1),
    v.maxLength(CAMPAIGN_LIMITS.criteria),
  ),
});

export const CampaignDraft = v.strictObject({
  slug: CampaignSlug,
  objective: CampaignContract.entries.objective,
  stories: v.pipe(v.array(DraftStory), v.minLength(1), v.maxLength(CAMPAIGN_LIMITS.stories)),
  commands: v.pipe(v.array(CampaignCommand), v.maxLength(CAMPAIGN_LIMITS.commands)),
  complete_when: limitedText(CAMPAIGN_LIMITS.textChars),
  blocked_when: limitedText(CAMPAIGN_LIMITS.textChars),
  max_iterations: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(CAMPAIGN_LIMITS.iterations)),
});
export type CampaignDraft = v.InferOutput<typeof CampaignDraft>;
