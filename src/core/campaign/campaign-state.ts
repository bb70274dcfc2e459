import { type CampaignSettings, EVERY_STORY } from "../../contract/workflows/campaign.ts";
import type { CampaignResult } from "../../contract/workflows/campaign-files.ts";
import type {
  CampaignClaim,
  CampaignIssue,
  CampaignSignal,
  CampaignVerdict,
} from "../../contract/workflows/campaign-messages.ts";
import type { KnownReviews } from "../review/review-plan.ts";
import type { FinishedWork, UnfinishedWork } from "../series/left-work.ts";
import { NO_TICKS, type SeriesTicks } from "../series/series-tick.ts";
import type { Verdict } from "./verdict-rules.ts";

/** What the next worker has to do first. */
type NextContract =
  | { readonly kind: "fix"; readonly iteration: number; readonly issues: readonly CampaignIssue[] }
  | { readonly kind: "info"; readonly questions: readonly string[] };

/** What became of one verification. */
interface VerificationRecord {
  readonly story: string;
  readonly verdict: Verdict;
  readonly summary: string;
  readonly issues: readonly CampaignIssue[];
}

/** What became of one iteration. */
export interface IterationRecord {
  readonly iteration: number;
  readonly at: string;
  readonly story: string;
  readonly signal: Pick<CampaignSignal, "status" | "summary"> | null;
  /** How its tick ended. */
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

/** What is known of a campaign after some of its lines. */
export interface CampaignState {
  readonly settings: CampaignSettings | null;
  readonly updatedAt: string | null;
  readonly status: "active" | "complete" | "blocked";
  /** Whether its end was recorded, so that whoever goes on means to. */
  readonly isEndRecorded: boolean;
  readonly message: string;
  /** How many iterations are over. */
  readonly iteration: number;
  /** What waits for its verification, in this order; a worker is next where nothing does. */
  readonly due: readonly string[];
  readonly verified: readonly string[];
  /** The stories that a worker has called done, where everything is verified at the end. */
  readonly claimed: readonly string[];
  readonly contract: NextContract | null;
  /** Why the change of the last iteration was put back. */
  readonly objection: string | null;
  /** The criteria of each `fail` since the last `pass`. */
  readonly chain: readonly (readonly string[])[];
  readonly failures: number;
  /** Whether a breaker has granted one more try, and the next `fail` is the last. */
  readonly isLastTry: boolean;
  readonly requests: number;
  readonly unchanged: number;
  readonly restarts: number;
  /** Whether the pause before the next try is over. */
  readonly hasWaited: boolean;
  /** The last texts that a worker left; null before there was one. */
  readonly memory: string | null;
  readonly context: string | null;
  /** What the sessions of the last iteration left, as it was read. */
  readonly messages: CampaignMessages;
  readonly lastResult: CampaignResult;
  readonly records: readonly IterationRecord[];
  /** Who has answered in a verification that did not come to its end. */
  readonly known: KnownReviews | null;
  /** What a worker had finished in a tick that was cut short before it was settled. */
  readonly finished: FinishedWork | null;
  /** What the last worker had done when a limit ended its session. */
  readonly unfinished: UnfinishedWork | null;
  readonly series: SeriesTicks;
}

export const NEW_CAMPAIGN: CampaignState = {
  settings: null,
  updatedAt: null,
  status: "active",
  isEndRecorded: false,
  message: "It has not begun.",
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

/** The stories that are not known to be done. */
export function openStories({ verified, claimed }: CampaignState, { stories, verify_mode }: CampaignSettings) {
  const done = verify_mode === "batch" ? [...claimed, ...verified] : verified;
  return stories.map(({ id }) => id).filter((id) => !done.includes(id));
}

/** What the next worker works on: a story, or everything. */
export function nameWorkerStory(state: CampaignState, settings: CampaignSettings): string {
  if (settings.iteration_unit === "all") return EVERY_STORY;
  return openStories(state, settings)[0] ?? EVERY_STORY;
}
