/** The final report of a goal as Markdown. Everything that others wrote stands in spans that nothing can leave. */
import type { GoalLedger, ReviewRecord } from "../../contract/workflows/goal.ts";
import { remainingWork } from "../../core/goal/goal-reducer.ts";
import { reviewsOfTurn } from "../../core/goal/reviews-of-turn.ts";
import { shorten } from "../../core/words/shorten.ts";
import { codeSpan, proseSpan, quotedSpans } from "../text/code-span.ts";
import { neutralise } from "../text/neutralise.ts";

/** What is left to do; `none` once the goal is reached. */
export function goalRemaining({ status, reviews, decisions, turns }: GoalLedger): string {
  if (status === "complete") return "none";
  const last = reviewsOfTurn(reviews, turns);
  return last.length > 0 ? remainingWork(last) : (decisions.at(-1)?.reason ?? "Everything.");
}

const section = (title: string, lines: readonly string[]): readonly string[] => [
  `## ${title}`,
  "",
  ...lines,
  "",
];

export function goalReport(ledger: GoalLedger, ledgerPath: string): string {
  const { goal_id, objective, status, turns, settings, receipts, decisions } = ledger;
  const decision = decisions.at(-1);
  return [
    "# Goal report",
    "",
    ...section("Goal ID", [codeSpan(goal_id)]),
    ...section("Objective", quotedSpans(objective)),
    ...(settings.criteria === null ? [] : section("Acceptance criteria", quotedSpans(settings.criteria))),
    ...section("Final status", [codeSpan(status)]),
    ...section("Turns completed", [`${turns} of ${settings.max_turns}`]),
    ...section("Ledger artifact", [codeSpan(ledgerPath)]),
    ...section("Evidence and receipts", receiptLines(receipts)),
    ...section("Final decision", [decision === undefined ? "Not decided yet." : proseSpan(decision.reason)]),
    ...section("Remaining work if incomplete", remainingLines(ledger)),
    ...section("Reviews of the last turn", [goalReviewReport(ledger)]),
  ].join("\n");
}

function receiptLines(receipts: GoalLedger["receipts"]): readonly string[] {
  if (receipts.length === 0) return ["- No receipts."];
  return receipts.map(
    ({ turn, summary, artifact_path }) =>
      `- Turn ${turn}: ${proseSpan(summary)} (${codeSpan(artifact_path)})`,
  );
}

function remainingLines(ledger: GoalLedger): readonly string[] {
  return ledger.status === "complete" ? ["none"] : [proseSpan(goalRemaining(ledger))];
}

/** What the reviewers of the last turn said. */
export function goalReviewReport({ reviews, turns }: GoalLedger): string {
  const last = reviewsOfTurn(reviews, turns);
  return last.length === 0 ? "Not reviewed yet." : last.map(reviewText).join("\n\n");
}

const items = (label: string, texts: readonly string[]): readonly string[] =>
  texts.map((text) => `- ${label}: ${proseSpan(text)}`);

function reviewText({ reviewer, decision, diagnostic, explanation, evidence, gaps, blocker }: ReviewRecord) {
  return [
    `### ${reviewer}: ${diagnostic === null ? decision : "no vote"}`,
    "",
    proseSpan(diagnostic ?? explanation),
    "",
    ...items("evidence", evidence),
    ...items("gap", gaps),
    ...items("blocker", blocker === null ? [] : [blocker]),
  ]
    .join("\n")
    .trimEnd();
}

const TITLE_CHARS = 72;

/**
 * The title and the text of a pull request for the commits of the goal. Its reader has the branch and not the
 * workspace, so no file of the runner is named.
 */
export function pullRequestText(ledger: GoalLedger): { readonly title: string; readonly text: string } {
  const { objective, settings, receipts, decisions, goal_id } = ledger;
  const title = shorten(neutralise(objective.replaceAll(/\s+/gu, " ").trim()), TITLE_CHARS);
  const decision = decisions.at(-1)?.reason ?? "Not decided yet.";
  const done = receipts.map(({ turn, summary }) => `- Turn ${turn}: ${proseSpan(summary)}`);
  const text = [
    ...section("Objective", quotedSpans(objective)),
    ...(settings.criteria === null ? [] : section("Acceptance criteria", quotedSpans(settings.criteria))),
    ...section("Work done", done.length === 0 ? ["- No receipts."] : done),
    ...section("Decision", [proseSpan(decision)]),
    ...section("Remaining work", remainingLines(ledger)),
    ...section("Last reviews", [goalReviewReport(ledger)]),
    `Made by \`relais goal\`, ${codeSpan(goal_id)}.`,
    "",
  ].join("\n");
  return { title, text };
}
