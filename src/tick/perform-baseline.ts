/**
 * Runs the checks before the builder starts, so that nobody pays for work on a base that is already red, and so that each
 * check can be compared afterwards. A result is kept in the journal, for the same commit and configuration.
 */
import { createHash } from "node:crypto";
import type { TickEvent } from "../records/event.ts";
import type { VerificationRun } from "../records/report.ts";
import { REPORT_LIMITS } from "../records/report.ts";
import { hasPassed } from "../checks/pure/check-state.ts";
import { findKnownBase, findLastDuration } from "../checks/pure/known-base.ts";
import { type Check, planChecks } from "../checks/pure/verification-plan.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { shortenList } from "../base/quote.ts";
import { shorten } from "../base/shorten.ts";
import { leadsOutside } from "../system/leads-outside.ts";
import { readClockMs } from "../system/clock.ts";
import { readInterruption, type RunningSession, TICK_TIMEOUT } from "./tick-session.ts";
import { runAllChecks } from "../checks/run-all-checks.ts";
import { runTrial } from "../checks/run-trial.ts";

type Baselined = Extract<TickEvent, { type: "baselined" }>;

export async function performBaseline(session: RunningSession, state: StateIn<"baseline">): Promise<TickEvent> {
  const { journal, config, place } = session;
  const checks = listChecks(session, state);
  const commit = state.base.base_commit;
  const checksSha256 = hashSettings(session);
  const wanted = checks.map(describeCheck);
  const event = { type: "baselined", commit, checks_sha256: checksSha256 } as const;
  const known = findKnownBase(journal.recent(), { commit, checksSha256, wanted });
  if (known !== null) return { ...event, ...answer(session, state, known), kept: true };
  const boundMs = config.verification.baseline_max_seconds * 1000;
  const isBounded = config.verification.baseline === "auto";
  const lastMs = findLastDuration(journal.recent(), wanted);
  if (isBounded && lastMs !== null && lastMs > boundMs) return { ...event, ...SKIPPED };
  const deadlineAt = isBounded ? Math.min(session.deadlineAt, readClockMs() + boundMs) : session.deadlineAt;
  const kept = await place.remember();
  const act = () =>
    runAllChecks({ context: { ...session, deadlineAt }, checks, base: null, inherits: false, runsAll: true });
  const end = await runTrial(session, { kept, tried: kept }, act);
  if (end.kind === "aborted") return readInterruption(session.signal);
  if (end.kind === "tick-timed-out")
    return readClockMs() < session.deadlineAt ? { ...event, ...SKIPPED } : TICK_TIMEOUT;
  return { ...event, ...answer(session, state, end.runs) };
}

const SKIPPED: Omit<Baselined, "type" | "commit" | "checks_sha256"> = {
  runs: [],
  code: null,
  message: null,
  skipped: true,
};

/** Not those of the workflow, which depend on the change, nor those that run once. */
function listChecks({ config, place }: RunningSession, { task }: StateIn<"baseline">): readonly Check[] {
  const settings = { ...config.verification, leadsOutside: (path: string) => leadsOutside(place.tree, path) };
  const plan = planChecks(settings, task.verification ?? { fast: [], slow: [] });
  return plan.kind === "ready" ? plan.checks.filter(({ once }) => once !== true) : [];
}

function describeCheck({ templateId, args }: Check): Pick<VerificationRun, "template_id" | "args"> {
  return { template_id: templateId, args: args.map((arg) => shorten(arg, REPORT_LIMITS.argChars)) };
}

function hashSettings({ config: { verification, env } }: RunningSession): string {
  const { templates, setup } = verification;
  return createHash("sha256")
    .update(JSON.stringify({ templates, setup, env: env.checks }))
    .digest("hex");
}

type Answer = Pick<Baselined, "runs" | "code" | "message">;

/** A check that fails already says nothing about the work, unless the work is to make it pass. */
function answer(session: RunningSession, state: StateIn<"baseline">, runs: readonly VerificationRun[]): Answer {
  const mends = "mends" in state.task ? (state.task.mends ?? []) : [];
  const red = runs.filter((run) => !hasPassed(run) && !mends.includes(run.template_id));
  const isRefused = red.length > 0 && mayRefuse(session, state);
  const names = red.map(({ template_id: id }) => id);
  const message = `Before any work, ${shortenList(names)} ${names.length === 1 ? "fails" : "fail"}.`;
  return {
    runs: [...runs],
    code: isRefused ? "BLOCKED_BASELINE_RED" : null,
    message: isRefused ? message : null,
  };
}

/** Elsewhere than in a relay, later bases may be red by design. */
function mayRefuse({ config, journal, seriesId, runId }: RunningSession, { started }: StateIn<"baseline">): boolean {
  if (config.verification.inherited === "compare") return false;
  if (started.workflow === "relay") return true;
  return !journal.linesOfSeries(seriesId).some((line) => line.run_id !== runId);
}
