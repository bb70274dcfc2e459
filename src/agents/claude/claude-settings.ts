import type * as v from "valibot";
import type { Role } from "../../contract/agents/agent.ts";
import type { Config } from "../../contract/config/config.ts";
import type { ClaudeSettings } from "./claude-arguments.ts";

const REVIEWING = {
  permission_mode: "dontAsk",
  allowed_tools: "Read,Glob,Grep",
  max_budget_usd: null,
} as const;

/** What the configuration says about the sessions of a role; what is set for the role wins. */
export function makeClaudeSettings(
  { claude_code_cli: cli, roles, models, ...config }: Config,
  role: v.InferOutput<typeof Role>,
): ClaudeSettings {
  const { fallback_models: fallbacks, effort } = roles[role];
  const { orchestrator_fallback_model: planner, builder_fallback_model: builder } = models;
  const usual = role === "orchestrator" ? planner : builder;
  const own = {
    orchestrator: config.orchestrator,
    builder: config.builder.claude_code,
    reviewer: REVIEWING,
    verifier: REVIEWING,
  }[role];
  return {
    command: cli.command,
    outputFormat: cli.output_format,
    keepsNoSession: cli.no_session_persistence,
    permissionMode: own.permission_mode,
    tools: own.allowed_tools,
    maxBudgetUsd: own.max_budget_usd,
    fallbackModels: fallbacks ?? (usual === null ? [] : [usual]),
    effort: effort ?? null,
  };
}
