import * as v from "valibot";
import { WorkflowName } from "./agent.ts";
import { AnyCode } from "../base/any-code.ts";
import { CampaignSettings } from "./campaign.ts";
import { SERIES_ENDS, type SeriesEnd as SeriesEndName } from "../base/codes.ts";
import { Choices } from "../config/choices.ts";
import { GoalSettings } from "./goal.ts";
import { CommitId, MilestoneId, RunId, SeriesId, Timestamp } from "../base/identifier.ts";
import { Count, Dollars, Positive } from "../base/quantity.ts";
import { Counters } from "./state.ts";

export const SeriesEndRecord = v.picklist(Object.keys(SERIES_ENDS).filter(isEnd));

function isEnd(name: string): name is SeriesEndName {
  return Object.hasOwn(SERIES_ENDS, name);
}

/** Each tick of the series records them, so that any process can resume it. */
export const SeriesOptions = v.strictObject({
  command: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
  /** Null if the workflow has no milestones. */
  mode: v.nullable(v.picklist(["milestone", "autonomous"])),
  /** Null if only the budgets limit it. */
  max_ticks: v.nullable(Positive),
  /** How many tasks may be worked on side by side; absent is one. */
  parallel: v.exactOptional(Positive),
  goal: v.exactOptional(GoalSettings),
  campaign: v.exactOptional(CampaignSettings),
  /** Of the command line, the agent that relais found included; absent is none. */
  choices: v.exactOptional(Choices),
  /** Whether the series began without a configuration file, with what relais found; absent is no. */
  config: v.exactOptional(v.literal("found")),
});
export type SeriesOptions = v.InferOutput<typeof SeriesOptions>;

const Text = v.pipe(v.string(), v.maxLength(4000));

/** The last line of a series command with `--json`. */
export const SeriesSummary = v.strictObject({
  /** Tells it from the reports before it. */
  kind: v.literal("series_summary"),
  series_id: SeriesId,
  workflow: WorkflowName,
  ...SeriesOptions.entries,
  end: SeriesEndRecord,
  reason: v.string(),
  message: Text,
  hint: v.nullable(Text),
  exit_status: Count,
  resumed: v.boolean(),
  recovered_run_id: v.nullable(RunId),
  started_at: Timestamp,
  ended_at: Timestamp,
  duration_ms: Count,
  /** Of the whole series, earlier processes included. */
  ticks: v.strictObject({
    total: Count,
    success: Count,
    /** Iterations of a tree that passed all gates and not their leaf. */
    attempts: Count,
    /** Includes the turns that only lead to the next one. */
    stop: Count,
    blocked: Count,
    /** Turns of a goal or a campaign whose reviewers did not agree yet; absent is none. */
    not_yet: v.exactOptional(Count),
  }),
  /** Held changes that wait for a person; absent is none. */
  held: v.exactOptional(v.array(v.strictObject({ run_id: RunId, what: Text }))),
  last_code: v.nullable(AnyCode),
  last_run_id: v.nullable(RunId),
  /** The finding or failed check that decided the last tick. */
  last_reason: v.nullable(Text),
  question: v.nullable(v.strictObject({ prompt: v.string(), choices: v.array(v.string()) })),
  change: v.strictObject({ files_touched: Count, lines_added: Count, lines_deleted: Count }),
  usage: v.strictObject({
    cost_usd: v.nullable(Dollars),
    input_tokens: v.nullable(Count),
    output_tokens: v.nullable(Count),
    ticks_unreported: Count,
  }),
  /** Only the newest, the last one at the end. */
  commits: v.pipe(v.array(CommitId), v.maxLength(100)),
  commits_total: Count,
  branch: v.nullable(v.string()),
  /** The branch that it began on, where its commits are on another one; absent is the same. */
  began_on: v.exactOptional(v.string()),
  milestone_id: v.nullable(MilestoneId),
  budgets: Counters,
});
export type SeriesSummary = v.InferOutput<typeof SeriesSummary>;

/** A series that the same command could resume. */
export interface LastSeries {
  readonly seriesId: string;
  readonly options: SeriesOptions;
  readonly runId: string;
  /** Null if it has no commits. */
  readonly branch: string | null;
  readonly commit: string | null;
  /** Null if its process was killed or still runs. */
  readonly end: SeriesEndName | null;
}
