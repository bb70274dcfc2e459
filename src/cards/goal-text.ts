/** A goal for people: where it stands, why, and what to type next. */
import type { GoalFacts } from "../records/setup-answers.ts";
import type { GoalLedger } from "../records/goal.ts";
import type { SeriesSummary } from "../records/series.ts";
import { countNoun, shorten } from "../base/words.ts";
import { listTurnReviews } from "../workflows/pure/read-goal-decision.ts";
import {
  BAD,
  type Canvas,
  type Fact,
  GOOD,
  NEUTRAL,
  makeStep as step,
  type NextStep,
  PENDING,
  QUESTION,
  renderParagraph,
  renderQuotation,
  type Sign,
} from "../base/canvas.ts";
import { renderCard } from "./card.ts";
import { renderGoalRemaining } from "./goal-report.ts";
import { neutralise } from "../base/style.ts";
import { joinLines } from "./report-words.ts";
import { describeCommits, listSeriesFacts } from "./series-text.ts";

export interface GoalView extends Omit<GoalFacts, "lastEnd"> {
  /** How its series ended; null while it runs, or after a crash. */
  readonly ended: GoalFacts["lastEnd"];
  /** The summary of the series at its end; absent or null in `relais goal status`. */
  readonly summary?: SeriesSummary | null;
}

const HEADLINES: Readonly<Record<GoalLedger["status"], Sign & { readonly title: string }>> = {
  active: { ...PENDING, title: "The goal is not decided yet." },
  complete: { ...GOOD, title: "The goal is reached." },
  blocked: { ...BAD, title: "The goal is blocked and needs your help." },
  needs_human: { ...QUESTION, title: "The goal needs your decision." },
};

const TEXT_CHARS = 600;

export function renderGoalCard(view: GoalView, canvas: Canvas): string {
  const facts = listGoalFacts(view);
  const why = explainState(view, canvas);
  return `\n${renderCard({ ...HEADLINES[view.ledger.status], why, facts, next: listNextSteps(view) }, canvas)}`;
}

function listGoalFacts(view: GoalView): readonly Fact[] {
  const { ledger, summary = null } = view;
  const { goal_id, objective, status, turns, settings } = ledger;
  return [
    ["goal", `${goal_id}: ${status}`],
    ["objective", joinLines(shorten(objective, TEXT_CHARS))],
    ["turns", `${turns} of ${settings.max_turns}`],
    ...listVotes(ledger),
    ["left", status === "complete" ? null : joinLines(shorten(renderGoalRemaining(ledger), TEXT_CHARS))],
    ...(summary === null ? [describeCommits(view)] : listSeriesFacts(summary)),
    ["ledger", neutralise(view.ledgerPath)],
  ];
}

function explainState({ ended, ledger }: GoalView, canvas: Canvas): readonly string[] {
  const { status, decisions, lifecycle } = ledger;
  const why = ended?.message ?? decisions.at(-1)?.reason ?? lifecycle.at(-1)?.summary;
  const quotation = renderQuotation(shorten(why ?? "", TEXT_CHARS), canvas);
  // Where the goal is decided, the steps below say what to do.
  const hint = status === "active" && ended !== null ? ended.hint : null;
  return hint === null ? quotation : [...quotation, "", ...renderParagraph(hint, canvas)];
}

const SIGNS = { complete: GOOD, continue: NEUTRAL, blocked: BAD } as const;

/** The votes of the last turn. */
function listVotes({ reviews, turns, settings: { review_quorum } }: GoalLedger): readonly Fact[] {
  const last = listTurnReviews(reviews, turns);
  const needed = `${countNoun(review_quorum, "vote")} needed`;
  if (last.length === 0) return [["votes", `none yet; ${needed}`]];
  return [
    ...last.map(({ reviewer, decision, diagnostic }): Fact => {
      const sign = diagnostic === null ? SIGNS[decision] : BAD;
      return [
        "votes",
        { ...sign, text: `${neutralise(reviewer)} ${diagnostic === null ? decision : "no valid answer"}` },
      ];
    }),
    ["", needed],
  ];
}

const MORE_TURNS = 5;

function listNextSteps({ ledger: { status, turns, settings }, commits }: GoalView): readonly NextStep[] {
  const report = step("relais goal report", "full report");
  const handoff = step("relais goal handoff", "prepare a branch and a pull request");
  if (status === "complete") return commits.length === 0 ? [report] : [report, handoff];
  const isUsedUp = turns >= settings.max_turns;
  const resume = isUsedUp
    ? step(`relais goal resume --max-turns ${turns + MORE_TURNS}`, `continue with ${MORE_TURNS} more turns`)
    : step("relais goal resume", "continue");
  return [report, resume, step("relais status", "current state")];
}
