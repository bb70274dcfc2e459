import { CAMPAIGN_LIMITS, type CampaignSettings } from "../../records/campaign.ts";
import { CampaignVerdict } from "../../records/campaign-messages.ts";
import type { Config } from "../../config/config.ts";
import { InvariantError } from "../../base/errors.ts";
import type { Review } from "../../records/review.ts";
import { parseWith } from "../../base/schema-error.ts";
import type { Task } from "../../records/task.ts";
import { listSteeringFiles } from "../../checks/pure/check-steering.ts";
import type { ReviewPlan, ReviewVerdict } from "../../checks/pure/review-plan.ts";
import { shorten } from "../../base/words.ts";
import { readConfiguredMode } from "../../tick/pure/task-admission.ts";
import { type Check, isSameCommand, makeChosenChecks } from "../../checks/pure/verification-plan.ts";
import { checkBaseOnly, makeCeiling, NO_CHECKS, type Work } from "./workflow.ts";
import { chooseCampaignRoles } from "./campaign-settings.ts";
import { type CampaignState, nameWorkerStory } from "./campaign-state.ts";
import { composeVerifierPrompt, composeWorkerPrompt, listCriteriaNames } from "./campaign-prompts.ts";
import { type Address, CLAIM_FILE, CONTEXT_FILE, MEMORY_FILE, readVerdict, readWorker } from "./read-messages.ts";

export interface CampaignTexts {
  readonly worker: string;
  readonly verifier: string;
  readonly memory: string;
  readonly context: string;
  readonly diff: string;
}

export interface CampaignCircumstances {
  readonly config: Config;
  readonly settings: CampaignSettings;
  readonly warnings: readonly string[];
  readonly seriesId: string;
  readonly texts: CampaignTexts;
  /** Unique for this session; a message with another nonce does not belong to it. */
  readonly nonce: string;
}

const INTENT_CHARS = 200;

function makeAddress(state: CampaignState, { settings, nonce }: CampaignCircumstances, story: string): Address {
  const isWorkers = state.due.length === 0;
  return { slug: settings.slug, iteration: state.iteration + (isWorkers ? 1 : 0), story, nonce };
}

function makeTaskParts(
  { config: { campaign, verification }, settings, seriesId }: CampaignCircumstances,
  intent: string,
) {
  const { max_files_touched, max_lines_changed } = campaign.diff_limits;
  const { scope } = campaign;
  const steering = verification.oracle === "off" ? [] : settings.commands.flatMap(listCommandSteering);
  return {
    // Each series has its own account, so that costs before a `clean` do not count after it.
    milestone_id: shorten(`campaign-${settings.slug}-${seriesId}`, 80),
    intent: shorten(intent.replaceAll(/\s+/gu, " "), INTENT_CHARS),
    scope: { ...scope, forbidden_globs: [...new Set([...scope.forbidden_globs, ...steering])] },
    diff_limits: {
      max_files_touched: Math.min(500, max_files_touched),
      max_lines_changed: Math.min(20_000, max_lines_changed),
    },
  };
}

function listCommandSteering({ argv: [cmd = "", ...args] }: CampaignSettings["commands"][number]): readonly string[] {
  return listSteeringFiles({ cmd, args });
}

function makeSharedWork({ config: { campaign } }: CampaignCircumstances) {
  return {
    ceiling: makeCeiling(campaign.diff_limits),
    settle: { onSuccess: "commit", onFailure: "rollback" },
  } as const;
}

function findTitle({ stories, objective }: CampaignSettings, story: string): string {
  const found = stories.find(({ id }) => id === story);
  return found === undefined ? objective : found.title;
}

export function planWorkerSession(state: CampaignState, known: CampaignCircumstances): Work {
  const { config, settings, texts } = known;
  const story = nameWorkerStory(state, settings);
  const address = makeAddress(state, known, story);
  const notes = { memory: state.memory ?? texts.memory, context: state.context ?? texts.context };
  const mode = readConfiguredMode(config);
  const task: Task = {
    task_id: `iter-${labelIteration(address.iteration)}-${story}`,
    task_kind: "execute",
    ...makeTaskParts(known, `${story}: ${findTitle(settings, story)}`),
    verification: { fast: [], slow: [] },
    builder: {
      mode: mode === "patch" ? "scripted" : mode,
      instructions: `Work on ${story} of the campaign ${settings.slug}, as the prompt says.`,
    },
  };
  return {
    ...makeSharedWork(known),
    task,
    brief: {
      prompt: composeWorkerPrompt({ settings, state, address, notes, own: texts.worker }),
      files: { [MEMORY_FILE]: notes.memory, [CONTEXT_FILE]: notes.context },
      proposals: {
        [MEMORY_FILE]: CAMPAIGN_LIMITS.documentBytes,
        [CONTEXT_FILE]: CAMPAIGN_LIMITS.documentBytes,
        [CLAIM_FILE]: CAMPAIGN_LIMITS.documentBytes,
      },
      schema: "campaign_signal",
      isStrict: true,
      read: (left) => readWorker(left, address, notes),
    },
    checks: state.iteration === 0 ? checkBaseOnly(listRequired(config)) : NO_CHECKS,
    review: null,
    leadsTo: { checks: listChecks(known).length > 0, review: true },
    roles: chooseCampaignRoles(state, known),
    finished: state.finished,
    continues: () => state.unfinished,
  };
}

