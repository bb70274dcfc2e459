import type { Config } from "../config/config.ts";
import type { SessionRequest, SessionRole } from "./driver.ts";
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { readBounded } from "../system/bounded-file.ts";

/**
 * How codex is called.
 *
 * Switches are given as settings (`-c`) and not as flags where both exist: an unknown setting is ignored, an unknown
 * flag keeps the program from starting. Codex bounds its retries itself; only the endless ones, on a refused
 * connection, are switched off.
 */

/** Where codex finds its settings and its login, besides what every session is given. */
export const CODEX_VARIABLES = ["CODEX_HOME", "CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"];

export interface CodexSettings extends Pick<Config["builder"]["codex"], "sandbox"> {
  readonly args: readonly string[];
  readonly command: string;
  /** Null is the program's own choice. */
  readonly model: string | null;
  readonly effort: string | null;
}

/** What the configuration says about codex for a role. The names of `models` belong to another vendor. */
export function makeCodexSettings({ builder: { codex }, roles }: Config, role: SessionRole): CodexSettings {
  const { model, effort } = roles[role];
  return { ...codex, model: model ?? codex.model, effort: effort ?? null };
}

/** No reports, no downloads, and no endless retries. */
const ALWAYS = [
  "analytics.enabled=false",
  "features.plugins=false",
  "features.apps=false",
  "features.unbounded_connection_retries=false",
  // A change may contain the repository's AGENTS.md, so it is ignored unless the configuration asks for it.
  "project_doc_max_bytes=0",
  "skills.include_instructions=false",
] as const;

/** An orchestrator only answers, so it gets no tools. A patch, which is left then, is refused by the sandbox. */
const WITHOUT_TOOLS = [
  "features.shell_tool=false",
  "features.unified_exec=false",
  "features.goals=false",
  "features.multi_agent=false",
  "features.view_image=false",
  'web_search="disabled"',
] as const;

/** What is switched off unless one of these names is among the tools of a session. */
const UNLESS_NAMED: readonly (readonly [names: readonly string[], settings: readonly string[]])[] = [
  [
    ["shell", "Bash"],
    ["features.shell_tool=false", "features.unified_exec=false"],
  ],
  [["multi_agent", "Task"], ["features.multi_agent=false"]],
  [["view_image"], ["features.view_image=false"]],
  [["web_search", "WebSearch"], ['web_search="disabled"']],
];

/** Codex knows no rules in parentheses, so the tool is there without its rule; what it changes is judged anyway. */
function listNarrowingSettings(tools: readonly string[]): readonly string[] {
  const names = new Set(tools.map((tool) => tool.split("(", 1)[0]));
  return UNLESS_NAMED.flatMap(([known, settings]) => (known.some((name) => names.has(name)) ? [] : settings));
}

interface CodexCall {
  readonly role: SessionRole;
  /** The folder that the session works in, without links. */
  readonly cwd: string;
  readonly tools: readonly string[] | null;
  /** Null where the schema is not sent. */
  readonly schemaPath: string | null;
  /** Absent: nothing of the session is kept. */
  readonly record?: SessionRequest["record"] | undefined;
  /** A folder for its databases, because they would tell of a kept session in the person's own folder. */
  readonly databases?: string;
}

/**
 * A session that may write would make codex note the repository as trusted in the person's own settings. From then on
 * `.codex/config.toml` of the repository would start servers, outside of any sandbox, before a model is asked.
 */
function distrust(folder: string): string {
  return `projects={${JSON.stringify(folder)}={trust_level="untrusted"}}`;
}

const makeSetting = (name: string, value: string | null): readonly string[] =>
  value === null ? [] : [`${name}=${JSON.stringify(value)}`];

/** Arguments of the configuration come last, so that they win. */
export function listCodexArguments(
  { sandbox, args, model, effort }: CodexSettings,
  { role, cwd, schemaPath, tools, record, databases }: CodexCall,
): readonly string[] {
  const settings = [
    ...ALWAYS,
    distrust(cwd),
    ...(role === "orchestrator" ? WITHOUT_TOOLS : []),
    ...(tools === null ? [] : listNarrowingSettings(tools)),
    ...makeSetting("model_reasoning_effort", effort),
    ...makeSetting("sqlite_home", databases ?? null),
  ];
  return [
    "exec",
    "--json",
    ...(record === undefined ? ["--ephemeral"] : []),
    "--sandbox",
    role === "builder" ? sandbox : "read-only",
    ...settings.flatMap((setting) => ["-c", setting]),
    ...(schemaPath === null ? [] : ["--output-schema", schemaPath]),
    ...(model === null ? [] : ["--model", model]),
    // The prompt comes on standard input, where its length and its first characters do no harm.
    ...(record?.earlier ? [...args, "resume", record.id, "-"] : ["-", ...args]),
  ];
}

