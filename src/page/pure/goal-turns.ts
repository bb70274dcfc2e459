import type { ReviewRecord } from "../../records/goal.ts";
import type { GoalState } from "../../workflows/pure/goal-state.ts";
import { listTurnReviews } from "../../workflows/pure/read-goal-decision.ts";
import { summariseReceipt } from "../../workflows/pure/goal-ledger.ts";
import type { GoalTurn, PageTone, PageVote } from "./page-documents.ts";

/** The turns of a goal, each with its votes. */
export function listGoalTurns({ receipts, reviews, decisions, turns }: GoalState): readonly GoalTurn[] {
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

const TONES: Readonly<Record<ReviewRecord["decision"], PageTone>> = {
  complete: "good",
  continue: "calm",
  blocked: "bad",
};

function describeVote({ reviewer, decision, diagnostic, explanation, gaps, evidence }: ReviewRecord): PageVote {
  if (diagnostic !== null) return { name: reviewer, tone: "bad", vote: "no vote", text: diagnostic };
  const text = [explanation, ...evidence.map((one) => `+ ${one}`), ...gaps.map((one) => `− ${one}`)].join("\n");
  return { name: reviewer, tone: TONES[decision], vote: decision, text };
}
