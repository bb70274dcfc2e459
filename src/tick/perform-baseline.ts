import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { JOB_VARIABLE } from "../base/environment.ts";
import { shorten, shortenList } from "../base/words.ts";
import { findKnownBase, findLastDuration, hasPassed } from "../checks/pure/known-base.ts";
import { planBase } from "../checks/pure/stages.ts";
import type { Check } from "../checks/pure/verification-plan.ts";
import { runStage } from "../checks/run-stage.ts";
import type { TickEvent } from "../records/event.ts";
import { REPORT_LIMITS, type VerificationRun } from "../records/report.ts";
import { readClockMs } from "../system/clock.ts";
import { openCheckRun, planTickChecks } from "./perform-verify.ts";
import { writeGoOnCommand } from "./pure/go-on-command.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { readInterruption, type RunningTick, TICK_TIMEOUT } from "./running-tick.ts";

/**
 * Runs the checks before the builder starts, so that nobody pays for work on a base that is already red, and so that each
 * check can be compared afterwards. A result is kept in the journal, for the same commit and configuration.
 */

type Baselined = Extract<TickEvent, { type: "baselined" }>;

export async function performBaseline(session: RunningTick, state: StateIn<"baseline">): Promise<TickEvent> {
  const {
    tick: { config },
    where: { change },
    record: { journal },
  } = session;
  const checks = listChecks(session, state);
  const commit = state.base.base_commit;
  const checksSha256 = hashSettings(session);
  const wanted = checks.map(describeCheck);
  const event = { type: "baselined", commit, checks_sha256: checksSha256 } as const;
  const known = findKnownBase(journal.recent(), commit, checksSha256, wanted);
  if (known !== null) return { ...event, ...answer(session, state, known), kept: true };
  const boundMs = config.verification.baseline_max_seconds * 1000;
  const isBounded = config.verification.baseline === "auto";
  const lastMs = findLastDuration(journal.recent(), wanted);
  if (isBounded && lastMs !== null && lastMs > boundMs) return { ...event, ...SKIPPED };
  const deadlineAt = isBounded ? Math.min(session.tick.deadlineAt, readClockMs() + boundMs) : session.tick.deadlineAt;
  const run = { ...openCheckRun(session), deadlineAt };
  const end = await change.trial({}, (observation) => runStage(run, planBase(checks), observation));
  if (end.kind === "aborted") return readInterruption(session.tick.signal);
  if (end.kind === "tick-timed-out")
    return readClockMs() < session.tick.deadlineAt ? { ...event, ...SKIPPED } : TICK_TIMEOUT;
  return { ...event, ...answer(session, state, end.runs) };
}

const SKIPPED: Omit<Baselined, "type" | "commit" | "checks_sha256"> = {
  runs: [],
  code: null,
  message: null,
  skipped: true,
};

/** Not those that run once, nor a check of the workflow that the task has already. */
function listChecks(session: RunningTick, { task }: StateIn<"baseline">): readonly Check[] {
  const plan = planTickChecks(session, task.verification ?? { fast: [], slow: [] });
  const planned = plan.kind === "ready" ? plan.checks : [];
  const own = (session.work.checks.base ?? []).filter((check) => !planned.some((one) => isSameRun(one, check)));
  return [...planned, ...own].filter(({ once }) => once !== true);
}

const isSameRun = (one: Check, other: Check): boolean =>
  one.templateId === other.templateId && isDeepStrictEqual(one.args, other.args);

function describeCheck({ templateId, args }: Check): Pick<VerificationRun, "template_id" | "args"> {
  return { template_id: templateId, args: args.map((arg) => shorten(arg, REPORT_LIMITS.argChars)) };
}

/** The guard of a tree is no template. */
function hashSettings({ tick: { config }, work: { checks } }: RunningTick): string {
  const { templates, setup } = config.verification;
  const others = (checks.base ?? []).filter(({ templateId }) => !templates.some(({ id }) => id === templateId));
  const own = others.map(({ cmd }) => cmd);
  return createHash("sha256")
    .update(JSON.stringify({ templates, setup, env: config.env.checks, own }))
    .digest("hex");
}

type Answer = Pick<Baselined, "runs" | "code" | "message" | "go_on">;

/** A check that fails already says nothing about the work, unless the work is to make it pass. */
function answer(session: RunningTick, state: StateIn<"baseline">, runs: readonly VerificationRun[]): Answer {
  const { task } = state;
  const fixed = [...("fixes" in task ? (task.fixes ?? []) : []), ...(session.work.fixes ?? [])];
  const red = runs.filter((run) => !hasPassed(run) && !fixed.includes(run.template_id));
  if (red.length === 0 || !mayRefuse(session, state)) return { runs: [...runs], code: null, message: null };
  const names = [...new Set(red.map(({ template_id: id }) => id))];
  const isJob = session.where.repository.environment[JOB_VARIABLE] !== undefined;
  const { series } = state.started;
  return {
    runs: [...runs],
    code: "BLOCKED_BASELINE_RED",
    message: `Before any work, ${shortenList(names)} ${names.length === 1 ? "fails" : "fail"}.`,
    ...(series === undefined ? {} : { go_on: writeGoOnCommand(series, [...new Set([...fixed, ...names])], isJob) }),
  };
}

/** Elsewhere than in a relay, later bases may be red by design: only before anybody was paid it is refused. */
function mayRefuse(
  { tick: { config, seriesId, runId }, record: { journal } }: RunningTick,
  { started }: StateIn<"baseline">,
): boolean {
  if (config.verification.inherited === "compare") return false;
  if (started.workflow === "relay") return true;
  const lines = journal.linesOfSeries(seriesId);
  return !lines.some(({ run_id, event }) => run_id !== runId && event.type === "build_started");
}