export function labelIteration(iteration: number): string {
  return String(iteration).padStart(3, "0");
}

/** The runner runs the commands and verifiers check; nothing changes. */
export function planVerification(state: CampaignState, known: CampaignCircumstances): Work {
  const { settings } = known;
  const [story] = state.due;
  if (story === undefined) throw new InvariantError("nothing is to be verified");
  const task: Task = {
    task_id: `verify-${labelIteration(state.iteration)}-${story}`,
    task_kind: "verify_only",
    ...makeTaskParts(known, `verify ${story}: ${findTitle(settings, story)}`),
    verification: { fast: [], slow: [] },
  };
  const checks = listChecks(known);
  return {
    ...makeSharedWork(known),
    task,
    brief: {
      prompt: "",
      files: {},
      proposals: {},
      schema: "campaign_signal",
      read: () => ({ kind: "invalid", cause: "no_builder", message: "A verification has no builder." }),
    },
    checks: { max: checks.length, known: checks, choose: () => checks },
    review: planVerifierReview(state, known, story),
    roles: chooseCampaignRoles(state, known),
  };
}

/** The commands of the contract, and the required checks that are none of them. */
function listChecks({ config, settings }: CampaignCircumstances): readonly Check[] {
  const commands = listCommands({ config, settings });
  const isCommand = (check: Check) => commands.some((one) => isSameCommand(one, check));
  return [...commands, ...listRequired(config).filter((check) => !isCommand(check))];
}

const listRequired = (config: Config) => makeChosenChecks(config, config.verification.required ?? []);

function listCommands({ config, settings }: Pick<CampaignCircumstances, "config" | "settings">): readonly Check[] {
  return settings.commands.map(({ id, argv: [cmd = "", ...args] }) => ({
    templateId: id,
    phase: "slow",
    cmd,
    args,
    timeoutSeconds: config.verification.timeout_slow_seconds,
    stopCode: "STOP_VERIFY_FAILED_SLOW",
  }));
}

function planVerifierReview(state: CampaignState, known: CampaignCircumstances, story: string): ReviewPlan {
  const { settings, texts, config } = known;
  const address = makeAddress(state, known, story);
  const second = config.campaign.second_verifier;
  const [first, ...others] = settings.verifiers.map((name, index) => ({
    name,
    focus: "",
    ...(index === 0 || second === undefined ? {} : { agent: second }),
  }));
  if (first === undefined) throw new InvariantError("a campaign without a verifier");
  const criteria = listCriteriaNames(settings, story);
  return {
    role: "verifier",
    reviewers: [first, ...others],
    quorum: settings.verifiers.length,
    ofVerifyOnly: true,
    schema: "campaign_verdict",
    read: (document) => readVerdict(document, address, criteria),
    verdict: combineVotes,
    prompt: (_, reviewed) =>
      composeVerifierPrompt(
        { settings, claim: state.messages.claim, address, own: texts.verifier, diff: texts.diff },
        reviewed,
      ),
    evidenceOf: readEvidence,
    known: state.known,
  };
}

function readEvidence({ decision }: Review): readonly string[] {
  const parsed = parseWith(CampaignVerdict, decision);
  return parsed.kind === "valid" ? parsed.value.evidence : [];
}

/** If they do not agree, the state of the campaign decides what follows. */
function combineVotes(reviews: readonly Review[]): ReviewVerdict {
  const refusal = reviews.find(({ vote }) => vote !== "approve");
  if (refusal === undefined) return { kind: "approved" };
  return {
    kind: "refused",
    cause: refusal.vote === "none" ? "verdict_missing" : "not_passed",
    message: `${refusal.name}: ${refusal.explanation}`,
  };
}
