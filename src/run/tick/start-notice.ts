import type { StartNotice } from "../../contract/answers/start-notice.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { RunningSession } from "../session/tick-session.ts";
import { readRules } from "../steps/perform-judge.ts";

/** Null where no builder works on a given task. */
export function makeStartNotice(session: RunningSession): StartNotice | null {
  const { task, builder, settle } = session.work;
  if (task === null || builder === null) return null;
  return {
    agent: builder.driver.name,
    model: pickModel(session),
    allowedGlobs: readRules(session, task).allowed_globs,
    checks: listTaskChecks(task),
    isCommitted: settle.onSuccess === "commit",
    isAsked: session.ask !== null,
  };
}

export function listTaskChecks({ verification }: Task): readonly string[] {
  return verification === undefined ? [] : [...verification.fast, ...verification.slow];
}

/** The names in `models` belong to Claude Code. */
function pickModel({ config, work }: RunningSession): string | null {
  const { name } = work.builder?.driver ?? {};
  const own = config.roles.builder.model ?? null;
  if (name === "codex") return own ?? config.builder.codex.model;
  return name === "claude_code" ? (work.builder?.model ?? null) : own;
}
