/** The configuration of a world, by its plan. */
import * as v from "valibot";
import { Config } from "../../../src/config/config.ts";
import type { Budget } from "./plan.ts";
import type { World } from "./world.ts";

interface ModelConfig {
  readonly config: Config;
  readonly text: string;
}

const known = new WeakMap<World, ModelConfig>();

export function readModelConfig(world: World): ModelConfig {
  const found = known.get(world) ?? makeConfig(world);
  known.set(world, found);
  return found;
}

export const REVIEWERS = ["completion", "evidence", "risk"] as const;

const template = (id: string) => ({ id, cmd: "true", args: [] });

function makeConfig({ plan }: World): ModelConfig {
  const fallbacks = plan.fallbacks === 0 ? {} : { fallbacks: [{ driver: "codex" }] };
  const reviewers = REVIEWERS.slice(0, plan.reviewers);
  const role = { driver: "command", timeout_seconds: 600, idle_timeout_seconds: 300, ...fallbacks };
  const document = {
    workspace_dir: "relais",
    runner: { max_tick_seconds: plan.seed % 3 === 0 ? 700 : 1800 },
    builder: { default_mode: "command", command: { command: "agent", args: [] } },
    roles: { orchestrator: role, builder: role, reviewer: role, verifier: role },
    scope: { default_allowed_globs: ["src/**"], default_forbidden_globs: ["secret/**"] },
    verification: {
      templates: [template("fast"), template("slow")],
      baseline: plan.baseline ? "always" : "off",
      timeout_fast_seconds: 60,
      timeout_slow_seconds: 300,
    },
    review: { reviewers, quorum: plan.reviewers === 0 ? null : Math.min(plan.quorum, plan.reviewers) },
    budgets: makeBudgets(plan.budget),
    git: { commit: plan.workflow === "run" ? "loop" : "always" },
    settle: plan.settle,
    ask_timeout_seconds: 7200,
    // The model of git has no files of a repository that tell agents anything.
    project_files: [],
    isolation: "in_place",
    sandbox: "off",
    loop: { on_stop: plan.onStop, soft_stop_at_warning: false, max_wait_seconds: 7200 },
    tree: { guard: ["true"], max_attempts: 2, max_iterations: 12 },
    goal: { max_turns: 4, reviewers: [...REVIEWERS], review_quorum: Math.min(3, plan.quorum), checks: ["fast"] },
    campaign: { max_iterations: 8, verifiers: 1 + (plan.seed % 2) },
  };
  return { config: v.parse(Config, document), text: JSON.stringify(document) };
}

function makeBudgets(budget: Budget): object {
  const { builder, orchestrator, reviewer, verify, ticks, dollars, isOfMilestone } = budget;
  const caps = {
    ...(builder === null ? {} : { max_builder_calls: builder }),
    ...(orchestrator === null ? {} : { max_orchestrator_calls: orchestrator }),
    ...(reviewer === null ? {} : { max_reviewer_calls: reviewer }),
    ...(verify === null ? {} : { max_verify_runs: verify }),
    ...(ticks === null ? {} : { max_ticks: ticks }),
    ...(dollars === null ? {} : { max_estimated_cost_usd: dollars }),
  };
  return { [isOfMilestone ? "per_milestone" : "per_run"]: caps };
}
