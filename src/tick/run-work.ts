import { createHash } from "node:crypto";
import type { TickEvent } from "../records/event.ts";
import { InvariantError } from "../base/errors.ts";
import type { Repair, Report } from "../records/report.ts";
import type { SessionLimits } from "../records/live-event.ts";
import type { SeriesOptions } from "../records/series.ts";
import { makeReviewGate } from "../checks/pure/review-plan.ts";
import type { Work, Workflow } from "../workflows/pure/workflow.ts";
import { hearSignals } from "../system/pause.ts";
import { findOwnGitPrefix } from "../evidence/pure/own-git-prefix.ts";
import { compactGrownContent } from "../keep/compact-content.ts";
import { makeTickPorts } from "./tick-ports.ts";
import type { RunningTick } from "./running-tick.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { dropRecord } from "./kept-session.ts";
import { publishEnd } from "./perform-report.ts";
import { findRollbackFailure } from "./pure/tick-facts.ts";
import { runTick } from "./tick.ts";

interface WorkRequest {
  readonly workflow: Workflow<unknown>["name"];
  readonly work: Work;
  readonly relaisVersion: string;
  /** Absent for a single tick. */
  readonly series?: SeriesOptions;
  /** What a person typed; absent where that is unknown. */
  readonly commandLine?: readonly string[];
}

export interface TickEnding {
  readonly kind: "ended";
  readonly report: Report;
  readonly problems: readonly string[];
}

/** Runs a whole tick, from its first event to its report. */
export async function runWork(session: RunningTick, request: WorkRequest): Promise<TickEnding> {
  const started = makeStartEvent(session, request);
  dropEarlierRecord(session);
  session.record.emit?.({ kind: "limits", limits: listLimits(session) });
  const ports = makeTickPorts(session);
  let isResumedLater = true; // By `recover`, which needs the work and the notes of the place.
  try {
    const state = await runTick(ports, await ports.record(started));
    isResumedLater = findRollbackFailure(state) !== null;
  } finally {
    await session.where.place.close(isResumedLater);
  }
  await publishEnd(session);
  if (!isResumedLater) {
    const problems = await compactGrownContent(session.where);
    session.left.problems = [...session.left.problems, ...problems];
  }
  await hearSignals();
  const { report, problems } = session.left;
  if (report === null) throw new InvariantError("a tick ended without a report");
  return { kind: "ended", report, problems };
}

/** What the agent of the last tick knows is only for its repair. */
function dropEarlierRecord({
  tick: { runId },
  where: { stateDirectory },
  record: { journal },
  work,
}: RunningTick): void {
  const last = journal.recent().findLast(({ run_id: other }) => other !== runId)?.run_id ?? null;
  if (last !== null && last !== work.repair?.run_id) dropRecord(locateRunDirectory(stateDirectory, last));
}

function listLimits({ work }: RunningTick): SessionLimits {
  return {
    orchestrator: work.orchestrator?.limits.timeoutMs ?? null,
    builder: work.builder?.limits.timeoutMs ?? null,
    reviewer: work.review?.limits.timeoutMs ?? null,
  };
}

/** The prompt can be made again from the journal. */
const pickRepair = ({ run_id, number, failed }: Repair): Repair => ({ run_id, number, failed });

/** The first event sets the policy and the reviewers, so that nothing can change them later. */
function makeStartEvent(
  {
    tick: { config, configText, ownBranch },
    where: { repository },
    pinned: { uncommitted },
    work: { ask },
  }: RunningTick,
  { workflow, work, relaisVersion, series, commandLine }: WorkRequest,
): TickEvent {
  const { onSuccess, onFailure } = work.settle;
  return {
    type: "tick_started",
    workflow,
    relais_version: relaisVersion,
    config_sha256: createHash("sha256").update(configText).digest("hex"),
    on_success: onSuccess,
    ...(onFailure === "rollback" ? {} : { on_failure: onFailure }),
    ...(work.review === null ? {} : { review: makeReviewGate(work.review) }),
    ...(ask === null ? {} : { ask: { timeout_seconds: ask.timeoutSeconds } }),
    max_tick_seconds: work.maxSeconds ?? config.runner.max_tick_seconds,
    ...(config.verification.baseline === "off" ? {} : { baseline: true as const }),
    worktree: repository.root,
    git_prefix: findOwnGitPrefix(repository),
    ...(work.repair === undefined ? {} : { repair: pickRepair(work.repair) }),
    ...(uncommitted.length === 0 ? {} : { uncommitted: uncommitted.length }),
    ...(series === undefined ? {} : { series }),
    own_branch: ownBranch,
    ...(commandLine === undefined ? {} : { command_line: [...commandLine] }),
  };
}
