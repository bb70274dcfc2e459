/** The final report of a goal as Markdown. Everything that others wrote stands in spans that nothing can leave. */
import type { GoalLedger, ReviewRecord } from "../records/goal.ts";
import { describeRemainingWork } from "../workflows/pure/goal-reducer.ts";
import { listTurnReviews } from "../workflows/pure/read-goal-decision.ts";
import { shorten } from "../base/words.ts";
import { renderCodeSpan, renderProseSpan, renderQuotedSpans } from "../base/code-span.ts";
import { neutralise } from "../base/style.ts";

/** What is left to do; `none` once the goal is reached. */
export function renderGoalRemaining({ status, reviews, decisions, turns }: GoalLedger): string {
  if (status === "complete") return "none";
  const last = listTurnReviews(reviews, turns);
  return last.length > 0 ? describeRemainingWork(last) : (decisions.at(-1)?.reason ?? "Everything.");
}

const renderSection = (title: string, lines: readonly string[]): readonly string[] => [`## ${title}`, "", ...lines, ""];

export function renderGoalReport(ledger: GoalLedger, ledgerPath: string): string {
  const { goal_id, objective, status, turns, settings, receipts, decisions } = ledger;
  const decision = decisions.at(-1);
  return [
    "# Goal report",
    "",
    ...renderSection("Goal ID", [renderCodeSpan(goal_id)]),
    ...renderSection("Objective", renderQuotedSpans(objective)),
    ...(settings.criteria === null ? [] : renderSection("Acceptance criteria", renderQuotedSpans(settings.criteria))),
    ...renderSection("Final status", [renderCodeSpan(status)]),
    ...renderSection("Turns completed", [`${turns} of ${settings.max_turns}`]),
    ...renderSection("Ledger artifact", [renderCodeSpan(ledgerPath)]),
    ...renderSection("Evidence and receipts", listReceipts(receipts)),
    ...renderSection("Final decision", [
      decision === undefined ? "Not decided yet." : renderProseSpan(decision.reason),
    ]),
    ...renderSection("Remaining work if incomplete", listRemaining(ledger)),
    ...renderSection("Reviews of the last turn", [renderGoalReviewReport(ledger)]),
  ].join("\n");
}

function listReceipts(receipts: GoalLedger["receipts"]): readonly string[] {
  if (receipts.length === 0) return ["- No receipts."];
  return receipts.map(
    ({ turn, summary, artifact_path }) =>
      `- Turn ${turn}: ${renderProseSpan(summary)} (${renderCodeSpan(artifact_path)})`,
  );
}

function listRemaining(ledger: GoalLedger): readonly string[] {
  return ledger.status === "complete" ? ["none"] : [renderProseSpan(renderGoalRemaining(ledger))];
}

/** What the reviewers of the last turn said. */
export function renderGoalReviewReport({ reviews, turns }: GoalLedger): string {
  const last = listTurnReviews(reviews, turns);
  return last.length === 0 ? "Not reviewed yet." : last.map(renderReview).join("\n\n");
}

const listItems = (label: string, texts: readonly string[]): readonly string[] =>
  texts.map((text) => `- ${label}: ${renderProseSpan(text)}`);

function renderReview({ reviewer, decision, diagnostic, explanation, evidence, gaps, blocker }: ReviewRecord) {
  return [
    `### ${reviewer}: ${diagnostic === null ? decision : "no valid answer"}`,
    "",
    renderProseSpan(diagnostic ?? explanation),
    "",
    ...listItems("evidence", evidence),
    ...listItems("gap", gaps),
    ...listItems("blocker", blocker === null ? [] : [blocker]),
  ]
    .join("\n")
    .trimEnd();
}

const TITLE_CHARS = 72;

/**
 * The title and the text of a pull request for the commits of the goal. Its reader has the branch and not the
 * workspace, so no file of the runner is named.
 */
export function renderPullRequest(ledger: GoalLedger): { readonly title: string; readonly text: string } {
  const { objective, settings, receipts, decisions, goal_id } = ledger;
  const title = shorten(neutralise(objective.replaceAll(/\s+/gu, " ").trim()), TITLE_CHARS);
  const decision = decisions.at(-1)?.reason ?? "Not decided yet.";
  const done = receipts.map(({ turn, summary }) => `- Turn ${turn}: ${renderProseSpan(summary)}`);
  const text = [
    ...renderSection("Objective", renderQuotedSpans(objective)),
    ...(settings.criteria === null ? [] : renderSection("Acceptance criteria", renderQuotedSpans(settings.criteria))),
    ...renderSection("Work done", done.length === 0 ? ["- No receipts."] : done),
    ...renderSection("Decision", [renderProseSpan(decision)]),
    ...renderSection("Remaining work", listRemaining(ledger)),
    ...renderSection("Last reviews", [renderGoalReviewReport(ledger)]),
    `Made by \`relais goal\`, ${renderCodeSpan(goal_id)}.`,
    "",
  ].join("\n");
  return { title, text };
}
