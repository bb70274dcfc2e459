import * as v from "valibot";
import { type Report, REPORT_LIMITS } from "../../records/report.ts";
import {
  findAttempts,
  findBuilt,
  findReview,
  findTask,
  findSettled,
  findReviewing,
  findBuilding,
  findHandedOver,
  findPlanning,
  findPrepared,
} from "./tick-facts.ts";
import type { Reportable, TickState } from "./tick-state.ts";
import { TreeIteration } from "../../records/tree-iteration.ts";
import { type Review, REVIEW_LIMITS } from "../../records/review.ts";
import { shorten } from "../../base/words.ts";

/** Null if the tick was not refused by a service, or no time is known. */
export function findRetryAt(state: TickState | Reportable): string | null {
  const outcome = "outcome" in state ? state.outcome : null;
  if (outcome?.code !== "STOP_RATE_LIMITED") return null;
  return outcome.until ?? findReview(state)?.until ?? findBuilt(state)?.until ?? null;
}

export function reportRetry(state: Reportable): Pick<Report, "retry_at"> {
  const moment = findRetryAt(state);
  return moment === null ? {} : { retry_at: moment };
}

/** The question of this tick, or of an earlier one that must be answered first. A builder asks with its own words. */
export function reportQuestion(state: TickState | Reportable): Report["question"] {
  const outcome = "outcome" in state ? state.outcome : null;
  const question = findTask(state)?.question ?? outcome?.question;
  if (question !== undefined) return { prompt: question.prompt, choices: [...(question.choices ?? [])] };
  const isGivenBack = outcome?.code === "STOP_QUESTION" && outcome.message !== null;
  return isGivenBack ? { prompt: outcome.message, choices: [] } : null;
}

export function reportIteration(state: TickState | Reportable): Pick<Report, "iteration"> {
  const data = findSettled(state)?.data;
  const read = data === undefined ? null : v.safeParse(TreeIteration, data);
  if (read?.success !== true) return {};
  const { iter_n, selected_leaf_id, outcome } = read.output;
  return { iteration: { iter_n, selected_leaf_id, outcome } };
}

/** Null if no review was completed. */
export function reportReview(state: Reportable): Report["review"] {
  const reviewed = findReview(state);
  if (reviewed === null) return null;
  return {
    approved: reviewed.code === null,
    quorum: state.facts.started.review?.quorum ?? 0,
    reviewers: reviewed.reviews.slice(0, REVIEW_LIMITS.reviewers).map(reportReviewer),
  };
}

function reportReviewer({ name, vote, cause, explanation, reasons, wrote }: Review) {
  return {
    name,
    vote,
    cause,
    summary: explanation,
    reasons: reasons.map((reason) => shorten(reason || "(empty)", REVIEW_LIMITS.reasonChars)),
    wrote: wrote.map((path) => shorten(path || "(empty)", REPORT_LIMITS.pathChars)),
  };
}

function listReviewUsage(state: TickState | Reportable): Report["usage"] {
  const [facts, reviewed] = [findReviewing(state), findReview(state)];
  if (facts === null || reviewed === null) return [];
  const { driver } = facts.reviewing;
  const role = facts.started.review?.role ?? "reviewer";
  return reviewed.reviews.flatMap(({ usage }) => (usage === null ? [] : makeUsage(role, driver, usage)));
}

export function reportSessions(
  state: TickState | Reportable,
): Pick<Report, "builder_output_valid" | "isolation" | "sandbox" | "usage" | "prompt_bytes" | "prompts"> {
  const building = findBuilding(state);
  return {
    builder_output_valid: findBuilt(state)?.builder_output_valid ?? null,
    isolation: findPrepared(state)?.prepared.isolation ?? null,
    // A patch needs no sandbox.
    sandbox: building?.driver === "patch" ? null : (building?.sandbox ?? null),
    usage: reportUsage(state),
    ...reportAttempts(state),
    ...reportPlanPrompt(state),
    ...reportPrompts(state),
  };
}

function reportAttempts(state: TickState | Reportable): Pick<Report, "attempts"> {
  const attempts = findAttempts(state);
  return attempts === null ? {} : { attempts };
}

/** What every session of the tick used, as far as it was reported. */
export function reportUsage(state: TickState | Reportable): Report["usage"] {
  const [planning, building] = [findPlanning(state), findBuilding(state)];
  const planUsage = findPrepared(state)?.planUsage ?? [];
  const usage = findBuilt(state)?.usage ?? null;
  return [
    ...findHandedOver(state).flatMap(({ role, from, usage: used }) =>
      used === null ? [] : makeUsage(role, from, used),
    ),
    ...(planning === null ? [] : planUsage.map((used) => makeUsage("orchestrator", planning.driver, used))),
    ...(building === null || usage === null ? [] : [makeUsage("builder", building.driver, usage)]),
    ...listReviewUsage(state),
  ];
}

type SessionUsage = Report["usage"][number];
type Reported = Omit<SessionUsage, "role" | "driver" | "model">;

function makeUsage(role: SessionUsage["role"], driver: SessionUsage["driver"], usage: Reported): SessionUsage {
  return { role, driver, model: null, ...usage };
}

function reportPlanPrompt(state: TickState | Reportable): Pick<Report, "prompt_bytes"> {
  const planning = findPlanning(state);
  return planning === null ? {} : { prompt_bytes: { ...planning.prompt_bytes } };
}

function reportPrompts(state: TickState | Reportable): Pick<Report, "prompts"> {
  const built = findBuilt(state)?.prompt;
  const prompts: Report["prompts"] = [
    ...(findPrepared(state)?.planPrompts ?? []).map((prompt) => ({ role: "orchestrator" as const, ...prompt })),
    ...(built === undefined ? [] : [{ role: "builder" as const, ...built }]),
    ...listReviewPrompts(state),
  ];
  return prompts.length === 0 ? {} : { prompts };
}

function listReviewPrompts(state: TickState | Reportable): NonNullable<Report["prompts"]> {
  const role = findReviewing(state)?.started.review?.role ?? "reviewer";
  const reviews = findReview(state)?.reviews ?? [];
  return reviews.flatMap(({ name, prompt }) => (prompt === undefined ? [] : [{ role, name, ...prompt }]));
}

export function listHandedOverNotes(state: Reportable): readonly string[] {
  return findHandedOver(state).map(({ role, from, to, cause, until }) => {
    const end = until === undefined ? "" : ` until ${until}`;
    return `The ${role} ${from} is out of quota (${cause})${end}, so ${to} worked in its place`;
  });
}
