/** The commit of a tick, as it is asked for. */
import type { Code } from "../../contract/values/codes.ts";
import type { Change } from "../../contract/evidence/evidence.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { commitMessage } from "../../core/words/commit-message.ts";
import type { TickState } from "../../core/tick/tick-state.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { childEnvironment } from "../../io/machine/environment.ts";
import { tickMarker } from "../../io/process/reap-session.ts";
import type { HookRun } from "../keep/commit-hooks.ts";
import { seriesBranch } from "../workspace/series-branch.ts";
import type { CommitRequest } from "../keep/settle-commit.ts";
import type { TickSession } from "../session/tick-session.ts";

interface CommitPart {
  readonly changes: readonly Change[];
  readonly signal: AbortSignal;
  /** Null runs no hook. */
  readonly hooks: HookRun | null;
  /** The first line of the message, where the workflow has one of its own. */
  readonly subject: string | undefined;
  /** Whether the work itself was put back. */
  readonly isPutBack?: boolean;
}

/** Asks for a commit on the branch of the series, with everything as it was when the tick began. */
export async function commitRequest(
  session: TickSession,
  state: TickState,
  { changes, signal, hooks, subject, isPutBack }: CommitPart,
): Promise<CommitRequest> {
  const { base, task } = state;
  if (base === null || task === null) throw new InvariantError("a tick without a base is committed");
  const { repository, store, settings, identity, runId, runDirectory, config, work } = session;
  const head = { text: base.head, commit: base.base_commit };
  return {
    repository,
    store,
    settings,
    identity,
    base: base.base_commit,
    headText: await seriesBranch({ ...session, head, hasOwnBranch: work?.hasOwnBranch }),
    changes,
    message: commitMessage({
      task,
      runId,
      code: codeOf(state),
      workflow: state.started?.workflow ?? "relay",
      productName: config.product_name,
      subject,
      isPutBack,
      isUnchecked: state.verified === null,
    }),
    reason: `relais: ${task.task_id}`,
    hooks,
    privateRoot: runDirectory,
    signal,
  };
}

export function codeOf({ outcome }: TickState): Code {
  if (outcome === null) throw new InvariantError("a tick without an outcome is settled");
  return outcome.code;
}

/** The hooks as they were before the work began, with what is left of the tick's time. */
export function hookRun({ repository, hooks, config, deadlineAt, runId }: TickSession): HookRun | null {
  if (hooks === null) return null;
  const environment = childEnvironment({
    inherit: repository.environment,
    names: config.env.checks,
    set: {},
  });
  const deadlineMs = Math.max(1, deadlineAt - currentTimeMs());
  return { pinned: hooks, environment, deadlineMs, marker: tickMarker(runId) };
}
