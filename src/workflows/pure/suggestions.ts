import type { CampaignDraft } from "../../records/campaign.ts";
import type { Config } from "../../config/config.ts";
import { makeSlug } from "../../base/words.ts";
import { joinCommand } from "./split-command.ts";

const MANY_STORIES = 3;

export function recommendUnit(stories: number): "story" | "all" {
  return stories >= MANY_STORIES ? "story" : "all";
}

const TRIES_PER_STORY = 3;
const LEAST_ITERATIONS = 6;

/** Each story is built, fixed and fixed again. */
function suggestIterations(stories: number): number {
  return Math.max(LEAST_ITERATIONS, stories * TRIES_PER_STORY);
}

export function listSuggestedCommands({
  verification,
}: Config): readonly { readonly id: string; readonly line: string }[] {
  return verification.templates
    .filter(({ params = {} }) => Object.keys(params).length === 0)
    .map(({ id, cmd, args }) => ({
      id: id.toLowerCase().replaceAll(/[^a-z0-9_-]+/gu, "-"),
      line: joinCommand([cmd, ...args]),
    }));
}

export interface Suggestions {
  readonly slug: string;
  readonly objective: string | undefined;
  readonly stories: CampaignDraft["stories"];
  readonly commands: ReturnType<typeof listSuggestedCommands>;
  readonly completeWhen: string;
  readonly blockedWhen: string;
  readonly iterations: (stories: number) => number;
}

/** Checks of the configuration stay suggested after a draft. */
export function suggestPlan(
  config: Config,
  description: string | null /** Null if no agent was asked, or its draft is unusable. */,
  draft: CampaignDraft | null,
): Suggestions {
  const configured = listSuggestedCommands(config);
  if (draft === null)
    return {
      slug: makeSlug(description ?? "") || "campaign",
      objective: description ?? undefined,
      stories: [],
      commands: configured,
      completeWhen: "All stories are verified.",
      blockedWhen: "Nothing more can be done without a person.",
      iterations: suggestIterations,
    };
  const drafted = draft.commands.map(({ id, argv }) => ({ id, line: joinCommand(argv) }));
  return {
    slug: draft.slug,
    objective: draft.objective,
    stories: draft.stories,
    commands: [...drafted, ...configured.filter(({ line }) => drafted.every((command) => command.line !== line))],
    completeWhen: draft.complete_when,
    blockedWhen: draft.blocked_when,
    iterations: () => draft.max_iterations,
  };
}
