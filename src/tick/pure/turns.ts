/**
 * A turn that only leads to the next one: reviewers of a goal or verifiers of a campaign who do not agree yet, and an
 * iteration of a tree that planned or used an attempt. Nothing failed, so nobody is alarmed.
 */
import type { Report } from "../../records/report.ts";

interface TurnFacts extends Pick<Report, "workflow" | "code" | "iteration"> {
  readonly taskId: string | null;
  readonly quorum: number;
  readonly votes: readonly ("approve" | "refuse" | "none")[];
}

export function findOpenTurnOfReport({ workflow, code, iteration, task, review }: Report): string | null {
  return describeOpenTurn({
    workflow,
    code,
    ...(iteration === undefined ? {} : { iteration }),
    taskId: task?.task_id ?? null,
    quorum: review?.quorum ?? 0,
    votes: (review?.reviewers ?? []).map(({ vote }) => vote),
  });
}

export function describeOpenTurn(facts: TurnFacts): string | null {
  const { code, iteration } = facts;
  if (code === "STOP_REVIEW_REFUSED") return describeVotes(facts);
  if (code !== "SUCCESS" || iteration === undefined || iteration.outcome === "passed") return null;
  const end = iteration.outcome === "planned" ? "the plan changed" : "not yet, one attempt used";
  return `Iteration ${iteration.iter_n}: ${end}`;
}

const NAMES = { goal: ["Turn", "reviewers"], campaign: ["Iteration", "verifiers"] } as const;

/** Null if a vote that was needed is missing: that is a failure. */
function describeVotes({ workflow, taskId, quorum, votes }: TurnFacts): string | null {
  if (workflow !== "goal" && workflow !== "campaign") return null;
  const given = votes.filter((vote) => vote !== "none").length;
  if (given < Math.max(1, workflow === "goal" ? 1 : votes.length)) return null;
  const [turn, who] = NAMES[workflow];
  const agree = votes.filter((vote) => vote === "approve").length;
  const needed = quorum < votes.length ? `, ${quorum} needed` : "";
  return `${turn}${readNumber(taskId ?? "")}: not yet, ${agree} of ${votes.length} ${who} agree${needed}`;
}

/** The number of a turn in the name that the runner gave its task: review-turn-2, verify-003-US-1. */
function readNumber(taskId: string): string {
  const number = /^(?:review-turn|verify)-0*(?<number>\d+)(?:-|$)/u.exec(taskId)?.groups?.["number"];
  return number === undefined ? "" : ` ${number}`;
}
