import { listHeldWork } from "../../journal/pure/held-work.ts";
import { type CampaignState, NEW_CAMPAIGN } from "../../workflows/pure/campaign-state.ts";
import type { GoalTurn, PageStory, PageTone, PageVote, SeriesPage, TreeLeaf } from "./page-documents.ts";
import type { JournalLine } from "../../records/event.ts";
import type { SeriesOptions } from "../../records/series.ts";
import type { ReviewRecord } from "../../records/goal.ts";
import type { Tree, TreeNode } from "../../records/tree.ts";
import { foldCampaign } from "../../workflows/pure/fold-campaign.ts";
import { foldGoal } from "../../workflows/pure/fold-goal.ts";
import { summariseReceipt } from "../../workflows/pure/goal-ledger.ts";
import { type GoalState, NEW_GOAL } from "../../workflows/pure/goal-state.ts";
import { listTurnReviews } from "../../workflows/pure/read-goal-decision.ts";
import { canonicaliseTree, selectLeaf } from "../../workflows/pure/tree-nodes.ts";
import { reportIteration } from "../../tick/pure/report-parts.ts";
import { foldWorkspaceState } from "../../journal/pure/workspace-state.ts";
import { summariseSeries } from "../../workflows/pure/series-summary.ts";
import { findStart } from "../../tick/pure/tick-facts.ts";
import { listTickRecords, type TickRecord } from "../../tick/pure/tick-records.ts";
import type { Config } from "../../config/config.ts";
import { chooseSeriesTitle, describeSeriesEnd, explainSeriesEnd, makeTickRow } from "./tick-row.ts";

const TONES: Readonly<Record<string, PageTone>> = { pass: "good", fail: "bad", blocked: "bad" };

/** The stories of a campaign with their criteria, and how each verification ended. */
export function listStories({ settings, verified, due, records }: CampaignState): readonly PageStory[] {
  return (settings?.stories ?? []).map(({ id, title, criteria }) => {
    const history = records.flatMap(({ iteration, verifications }) =>
      verifications
        .filter(({ story }) => story === id)
        .map(({ verdict, summary, issues }) => ({
          iteration,
          tone: TONES[verdict] ?? "calm",
          words: [`${verdict}: ${summary}`, ...issues.map((issue) => `− ${describeIssue(issue)}`)].join("\n"),
        })),
    );
    const state = verified.includes(id)
      ? "verified"
      : due.includes(id)
        ? "due"
        : history.at(-1)?.tone === "bad"
          ? "failed"
          : "open";
    return { id, title, criteria, state, history };
  });
}

type Issue = CampaignState["records"][number]["verifications"][number]["issues"][number];

function describeIssue(issue: Issue): string {
  return Object.values(issue)
    .filter((part) => typeof part === "string")
    .join(": ");
}

const NO_OPTIONS: SeriesOptions = { command: "run", mode: null, max_ticks: null };
const NOT_OVER = { kind: "end", end: "interrupted", reason: "", message: "", hint: null, exit: 0 } as const;
const TITLE_CHARS = 4000;

/** One series with its ticks; null where the lines have none of this name. */
export function makeSeriesPage(
  lines: readonly JournalLine[],
  seriesId: string,
  budgets: Config["budgets"] /** The tree of the repository as it is now; null where there is none. */,
  tree: Tree | null,
): SeriesPage | null {
  const own = lines.filter(({ series_id }) => series_id === seriesId);
  const records = listTickRecords(own);
  const [first, last, lastLine] = [records[0], records.at(-1), own.at(-1)];
  if (first === undefined || last === undefined || lastLine === undefined) return null;
  const start = findStart(last.state);
  const options = start?.series ?? NO_OPTIONS;
  const workflow = start?.workflow ?? "relay";
  const summary = summariseSeries({
    lines: own,
    state: foldWorkspaceState(own, budgets),
    seriesId,
    workflow,
    options,
    over: NOT_OVER,
    held: listHeldWork(lines).filter((work) => work.seriesId === seriesId),
    resumed: false,
    recoveredRunId: null,
    startedAt: first.startedAt,
    endedAt: lastLine.at,
    durationMs: 0,
  });
  return {
    kind: "series",
    seriesId,
    workflow,
    command: options.command,
    title: chooseSeriesTitle(last).slice(0, TITLE_CHARS),
    ...describeSeriesEnd(makeTickRow(last, lastLine), lastLine),
    ...describeEnding(lastLine),
    startedAt: first.startedAt,
    updatedAt: lastLine.at,
    ticks: summary.ticks,
    files: summary.change.files_touched,
    added: summary.change.lines_added,
    deleted: summary.change.lines_deleted,
    cost: summary.usage.cost_usd,
    commits: summary.commits_total,
    branch: summary.branch,
    maxTurns: findMost(options),
    quorum: options.goal?.review_quorum ?? null,
    ...describeWork(workflow, own, records, tree),
    runIds: records.map(({ runId }) => runId),
  };
}

