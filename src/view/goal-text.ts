/** A goal for people: where it stands, why, and what to type next. */
import type { GoalLedger } from "../contract/goal.ts";
import { counted } from "../core/counted.ts";
import { reviewsOfTurn } from "../core/goal/reviews-of-turn.ts";
import { shorten } from "../core/shorten.ts";
import { type Canvas, labelled, type NextStep, paragraph, quotation, steps } from "./canvas.ts";
import { goalRemaining } from "./goal-report.ts";
import { neutralise } from "./neutralise.ts";
import { oneLine } from "./report-words.ts";

export interface GoalSight {
  readonly ledger: GoalLedger;
  readonly ledgerPath: string;
  readonly branch: string | null;
  readonly commits: readonly string[];
  /** How whoever worked on it ended; null where somebody is at work, or was killed. */
  readonly ended: { readonly message: string; readonly hint: string | null } | null;
}

const WORDS = {
  active: "The goal is not decided yet.",
  complete: "The goal is reached.",
  blocked: "The goal is blocked, and needs a person.",
  needs_human: "The goal needs a person.",
} as const satisfies Record<GoalLedger["status"], string>;

const TEXT_CHARS = 600;

export function goalCard(sight: GoalSight, canvas: Canvas): string {
  const { ledger, ledgerPath, branch, commits } = sight;
  const { goal_id, objective, status, turns, settings } = ledger;
  const left = shorten(goalRemaining(ledger), TEXT_CHARS);
  const lines = [
    "",
    `${markOf(ledger, canvas)} ${canvas.style("strong", WORDS[status])}`,
    ...quotation(shorten(whyOf(sight), TEXT_CHARS), canvas),
    ...hintLines(sight, canvas),
    "",
    ...labelled("goal", `${goal_id}: ${status}`, canvas),
    ...labelled("objective", oneLine(shorten(objective, TEXT_CHARS)), canvas),
    ...labelled("turns", `${turns} of ${settings.max_turns}`, canvas),
    ...labelled("votes", votesWords(ledger), canvas),
    ...(status === "complete" ? [] : labelled("left", oneLine(left), canvas)),
    ...labelled("commits", branch === null ? "none" : `${commits.length} on ${neutralise(branch)}`, canvas),
    ...labelled("ledger", neutralise(ledgerPath), canvas),
    "",
    "Next:",
    ...steps(nextSteps(sight), canvas),
  ];
  return `${lines.join("\n")}\n`;
}

function markOf({ status }: GoalLedger, { style }: Canvas): string {
  if (status === "active") return style("strong", "…");
  return status === "complete" ? style("good", "✓") : style("bad", "✗");
}

/** What to do about something that came in between. Where the goal is decided, the steps below say it. */
function hintLines({ ended, ledger: { status } }: GoalSight, canvas: Canvas): readonly string[] {
  const hint = ended?.hint ?? null;
  return status !== "active" || hint === null ? [] : ["", ...paragraph(hint, canvas)];
}

function whyOf({ ended, ledger: { decisions, lifecycle } }: GoalSight): string {
  return ended?.message ?? decisions.at(-1)?.reason ?? lifecycle.at(-1)?.summary ?? "";
}

function votesWords({ reviews, turns, settings: { review_quorum } }: GoalLedger): string {
  const last = reviewsOfTurn(reviews, turns);
  if (last.length === 0) return `none yet; ${counted(review_quorum, "vote")} needed`;
  const words = last.map(({ reviewer, decision, diagnostic }) => {
    return `${reviewer} ${diagnostic === null ? decision : "no vote"}`;
  });
  return `${words.join(", ")}; ${review_quorum} needed`;
}

const step = (command: string, explains: string): NextStep => ({ command, explains });

const MORE_TURNS = 5;

function nextSteps({ ledger: { status, turns, settings }, commits }: GoalSight): readonly NextStep[] {
  const report = step("relais goal report", "everything about it");
  const handoff = step("relais goal handoff", "a branch and the text of a pull request");
  if (status === "complete") return commits.length === 0 ? [report] : [report, handoff];
  const isUsedUp = turns >= settings.max_turns;
  const resume = isUsedUp
    ? step(`relais goal resume --max-turns ${turns + MORE_TURNS}`, `go on, with ${MORE_TURNS} more turns`)
    : step("relais goal resume", "go on");
  return [report, resume, step("relais status", "where things stand")];
}
