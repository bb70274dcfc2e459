import { type CampaignSettings, EVERY_STORY } from "../../records/campaign.ts";
import type { CampaignResult } from "../../records/campaign-files.ts";
import type { CampaignClaim, CampaignIssue, CampaignSignal, CampaignVerdict } from "../../records/campaign-messages.ts";
import type { KnownReviews } from "../../checks/pure/review-plan.ts";
import type { FinishedWork, UnfinishedWork } from "./left-work.ts";
import { NO_TICKS, type SeriesTicks } from "./series-tick.ts";
import type { Verdict } from "./verdict-rules.ts";

type NextContract =
  | { readonly kind: "fix"; readonly iteration: number; readonly issues: readonly CampaignIssue[] }
  | { readonly kind: "info"; readonly questions: readonly string[] };

interface VerificationRecord {
  readonly story: string;
  readonly verdict: Verdict;
  readonly summary: string;
  readonly issues: readonly CampaignIssue[];
}

export interface IterationRecord {
  readonly iteration: number;
  readonly at: string;
  readonly story: string;
  readonly signal: Pick<CampaignSignal, "status" | "summary"> | null;
  readonly code: string;
  readonly commit: string | null;
  readonly touched: readonly string[];
  readonly linesAdded: number;
  readonly linesDeleted: number;
  readonly verifications: readonly VerificationRecord[];
}

interface CampaignMessages {
  readonly signal: CampaignSignal | null;
  readonly claim: CampaignClaim | null;
  readonly verdicts: readonly CampaignVerdict[];
}

export interface CampaignState {
  readonly settings: CampaignSettings | null;
  readonly updatedAt: string | null;
  readonly status: "active" | "complete" | "blocked";
  readonly isEndRecorded: boolean;
  readonly message: string;
  readonly iteration: number;
  /** Stories to verify, in this order; if there is none, a worker is next. */
  readonly due: readonly string[];
  readonly verified: readonly string[];
  /** Stories that a worker claims, if everything is verified at the end. */
  readonly claimed: readonly string[];
  readonly contract: NextContract | null;
  /** Why the last change was reverted. */
  readonly objection: string | null;
  /** The criteria of each `fail` since the last `pass`. */
  readonly chain: readonly (readonly string[])[];
  readonly failures: number;
  /** Whether a breaker granted one more try; the next `fail` is the last. */
  readonly isLastTry: boolean;
  readonly requests: number;
  readonly unchanged: number;
  readonly restarts: number;
  readonly hasWaited: boolean;
  /** Null before the first worker. */
  readonly memory: string | null;
  readonly context: string | null;
  readonly messages: CampaignMessages;
  readonly lastResult: CampaignResult;
  readonly records: readonly IterationRecord[];
  /** Answers of a verification that did not end. */
  readonly known: KnownReviews | null;
  /** The finished work of an interrupted tick. */
  readonly finished: FinishedWork | null;
  /** The work of a session that a limit ended. */
  readonly unfinished: UnfinishedWork | null;
  readonly series: SeriesTicks;
}

export const NEW_CAMPAIGN: CampaignState = {
  settings: null,
  updatedAt: null,
  status: "active",
  isEndRecorded: false,
  message: "Not started.",
  iteration: 0,
  due: [],
  verified: [],
  claimed: [],
  contract: null,
  objection: null,
  chain: [],
  failures: 0,
  isLastTry: false,
  requests: 0,
  unchanged: 0,
  restarts: 0,
  hasWaited: false,
  memory: null,
  context: null,
  messages: { signal: null, claim: null, verdicts: [] },
  lastResult: "running",
  records: [],
  known: null,
  finished: null,
  unfinished: null,
  series: NO_TICKS,
};

export function openStories({ verified, claimed }: CampaignState, { stories, verify_mode }: CampaignSettings) {
  const done = verify_mode === "batch" ? [...claimed, ...verified] : verified;
  return stories.map(({ id }) => id).filter((id) => !done.includes(id));
}

export function nameWorkerStory(state: CampaignState, settings: CampaignSettings): string {
  if (settings.iteration_unit === "all") return EVERY_STORY;
  return openStories(state, settings)[0] ?? EVERY_STORY;
}

/**
 * Applies a changed contract. Results about a story that was rewritten or removed no longer count: it is built and
 * verified again, and its issues are dropped.
 */
export function withSettings(state: CampaignState, settings: CampaignSettings | null): CampaignState {
  const before = state.settings;
  if (before === null || settings === null) return { ...state, settings };
  const isSame = (id: string): boolean => serialiseStory(before, id) === serialiseStory(settings, id);
  const next = {
    ...state,
    settings,
    verified: state.verified.filter(isSame),
    claimed: state.claimed.filter(isSame),
    contract: keepContract(state, isSame),
  };
  const isAsBefore = [before, settings].flatMap(({ stories }) => stories).every(({ id }) => isSame(id));
  return isAsBefore ? next : { ...next, due: listDue(next, settings, isSame) };
}

function serialiseStory({ stories }: CampaignSettings, id: string): string | undefined {
  return JSON.stringify(stories.find((one) => one.id === id));
}

type IsSame = (id: string) => boolean;

/** Issues of no story, like a failed command, stay. */
function keepContract({ contract }: CampaignState, isSame: IsSame): CampaignState["contract"] {
  if (contract?.kind !== "fix") return contract;
  const issues = contract.issues.filter(({ criterion }) => isSame(criterion.split(" ")[0] ?? ""));
  return issues.length === 0 ? null : { ...contract, issues };
}

/** Only when no story is open, everything is verified. */
function listDue(state: CampaignState, settings: CampaignSettings, isSame: IsSame): CampaignState["due"] {
  const due = state.due.filter((id) => id !== EVERY_STORY && isSame(id));
  if (due.length > 0 || state.contract !== null) return due;
  return openStories(state, settings).length === 0 ? [EVERY_STORY] : [];
}