const SETTINGS_BYTES_MAX = 4 * 1024 * 1024;
/** The model, by key and by subscription, and where a login is renewed. */
const HOSTS = ["api.openai.com", "chatgpt.com", "auth.openai.com"];
const BASE_URL = /\bbase_url["']?[ \t]*=[ \t]*["']?(?<url>https?:\/\/[^\s"']{1,300})/gu;

/** The hosts that codex needs: its maker's, and those of other addresses in the variables, settings and arguments. */
export async function listCodexHosts(args: readonly string[], environment: Environment): Promise<readonly string[]> {
  const settings = `${await readCodexSettings(environment)}\n${args.join("\n")}`;
  const addresses = [...settings.matchAll(BASE_URL)].flatMap(({ groups }) => groups?.["url"] ?? []);
  return [...HOSTS, ...addresses, ...(environment["OPENAI_BASE_URL"] ? [environment["OPENAI_BASE_URL"]] : [])];
}

/** A person's own settings of codex; empty where there are none. */
export async function readCodexSettings({ CODEX_HOME: named = "", HOME: home }: Environment): Promise<string> {
  const folder = named === "" && home !== undefined ? join(home, ".codex") : named;
  if (folder === "") return "";
  const read = await readBounded(join(folder, "config.toml"), SETTINGS_BYTES_MAX);
  return read.kind === "read" ? read.data.toString("utf8") : "";
}

/**
 * A schema as the Responses API takes it for strict output.
 *
 * Every object must be closed and every property required, alternatives are allowed only below the top, and other
 * keywords are refused. Keywords that merely narrow a value are left out, because the answer is validated afterwards.
 * A property with a default can be asked for in any case. If the rest cannot be expressed, such as another optional
 * property, the schema goes into the prompt instead.
 */

type SchemaNode = Readonly<Record<string, unknown>>;

/** Null where the schema cannot be expressed. */
export function adaptCodexSchema(schema: object): SchemaNode | null {
  const node = { ...schema };
  return isRecord(node) && isRecord(node["properties"]) ? adapt(node) : null;
}

const isRecord = (value: unknown): value is SchemaNode =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function adapt(value: unknown): SchemaNode | null {
  if (!isRecord(value)) return null;
  if (isRecord(value["properties"])) return adaptObject(value, value["properties"]);
  const alternatives = value["anyOf"] ?? value["oneOf"];
  if (Array.isArray(alternatives)) return adaptAlternatives(alternatives);
  if (value["type"] === "array") {
    const items = adapt(value["items"]);
    return items === null ? null : { type: "array", items };
  }
  return adaptValue(value);
}

function adaptObject(value: SchemaNode, properties: SchemaNode): SchemaNode | null {
  const required: unknown = value["required"];
  const names = Object.keys(properties);
  const isClosed = value["additionalProperties"] === false;
  const isSayable = (name: string): boolean => {
    const property = properties[name];
    return (Array.isArray(required) && required.includes(name)) || (isRecord(property) && "default" in property);
  };
  if (!isClosed || !names.every(isSayable)) return null;
  const parts: [string, SchemaNode][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const part = adapt(property);
    if (part === null) return null;
    parts.push([name, part]);
  }
  return {
    type: "object",
    properties: Object.fromEntries(parts),
    required: names,
    additionalProperties: false,
  };
}

function adaptAlternatives(alternatives: readonly unknown[]): SchemaNode | null {
  const parts = alternatives.map(adapt);
  return parts.every((part) => part !== null) ? { anyOf: parts } : null;
}

const PLAIN_TYPES = ["string", "number", "integer", "boolean", "null"];

function adaptValue({ type, enum: values, const: only }: SchemaNode): SchemaNode | null {
  const choices = values ?? (only === undefined ? undefined : [only]);
  const kind = type ?? (typeof only === "string" ? "string" : undefined);
  if (typeof kind !== "string" || !PLAIN_TYPES.includes(kind)) return null;
  return choices === undefined ? { type: kind } : { type: kind, enum: choices };
}
