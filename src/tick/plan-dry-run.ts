/** The checks of a tick, in the same order, without recording anything or calling an agent. */
import type { DryRefusal, DryRun, PlanDryRun, ForeseenChange } from "../records/dry-run.ts";
import { composeBuilderPrompt } from "./pure/framed-section.ts";
import type { Task } from "../records/task.ts";
import { findTickPatch } from "./pure/tick-facts.ts";
import { removeRunDirectory } from "../journal/run-directory.ts";
import { findPreflightRefusal, makeSubject } from "./preflight.ts";
import { planGiven, planPrompt } from "./announce-plan.ts";
import { performForeseePatch, readRules } from "./perform-judge.ts";
import type { ReadyOrchestrator, RunningTick, OpenTick } from "./running-tick.ts";
import { judge } from "../judge/pure/judge.ts";
import { listCaps } from "./open-session.ts";
import { listTaskChecks } from "./make-start-notice.ts";

export async function planDryRun(session: RunningTick): Promise<DryRun | PlanDryRun> {
  const { task, orchestrator } = session.work;
  const refused = await findPreflightRefusal(makeSubject(session));
  try {
    return task === null
      ? await foreseePlan(session, orchestrator, refused)
      : await foreseeGiven(session, task, refused);
  } finally {
    await session.where.place.close();
    removeRunDirectory(session.where.runDirectory);
  }
}

async function foreseePlan(
  session: RunningTick,
  { driver, texts }: ReadyOrchestrator,
  refusal: DryRefusal,
): Promise<PlanDryRun> {
  const { bytes: promptBytes } = await planPrompt(session, texts, null);
  const builder = nameBuilder(session);
  return { kind: "dry-plan", refusal, orchestrator: driver.name, builder, promptBytes, caps: listCaps(session) };
}

async function foreseeGiven(session: RunningTick, task: Task, refused: DryRefusal): Promise<DryRun> {
  const plan = refused === null ? planGiven(session, task) : { type: "refused" as const, ...refused };
  const foreseen = plan.type === "planned" ? await foreseeChange(session, task) : null;
  const { code, cause, message } = plan.type === "refused" ? plan : (foreseen?.refusal ?? NO_REFUSAL);
  return {
    kind: "dry",
    refusal: code === null ? null : { code, cause, message },
    rules: readRules(session, task),
    checks: listTaskChecks(task),
    builder: findTickPatch(task) === null ? nameBuilder(session) : "patch",
    foreseen: foreseen?.change ?? null,
    prompt: writePrompt(session, task),
    caps: listCaps(session),
  };
}

function writePrompt(session: RunningTick, task: Task): string | null {
  const { builder, brief } = session.work;
  if (builder === null) return null;
  return brief.prompt ?? composeBuilderPrompt(builder.texts.user, task, readRules(session, task));
}

function nameBuilder({ work }: RunningTick): string {
  return work.builder?.driver.name ?? "none";
}

const NO_REFUSAL = { code: null, cause: null, message: null } as const;

interface ForeseenEnd {
  /** Null where every gate passes. Checks have not run. */
  readonly refusal: DryRefusal;
  readonly change: ForeseenChange | null;
}

/** Judges the patch of a task without writing it; null for a task without a patch. */
async function foreseeChange(session: OpenTick, task: Task): Promise<ForeseenEnd | null> {
  const patch = findTickPatch(task);
  if (patch === null) return null;
  await session.where.change.prepare();
  const { candidate, failure, message } = await performForeseePatch(session, task, patch);
  if (candidate === null) return { refusal: failure && { ...failure, message }, change: null };
  const { code, cause, findings, blast_radius } = judge(candidate.evidence);
  const [first] = findings;
  const why = message ?? (first === undefined ? null : `${first.subject}: ${first.rule}`);
  return {
    refusal: code === "SUCCESS" ? null : { code, cause, message: why },
    change: {
      paths: candidate.evidence.changes.map(({ path }) => path),
      lines_added: blast_radius.lines_added,
      lines_deleted: blast_radius.lines_deleted,
      findings,
    },
  };
}
