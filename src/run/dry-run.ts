/** Asks the same questions as a tick would, in the same order, records nothing and pays nobody. */
import type { Code } from "../contract/codes.ts";
import type { Rules } from "../contract/evidence.ts";
import type { Task } from "../contract/task.ts";
import { removeRunDirectory } from "../io/run-directory.ts";
import { orchestratorOf, planPrompt } from "./announce-plan.ts";
import { rulesOf } from "./perform-judge.ts";
import { planGiven } from "./perform-plan.ts";
import { preflightRefusal } from "./perform-preflight.ts";
import type { TickSession } from "./tick-session.ts";

/** Why a tick would not begin; null where it would. */
type DryRefusal = {
  readonly code: Code;
  readonly cause: string | null;
  readonly message: string | null;
} | null;

/** What a tick would begin with, or why it would not begin. */
export interface DryRun {
  readonly kind: "dry";
  readonly refusal: DryRefusal;
  readonly rules: Rules;
  readonly checks: readonly string[];
  readonly builder: string;
}

/** The same for a tick whose task is not known yet: what the orchestrator would be asked, by its sections. */
export interface PlanDryRun {
  readonly kind: "dry-plan";
  readonly refusal: DryRefusal;
  readonly orchestrator: string;
  readonly builder: string;
  readonly promptBytes: Readonly<Record<string, number>>;
}

export async function dryRun(session: TickSession, task: Task | null): Promise<DryRun | PlanDryRun> {
  const refused = await preflightRefusal(session);
  try {
    const builder = session.work?.builder?.driver.name ?? "none";
    return task === null
      ? await dryPlan(session, builder, refused)
      : { ...dryGiven(session, task, refused), builder };
  } finally {
    await removeRunDirectory(session.runDirectory);
  }
}

async function dryPlan(session: TickSession, builder: string, refusal: DryRefusal): Promise<PlanDryRun> {
  const { bytes: promptBytes } = await planPrompt(session, { rejection: null });
  const orchestrator = orchestratorOf(session).driver.name;
  return { kind: "dry-plan", refusal, orchestrator, builder, promptBytes };
}

function dryGiven(session: TickSession, task: Task, refused: DryRefusal): Omit<DryRun, "builder"> {
  const plan = refused === null ? planGiven(session, task) : { type: "refused" as const, ...refused };
  return {
    kind: "dry",
    refusal: plan.type === "refused" ? { code: plan.code, cause: plan.cause, message: plan.message } : null,
    rules: rulesOf(session, task),
    checks: [...(task.verification?.fast ?? []), ...(task.verification?.slow ?? [])],
  };
}
