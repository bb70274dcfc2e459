/** A goal for people: where it stands, why, and what to type next. */
import type { GoalLedger } from "../../contract/workflows/goal.ts";
import type { SeriesSummary } from "../../contract/journal/series.ts";
import { countNoun } from "../../core/words/count-noun.ts";
import { listTurnReviews } from "../../core/goal/turn-reviews.ts";
import { shorten } from "../../core/words/shorten.ts";
import {
  type Canvas,
  renderLabelled,
  renderMarked,
  type NextStep,
  renderParagraph,
  renderQuotation,
  type Tone,
} from "../text/canvas.ts";
import { renderCard } from "../cards/card.ts";
import { renderGoalRemaining } from "./goal-report.ts";
import { neutralise } from "../text/neutralise.ts";
import { joinLines } from "../cards/report-words.ts";
import { renderSeriesFacts } from "./series-facts.ts";

export interface GoalSight {
  readonly ledger: GoalLedger;
  readonly ledgerPath: string;
  readonly branch: string | null;
  readonly commits: readonly string[];
  /** How its series ended; null while it runs, or after a crash. */
  readonly ended: { readonly message: string; readonly hint: string | null } | null;
  /** The summary of the series at its end; absent or null in `relais goal status`. */
  readonly summary?: SeriesSummary | null;
}

const WORDS = {
  active: "The goal is not decided yet.",
  complete: "The goal is reached.",
  blocked: "The goal is blocked and needs your help.",
  needs_human: "The goal needs your decision.",
} as const satisfies Record<GoalLedger["status"], string>;

const TEXT_CHARS = 600;

export function renderGoalCard(sight: GoalSight, canvas: Canvas): string {
  const { ledger, ledgerPath, branch, commits, summary = null } = sight;
  const { goal_id, objective, status, turns, settings } = ledger;
  const left = shorten(renderGoalRemaining(ledger), TEXT_CHARS);
  const text = renderCard(
    {
      ...markOf(ledger),
      word: null,
      title: WORDS[status],
      why: [...renderQuotation(shorten(whyOf(sight), TEXT_CHARS), canvas), ...hintLines(sight, canvas)],
      facts: [
        ...renderLabelled("goal", `${goal_id}: ${status}`, canvas),
        ...renderLabelled("objective", joinLines(shorten(objective, TEXT_CHARS)), canvas),
        ...renderLabelled("turns", `${turns} of ${settings.max_turns}`, canvas),
        ...voteLines(ledger, canvas),
        ...(status === "complete" ? [] : renderLabelled("left", joinLines(left), canvas)),
        ...(summary === null
          ? renderLabelled("commits", branch === null ? "none" : `${commits.length} on ${neutralise(branch)}`, canvas)
          : renderSeriesFacts(summary, canvas)),
        ...renderLabelled("ledger", neutralise(ledgerPath), canvas),
      ],
      advice: null,
      next: nextSteps(sight),
    },
    canvas,
  );
  return `\n${text}`;
}

function markOf({ status }: GoalLedger): { readonly mark: string; readonly tone: Tone } {
  if (status === "active") return { mark: "…", tone: "strong" };
  if (status === "needs_human") return { mark: "?", tone: "strong" };
  return status === "complete" ? { mark: "✓", tone: "good" } : { mark: "✗", tone: "bad" };
}

/** What to do about something that came in between. Where the goal is decided, the steps below say it. */
function hintLines({ ended, ledger: { status } }: GoalSight, canvas: Canvas): readonly string[] {
  const hint = ended?.hint ?? null;
  return status !== "active" || hint === null ? [] : ["", ...renderParagraph(hint, canvas)];
}

function whyOf({ ended, ledger: { decisions, lifecycle } }: GoalSight): string {
  return ended?.message ?? decisions.at(-1)?.reason ?? lifecycle.at(-1)?.summary ?? "";
}

/** Who of the last turn has voted for what. */
function voteLines({ reviews, turns, settings: { review_quorum } }: GoalLedger, canvas: Canvas): readonly string[] {
  const last = listTurnReviews(reviews, turns);
  if (last.length === 0) return renderLabelled("votes", `none yet; ${countNoun(review_quorum, "vote")} needed`, canvas);
  return [
    ...last.flatMap(({ reviewer, decision, diagnostic }, index) => {
      const isGood = diagnostic === null && decision === "complete";
      const text = `${neutralise(reviewer)} ${diagnostic === null ? decision : "no vote"}`;
      const sign = isGood ? ({ mark: "✓", tone: "good" } as const) : ({ mark: "✗", tone: "bad" } as const);
      return renderMarked(index === 0 ? "votes" : "", { ...sign, text }, canvas);
    }),
    ...renderLabelled("", `${countNoun(review_quorum, "vote")} needed`, canvas),
  ];
}

const step = (command: string, explains: string): NextStep => ({ command, explains });

const MORE_TURNS = 5;

function nextSteps({ ledger: { status, turns, settings }, commits }: GoalSight): readonly NextStep[] {
  const report = step("relais goal report", "full report");
  const handoff = step("relais goal handoff", "prepare a branch and a pull request");
  if (status === "complete") return commits.length === 0 ? [report] : [report, handoff];
  const isUsedUp = turns >= settings.max_turns;
  const resume = isUsedUp
    ? step(`relais goal resume --max-turns ${turns + MORE_TURNS}`, `continue with ${MORE_TURNS} more turns`)
    : step("relais goal resume", "continue");
  return [report, resume, step("relais status", "current state")];
}
