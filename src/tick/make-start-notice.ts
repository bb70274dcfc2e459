import { findProtectedBranch } from "../workspace/series-branch.ts";
import type { StartNotice } from "../records/dry-run.ts";
import type { Task } from "../records/task.ts";
import { findMissingPackages } from "./open-session.ts";
import type { RunningTick } from "./running-tick.ts";
import { readRules } from "./perform-judge.ts";

/** Null where no builder works on a given task. */
export async function makeStartNotice(session: RunningTick): Promise<StartNotice | null> {
  const {
    tick: { config },
    where: { repository },
    work,
  } = session;
  const { task, builder, settle } = work;
  if (task === null || builder === null) return null;
  const checks = listTaskChecks(task);
  const { templates } = config.verification;
  const { allowed_globs: allowedGlobs, lifted_paths: liftedPaths = [] } = readRules(session, task);
  return {
    agent: builder.driver.name,
    model: pickModel(session),
    allowedGlobs,
    liftedPaths,
    uncommitted: session.pinned.uncommitted.length,
    checks,
    installer: await findMissingPackages(repository.root, checks, templates),
    isCommitted: settle.onSuccess === "commit",
    branch: await findBranch(session),
    isAsked: work.ask !== null,
  };
}

async function findBranch({ tick: { config, ownBranch }, where, work }: RunningTick): Promise<string | null> {
  if (work.settle.onSuccess !== "commit" || work.commitsHere === true) return null;
  return (await findProtectedBranch(where.repository, config)) === null ? null : ownBranch;
}

export function listTaskChecks({ verification }: Task): readonly string[] {
  return verification === undefined ? [] : [...verification.fast, ...verification.slow];
}

/** The names in `models` belong to Claude Code. */
function pickModel({ tick: { config }, work }: RunningTick): string | null {
  const { name } = work.builder?.driver ?? {};
  const own = config.roles.builder.model ?? null;
  if (name === "codex") return own ?? config.builder.codex.model;
  return name === "claude_code" ? (work.builder?.model ?? null) : own;
}
