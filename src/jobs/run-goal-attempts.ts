/**
 * `relais goal --attempts N`: several goals side by side, as the build of one tick.
 *
 * Each is a whole goal in a repository of its own. The commits of the best one are judged and checked here, and stay.
 */
import type { Choices } from "../config/choices.ts";
import { type CommandFailure, refuseNotReady } from "../records/command-failure.ts";
import { InvariantError } from "../base/errors.ts";
import { makeTickNotification } from "../journal/pure/make-notification.ts";
import { makeRelay } from "../workflows/pure/relay.ts";
import { decideNextWork, type Work } from "../workflows/pure/workflow.ts";
import { makeLandingTask, NO_TERMS } from "../landing/landing-task.ts";
import type { LandedTick } from "../landing/land-change.ts";
import { chooseConfig } from "../tick/choose-config.ts";
import type { AttemptsPort } from "../tick/running-tick.ts";
import { emitOpened } from "../tick/emit-recorded.ts";
import { openSession } from "../tick/open-session.ts";
import { runWork } from "../tick/run-work.ts";
import type { CommandContext, LockedWorkspace } from "../workspace/workspace.ts";
import type { Misuse } from "../workspace/misuse.ts";
import { notify } from "../workspace/notify.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";

interface GoalAttemptsRequest extends CommandContext {
  readonly objective: string;
  readonly choices: Choices;
  /** Null takes it from the configuration. */
  readonly maxTurns: number | null;
  readonly attempts: AttemptsPort;
}

export async function runGoalAttempts(request: GoalAttemptsRequest): Promise<LandedTick | Misuse | CommandFailure> {
  const chosen = { choices: request.choices, foundText: null, fillsGaps: true as const };
  const complete = await chooseConfig({ ...request, chosen, needsAgent: true });
  if (complete.kind !== "complete") return complete;
  const open = { ...request, chosen: complete.chosen };
  return withWorkspace(open, "tick", (workspace) => runHere(request, workspace));
}

async function runHere(
  request: GoalAttemptsRequest,
  workspace: LockedWorkspace,
): Promise<LandedTick | Misuse | CommandFailure> {
  const { config, journal, runId, repository } = workspace;
  const work = planWork(request, workspace);
  if ("kind" in work) return work;
  const opened = await openSession({ ...request, workspace, seriesId: runId, work });
  if (opened.kind === "blocked") return opened;
  if (opened.session.where.place.isolation === "in_place")
    return refuseNotReady(
      "attempts_in_place",
      "Several attempts need places of their own, and ticks work in place here (`isolation`).",
      "Leave out --attempts, or see `relais doctor` about an overlay or a clone.",
    );
  emitOpened(request.emit, { seriesId: runId, lines: journal.lines() });
  const { relaisVersion } = request;
  const ended = await runWork(opened.session, { workflow: "relay", work, relaisVersion });
  const notification = makeTickNotification(ended.report, repository.root);
  return { ...ended, notify: () => notify({ ...request, config }, notification) };
}

/** A goal has a tick to build and one to verify in each turn; the limits count for each of its commits. */
function planWork(request: GoalAttemptsRequest, { config, journal, runId }: LockedWorkspace): Work | Misuse {
  const turns = request.maxTurns ?? config.goal.max_turns;
  const subjects = Array.from({ length: turns }, () => request.objective);
  const terms = { ...NO_TERMS, command: "goal" } as const;
  const made = makeLandingTask(request.objective, subjects, `goal-${runId}`, { config, terms });
  if (made.kind === "misused") return made;
  const task = { ...made.task, intent: request.objective.slice(0, INTENT_CHARS_MAX) };
  const next = decideNextWork(makeRelay(task, config), { lines: journal.lines(), seriesId: runId });
  if (next.kind !== "work") throw new InvariantError("a series ended before it began");
  const { ceiling } = made;
  const maxSeconds = (2 * turns + 1) * config.runner.max_tick_seconds;
  const settle = { onSuccess: "commit", onFailure: "rollback" } as const;
  return { ...next.work, ceiling, settle, review: null, maxSeconds, isOwnPatch: true, ceilingOfScope: "told" };
}

const INTENT_CHARS_MAX = 400;
