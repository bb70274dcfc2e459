/** What is asked of a series of ticks, and what is told when it is over. */
import * as v from "valibot";
import { WorkflowName } from "../agents/agent.ts";
import { AnyCode } from "../values/any-code.ts";
import { CampaignSettings } from "../workflows/campaign.ts";
import { SERIES_ENDS, type SeriesEnd as SeriesEndName } from "../values/codes.ts";
import { GoalSettings } from "../workflows/goal.ts";
import { CommitId, MilestoneId, RunId, SeriesId, Timestamp } from "../values/identifier.ts";
import { Count, Dollars, Positive } from "../values/quantity.ts";
import { Counters } from "../documents/state.ts";

/** One of the ends of the table. */
export const SeriesEndRecord = v.picklist(Object.keys(SERIES_ENDS).filter(isEnd));

function isEnd(name: string): name is SeriesEndName {
  return Object.hasOwn(SERIES_ENDS, name);
}

/** What a person asked for when the series began. It belongs to each of its ticks, so that any process can go on with it. */
export const SeriesOptions = v.strictObject({
  /** The command that runs it. */
  command: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
  /** Whether it may go from one milestone to the next; null where its workflow knows no milestones. */
  mode: v.nullable(v.picklist(["milestone", "autonomous"])),
  /** Null where only the budgets bound it. */
  max_ticks: v.nullable(Positive),
  /** What a goal is about; absent in every other workflow. */
  goal: v.exactOptional(GoalSettings),
  /** What a campaign is about; absent in every other workflow. */
  campaign: v.exactOptional(CampaignSettings),
});
export type SeriesOptions = v.InferOutput<typeof SeriesOptions>;

const Text = v.pipe(v.string(), v.maxLength(4000));

/** The last line that a command of many ticks prints with `--json`. */
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
  /** Whether it had begun in an earlier process. */
  resumed: v.boolean(),
  /** The tick that was cut short and put back before it went on. */
  recovered_run_id: v.nullable(RunId),
  started_at: Timestamp,
  ended_at: Timestamp,
  duration_ms: Count,
  /** Of the whole series, those of earlier processes included. */
  ticks: v.strictObject({
    total: Count,
    success: Count,
    /** Iterations of a tree whose gates were green, and whose leaf does not pass all the same. */
    attempts: Count,
    stop: Count,
    blocked: Count,
  }),
  last_code: v.nullable(AnyCode),
  last_run_id: v.nullable(RunId),
  /** What decided about the last tick, where it was not green: the file, the rule and the glob, or the red check. */
  last_reason: v.nullable(Text),
  /** What waits for an answer. */
  question: v.nullable(v.strictObject({ prompt: v.string(), choices: v.array(v.string()) })),
  /** What the ticks kept, taken together. */
  change: v.strictObject({ files_touched: Count, lines_added: Count, lines_deleted: Count }),
  /** What the programs reported, and how many ticks they said nothing about; nothing is estimated. */
  usage: v.strictObject({
    cost_usd: v.nullable(Dollars),
    input_tokens: v.nullable(Count),
    output_tokens: v.nullable(Count),
    ticks_unreported: Count,
  }),
  /** The newest last; of many only the newest. */
  commits: v.pipe(v.array(CommitId), v.maxLength(100)),
  commits_total: Count,
  /** Where the commits are; null where there is none. */
  branch: v.nullable(v.string()),
  milestone_id: v.nullable(MilestoneId),
  budgets: Counters,
});
export type SeriesSummary = v.InferOutput<typeof SeriesSummary>;

/** A series that the same command could go on with. */
export interface LastSeries {
  readonly seriesId: string;
  readonly options: SeriesOptions;
  /** The last tick of it. */
  readonly runId: string;
  /** Where its commits are; null where it has made none. */
  readonly branch: string | null;
  /** The last of them. */
  readonly commit: string | null;
  /** How it ended; null where nothing says so, because its process was killed or is still at work. */
  readonly end: SeriesEndName | null;
}
