import type { Config } from "../config/config.ts";
import type { SessionRequest, SessionRole } from "./driver.ts";
import type { ClaudePermissions } from "./claude-permissions.ts";

/**
 * How Claude Code is called.
 *
 * The repository's own settings, hooks, instructions and servers are ignored: they would run or steer before anybody
 * could judge them. The text about the role goes into a file, since one argument holds no more than 128 KiB.
 */

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
    keepsNoSession: cli.no_session_persistence ?? true,
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
  /** Absent: nothing of the session is kept. */
  readonly record?: SessionRequest["record"] | undefined;
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
    ...listRecordArguments(settings, call),
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

function listRecordArguments({ keepsNoSession }: ClaudeSettings, { record }: ClaudeCall): readonly string[] {
  if (record === undefined) return keepsNoSession ? ["--no-session-persistence"] : [];
  return [record.earlier === null ? "--session-id" : "--resume", record.id];
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

/**
 * The schema of a result as Claude Code takes it.
 *
 * It compiles the schema strictly and as draft-07, and silently drops one that it cannot compile: the session then ends
 * well and is bound to nothing. So only keywords that it is known to take are handed on; the answer is validated later.
 * The service takes only a plain object at the top, so anything else is wrapped in an envelope.
 */

export const ENVELOPE_KEY = "answer";

/** Their values are taken as they stand. */
const PLAIN = [
  "type title description enum const required default",
  "minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
  "minItems maxItems uniqueItems minProperties maxProperties",
].flatMap((names) => names.split(" "));
const LISTS = ["anyOf", "oneOf", "allOf"];
/** Their value is one schema, or a list of them. */
const INNER = ["items additionalProperties contains propertyNames not if then else".split(" "), LISTS].flat();
/** Their value holds schemas by names that somebody chose. */
const NAMED = ["properties", "patternProperties", "$defs", "definitions"];
const DEFINITIONS = ["$defs", "definitions"];
const LOCAL_REFERENCE = /^#\/(?:\$defs|definitions)\/[^/]+$/u;

/** Null where the schema cannot be expressed, which makes the answer a plain text. */
export function adaptClaudeSchema(schema: object) {
  const references: unknown[] = [];
  const kept = keepKnown(schema, references);
  if (!references.every((reference) => typeof reference === "string" && LOCAL_REFERENCE.test(reference))) return null;
  const isPlain = kept["type"] === "object" && !["$ref", "not", "if", ...LISTS].some((key) => key in kept);
  if (isPlain) return { schema: kept, isEnveloped: false };
  const entries = Object.entries(kept);
  const definitions = entries.filter(([key]) => DEFINITIONS.includes(key));
  const inner = entries.filter(([key]) => !DEFINITIONS.includes(key));
  const envelope = {
    type: "object",
    properties: { [ENVELOPE_KEY]: Object.fromEntries(inner) },
    required: [ENVELOPE_KEY],
    additionalProperties: false,
    ...Object.fromEntries(definitions),
  };
  return { schema: envelope, isEnveloped: true };
}

function keepKnown(schema: object, references: unknown[]): Record<string, unknown> {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === "$ref") references.push(value);
    // With a list of first items, this key speaks of the rest of them, and alone it would speak of all.
    if (key === "items" && "prefixItems" in schema) return [];
    if (key === "$ref" || PLAIN.includes(key)) return [[key, value]];
    if (INNER.includes(key)) return [[key, keepInner(value, references)]];
    return NAMED.includes(key) && isObject(value) ? [[key, keepNamed(value, references)]] : [];
  });
  return Object.fromEntries(entries);
}

function keepNamed(schemas: object, references: unknown[]): Record<string, unknown> {
  const entries = Object.entries(schemas).map(([name, value]) => [name, keepInner(value, references)] as const);
  return Object.fromEntries(entries);
}

/** A schema may also be a boolean, and `items` of an older draft a list. */
function keepInner(value: unknown, references: unknown[]): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => keepInner(one, references));
  return isObject(value) ? keepKnown(value, references) : value;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
