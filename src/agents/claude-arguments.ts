/**
 * How Claude Code is called.
 *
 * The repository's own settings, hooks, instructions and servers are ignored: they would run or steer before anybody
 * could judge them. The text about the role goes into a file, since one argument holds no more than 128 KiB.
 */
import type { Config } from "../config/config.ts";
import type { SessionRole } from "./driver.ts";
import type { ClaudePermissions } from "./claude-permissions.ts";

export interface ClaudeSettings {
  readonly command: string;
  readonly outputFormat: "stream-json" | "json";
  readonly keepsNoSession: boolean;
  readonly permissionMode: string;
  readonly tools: string;
  readonly maxBudgetUsd: number | null;
  readonly fallbackModels: readonly string[];
  readonly effort: string | null;
}

const REVIEWING = {
  permission_mode: "dontAsk",
  allowed_tools: "Read,Glob,Grep",
  max_budget_usd: null,
} as const;

/** What the configuration says about the sessions of a role; what is set for the role wins. */
export function makeClaudeSettings(
  { claude_code_cli: cli, roles, models, ...config }: Config,
  role: SessionRole,
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

export interface ClaudeCall {
  readonly model: string | null;
  /** Null is no limit. */
  readonly maxTurns: number | null;
  readonly permissions: ClaudePermissions;
  /** The schema as the program takes it; null where anything goes. */
  readonly schema: object | null;
  readonly systemPath: string | null;
  /** Whether the person's own settings are needed to log in. The repository's never are. */
  readonly needsUserSettings: boolean;
}

/** A longer one would not fit into an argument. The answer is validated later, with or without it. */
const SCHEMA_BYTES_MAX = 100_000;

export function listClaudeArguments(settings: ClaudeSettings, call: ClaudeCall): readonly string[] {
  const { permissions, schema, systemPath } = call;
  const fallback = listFallbackArguments(settings, call);
  return [
    "-p",
    "--output-format",
    settings.outputFormat,
    ...(settings.outputFormat === "stream-json" ? ["--verbose"] : []),
    ...(settings.keepsNoSession ? ["--no-session-persistence"] : []),
    "--strict-mcp-config",
    "--setting-sources",
    call.needsUserSettings ? "user" : "",
    "--permission-mode",
    settings.permissionMode,
    "--tools",
    permissions.tools,
    "--settings",
    JSON.stringify({ permissions: permissions.rules }),
    ...makeOption("--max-turns", call.maxTurns),
    ...makeOption("--max-budget-usd", settings.maxBudgetUsd),
    ...makeOption("--model", call.model),
    ...makeOption("--fallback-model", fallback.length === 0 ? null : fallback.join(",")),
    ...makeOption("--effort", settings.effort),
    ...makeOption("--system-prompt-file", systemPath),
    ...(schema === null ? [] : makeSchemaArgument(schema)),
  ];
}

const makeOption = (name: string, value: string | number | null): readonly string[] =>
  value === null ? [] : [name, String(value)];

export function listFallbackArguments(
  { fallbackModels }: Pick<ClaudeSettings, "fallbackModels">,
  { model }: Pick<ClaudeCall, "model">,
): readonly string[] {
  return fallbackModels.filter((name) => name !== model);
}

function makeSchemaArgument(schema: object): readonly string[] {
  const text = JSON.stringify(schema);
  return new TextEncoder().encode(text).length > SCHEMA_BYTES_MAX ? [] : ["--json-schema", text];
}