function findMost({ goal, campaign, max_ticks }: SeriesOptions): number | null {
  return goal?.max_turns ?? campaign?.max_iterations ?? max_ticks;
}

/** What the workflow adds to its ticks. */
function describeWork(
  workflow: string,
  own: readonly JournalLine[],
  records: readonly TickRecord[],
  tree: Tree | null,
): Pick<SeriesPage, "turns" | "tree" | "stories"> {
  return {
    turns: workflow === "goal" ? listGoalTurns(own.reduce(foldGoal, NEW_GOAL)) : [],
    tree: workflow === "tree" && tree !== null ? drawTree(tree, records) : null,
    stories: workflow === "campaign" ? listStories(own.reduce(foldCampaign, NEW_CAMPAIGN)) : [],
  };
}

function describeEnding({ event }: JournalLine): Pick<SeriesPage, "message" | "hint"> {
  if (event.type !== "series_ended") return { message: null, hint: null };
  return { message: event.message === "" ? explainSeriesEnd(event.end) : event.message, hint: event.hint };
}

/** The turns of a goal, each with its votes. */
function listGoalTurns({ receipts, reviews, decisions, turns }: GoalState): readonly GoalTurn[] {
  const numbers = [...receipts, ...reviews, ...decisions].map(({ turn }) => turn);
  const most = Math.max(turns, ...numbers);
  return Array.from({ length: most }, (_, index) => index + 1).map((turn) => {
    const receipt = receipts.findLast((one) => one.turn === turn);
    const decided = decisions.findLast((one) => one.turn === turn);
    return {
      turn,
      receipt: receipt === undefined ? null : summariseReceipt(receipt.text),
      votes: listTurnReviews(reviews, turn).map(describeVote),
      decision: decided?.decision ?? null,
      reason: decided?.reason ?? null,
    };
  });
}

const VOTE_TONES: Readonly<Record<ReviewRecord["decision"], PageTone>> = {
  complete: "good",
  continue: "calm",
  blocked: "bad",
};

function describeVote({ reviewer, decision, diagnostic, explanation, gaps, evidence }: ReviewRecord): PageVote {
  if (diagnostic !== null) return { name: reviewer, tone: "bad", vote: "no valid answer", text: diagnostic };
  const text = [explanation, ...evidence.map((one) => `+ ${one}`), ...gaps.map((one) => `− ${one}`)].join("\n");
  return { name: reviewer, tone: VOTE_TONES[decision], vote: decision, text };
}

type Tries = ReadonlyMap<string, TreeLeaf["tries"]>;

const TRY_TONES: Readonly<Record<string, PageTone>> = { passed: "good", attempt: "calm", planned: "calm" };
const TRY_WORDS: Readonly<Record<string, string>> = { passed: "passed", attempt: "not yet", planned: "split" };

/** The tree as it is now, each node with the iterations that worked on it. */
function drawTree(tree: Tree, records: readonly TickRecord[]): TreeLeaf {
  const canonical = canonicaliseTree(tree);
  const next = selectLeaf(canonical)?.leaf.id ?? null;
  return makeLeaf(canonical.root, next, listTries(records));
}

function listTries(records: readonly TickRecord[]): Tries {
  const tries = new Map<string, TreeLeaf["tries"]>();
  for (const { runId, state } of records) {
    const { iteration } = reportIteration(state);
    if (iteration === undefined) continue;
    const { selected_leaf_id: id, iter_n, outcome } = iteration;
    const one = {
      runId,
      tone: TRY_TONES[outcome] ?? "calm",
      words: `iteration ${iter_n}: ${TRY_WORDS[outcome] ?? outcome}`,
    };
    tries.set(id, [...(tries.get(id) ?? []), one]);
  }
  return tries;
}

function makeLeaf(node: TreeNode, next: string | null, tries: Tries): TreeLeaf {
  const { id, title, passes, attempts, max_attempts, acceptance, children } = node;
  return {
    id,
    title,
    passes,
    isNext: id === next,
    attempts,
    maxAttempts: max_attempts,
    acceptance,
    tries: tries.get(id) ?? [],
    children: children.map((child) => makeLeaf(child, next, tries)),
  };
}
