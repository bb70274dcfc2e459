/**
 * The contract of a campaign and the settings of its series. People edit the contract as Markdown; the journal holds it
 * as it was read, so that an edit during an iteration does not affect that iteration.
 */
import * as v from "valibot";
import { Argv, Iterations, ITERATIONS_MAX, limitedText, Positive } from "../base/quantity.ts";
import { CommitId, ReviewerName } from "../base/identifier.ts";

export const CAMPAIGN_LIMITS = {
  objectiveChars: 8000,
  stories: 60,
  criteria: 40,
  textChars: 1000,
  commands: 16,
  iterations: ITERATIONS_MAX,
  documentBytes: 64 * 1024,
} as const;

/** The last verification, and the work of a campaign without separate stories. */
export const EVERY_STORY = "ALL";

/** It names a folder and a tmux session, so it is short and plain. */
export const CampaignSlug = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9-]{0,29}$/, "a slug is 1 to 30 small letters, digits and `-`, like `auth-refactor`"),
);

const CampaignCriterion = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^AC\d{1,3}$/, "a criterion is named like `AC1`")),
  text: limitedText(CAMPAIGN_LIMITS.textChars),
});

const CampaignStory = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^US-\d{3}$/, "a story is named like `US-001`")),
  title: limitedText(200),
  criteria: v.pipe(v.array(CampaignCriterion), v.maxLength(CAMPAIGN_LIMITS.criteria)),
});
export type CampaignStory = v.InferOutput<typeof CampaignStory>;

export const CampaignCommand = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,39}$/, "a command is named in small letters, like `test`")),
  argv: Argv,
});
export type CampaignCommand = v.InferOutput<typeof CampaignCommand>;

const Model = limitedText(120);

/** `brainstorm --from` reads it from a file. */
export const CampaignContract = v.strictObject({
  slug: CampaignSlug,
  objective: limitedText(CAMPAIGN_LIMITS.objectiveChars),
  stories: v.pipe(v.array(CampaignStory), v.maxLength(CAMPAIGN_LIMITS.stories)),
  /** Only a person chooses it; null is not chosen yet. */
  iteration_unit: v.nullable(v.picklist(["story", "all"])),
  commands: v.pipe(v.array(CampaignCommand), v.maxLength(CAMPAIGN_LIMITS.commands)),
  complete_when: v.pipe(v.string(), v.maxLength(CAMPAIGN_LIMITS.textChars)),
  blocked_when: v.pipe(v.string(), v.maxLength(CAMPAIGN_LIMITS.textChars)),
  worker_model: v.nullable(Model),
  verifier_model: v.nullable(Model),
  max_iterations: v.nullable(Iterations),
});
export type CampaignContract = v.InferOutput<typeof CampaignContract>;

export const CampaignSettings = v.strictObject({
  slug: CampaignSlug,
  objective: CampaignContract.entries.objective,
  stories: v.pipe(v.array(CampaignStory), v.minLength(1)),
  iteration_unit: v.picklist(["story", "all"]),
  commands: v.array(CampaignCommand),
  complete_when: v.string(),
  blocked_when: v.string(),
  verify_mode: v.picklist(["per-story", "batch"]),
  max_iterations: Iterations,
  /** Null leaves the choice to the rules. */
  worker_model: v.nullable(Model),
  verifier_model: v.nullable(Model),
  verifiers: v.pipe(v.array(ReviewerName), v.minLength(1), v.maxLength(2)),
  limits: v.strictObject({
    request_info: Positive,
    max_restarts: Positive,
  }),
  base: CommitId,
});
export type CampaignSettings = v.InferOutput<typeof CampaignSettings>;

const DraftStory = v.strictObject({
  title: limitedText(200),
  criteria: v.pipe(
    v.array(limitedText(CAMPAIGN_LIMITS.textChars)),
    v.minLength(1),
    v.maxLength(CAMPAIGN_LIMITS.criteria),
  ),
});

/** Suggestions of an agent. A person chooses the iteration unit and the models, so those are not included. */
export const CampaignDraft = v.strictObject({
  slug: CampaignSlug,
  objective: CampaignContract.entries.objective,
  stories: v.pipe(v.array(DraftStory), v.minLength(1), v.maxLength(CAMPAIGN_LIMITS.stories)),
  commands: v.pipe(v.array(CampaignCommand), v.maxLength(CAMPAIGN_LIMITS.commands)),
  complete_when: limitedText(CAMPAIGN_LIMITS.textChars),
  blocked_when: limitedText(CAMPAIGN_LIMITS.textChars),
  max_iterations: Iterations,
});
export type CampaignDraft = v.InferOutput<typeof CampaignDraft>;
