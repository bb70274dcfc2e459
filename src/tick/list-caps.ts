import type { DryCaps } from "../records/dry-run.ts";
import { findTurnLimit } from "./pure/turn-limit.ts";
import type { ReadyAgent, RunningSession } from "./tick-session.ts";

/** The most that a tick may cost, as the configuration and the task limit it. */
export function listCaps(session: RunningSession): DryCaps {
  const { config, work } = session;
  const { orchestrator, builder, review } = work;
  const retries = orchestrator === null ? 0 : config.orchestrator.max_parse_retries_per_tick;
  return {
    sessions: countSessions(orchestrator) + retries + countSessions(builder) + (review?.plan.reviewers.length ?? 0),
    seconds: work.maxSeconds ?? config.runner.max_tick_seconds,
    turns: findTurns(session),
    dollars: findDollars(session),
  };
}

const countSessions = (agent: ReadyAgent | null): number => (agent === null ? 0 : 1 + agent.fallbacks.length);

function findTurns({ work: { builder, task, usualTurns } }: RunningSession): number | null {
  if (builder === null) return null;
  const { limits } = builder;
  const configured = { max: limits.maxTurns, key: limits.keys.turns };
  const limit = findTurnLimit({ configured, usual: usualTurns ?? null, task: task ?? {}, isOwnTask: task !== null });
  return limit?.max ?? null;
}

function findDollars({ config, work }: RunningSession): number | null {
  const { per_milestone, per_run } = config.budgets;
  const ofClaude = work.builder?.driver.name === "claude_code" ? config.builder.claude_code.max_budget_usd : null;
  const caps = [ofClaude, per_milestone.max_estimated_cost_usd, per_run.max_estimated_cost_usd];
  const set = caps.filter((cap) => cap !== null);
  return set.length === 0 ? null : Math.min(...set);
}
