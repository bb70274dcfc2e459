import { type CampaignSettings, EVERY_STORY } from "../../contract/workflows/campaign.ts";
import { type CampaignState, openStories } from "./campaign-state.ts";

/**
 * A campaign as it stands under the contract as it is now.
 *
 * What was found out about a story that was rewritten or taken out since says nothing about the one that is there: it is
 * worked on and verified again, and nobody is asked to mend it or to look at it.
 */
export function withSettings(state: CampaignState, settings: CampaignSettings | null): CampaignState {
  const before = state.settings;
  if (before === null || settings === null) return { ...state, settings };
  const isSame = (id: string): boolean => storyOf(before, id) === storyOf(settings, id);
  const next = {
    ...state,
    settings,
    verified: state.verified.filter(isSame),
    claimed: state.claimed.filter(isSame),
    contract: contractOf(state, isSame),
  };
  const isAsBefore = [before, settings].flatMap(({ stories }) => stories).every(({ id }) => isSame(id));
  return isAsBefore ? next : { ...next, due: dueOf(next, settings, isSame) };
}

function storyOf({ stories }: CampaignSettings, id: string): string | undefined {
  return JSON.stringify(stories.find((one) => one.id === id));
}

type IsSame = (id: string) => boolean;

/** Issues that are about no story, like a red command, stay. */
function contractOf({ contract }: CampaignState, isSame: IsSame): CampaignState["contract"] {
  if (contract?.kind !== "fix") return contract;
  const issues = contract.issues.filter(({ criterion }) => isSame(criterion.split(" ")[0] ?? ""));
  return issues.length === 0 ? null : { ...contract, issues };
}

/** Everything is verified once nothing is open, and not before. */
function dueOf(state: CampaignState, settings: CampaignSettings, isSame: IsSame): CampaignState["due"] {
  const due = state.due.filter((id) => id !== EVERY_STORY && isSame(id));
  if (due.length > 0 || state.contract !== null) return due;
  return openStories(state, settings).length === 0 ? [EVERY_STORY] : [];
}
