/** What Claude Code finds in its environment, besides what every session is given. */
import { join } from "node:path";
import * as v from "valibot";
import type { Environment } from "../base/environment.ts";
import { readBounded } from "../system/bounded-file.ts";

/** Where it keeps its login, and how it reaches a model at another provider. */
const LOGIN_NAMES = [
  "CLAUDE_CONFIG_DIR CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
  "CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_SKIP_BEDROCK_AUTH CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_SKIP_VERTEX_AUTH",
  "CLAUDE_CODE_USE_FOUNDRY CLAUDE_CODE_SKIP_FOUNDRY_AUTH",
  "CLAUDE_CODE_CLIENT_CERT CLAUDE_CODE_CLIENT_KEY CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
].flatMap((names) => names.split(" "));
const LOGIN_PREFIX = "ANTHROPIC_";

/** A request is repeated this often; by default it would be ten times, for three minutes. */
const RETRIES = 2;
/** It turns to another model only after the third refusal. */
const RETRIES_BEFORE_FALLBACK = 4;

export function listClaudeLoginNames(inherited: Environment): readonly string[] {
  return [...LOGIN_NAMES, ...Object.keys(inherited).filter((name) => name.startsWith(LOGIN_PREFIX))];
}

/**
 * Bounded, quiet, and without background work. Attachments are off, because `@name` in a prompt would read that file
 * into the conversation, even for a session without tools.
 */
export function makeClaudeVariables({ hasFallback }: { readonly hasFallback: boolean }): Record<string, string> {
  return {
    // The only place where it says how long a service asks it to wait; bodies and keys are left out of it.
    ANTHROPIC_LOG: "debug",
    CLAUDE_CODE_MAX_RETRIES: String(hasFallback ? RETRIES_BEFORE_FALLBACK : RETRIES),
    CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
  };
}

const SETTINGS_BYTES_MAX = 4 * 1024 * 1024;
const HELPERS = ["apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh", "proxyAuthHelper"];
const LOGIN_VARIABLE = /^(?:ANTHROPIC_|CLAUDE_CODE_|AWS_|GOOGLE_|CLOUD_ML_|VERTEX_|HTTPS?_PROXY$)/u;

/**
 * Whether a person's own settings of Claude Code are needed to log in.
 *
 * They also hold hooks, instructions and permissions, which do not belong into a judged session. So they are used only
 * where a login would fail without them: a helper gives the key, or the address of the service is set there.
 */
export async function needsUserSettings(variables: Environment): Promise<boolean> {
  const text = await readSettings(variables);
  // Settings behind a link are ordinary settings too; the program reads them itself.
  return text === null || holdsLogin(text);
}

/** Empty where there are none, null where they cannot be read. */
async function readSettings({ CLAUDE_CONFIG_DIR: folder, HOME: home }: Environment): Promise<string | null> {
  const place = folder ?? (home === undefined ? null : join(home, ".claude"));
  if (place === null) return "";
  const read = await readBounded(join(place, "settings.json"), SETTINGS_BYTES_MAX);
  if (read.kind === "refused") return null;
  return read.kind === "read" ? read.data.toString("utf8") : "";
}

/** The model, and where a login is renewed. */
const HOSTS = ["api.anthropic.com", "platform.claude.com", "console.anthropic.com", "claude.ai"];
const BASE_URL = /^ANTHROPIC_(?:[A-Z]+_)?BASE_URL$/u;

/** The hosts that it needs: its maker's, and that of another address, by variable or in a person's own settings. */
export async function listClaudeHosts(variables: Environment): Promise<readonly string[]> {
  const settings = v.safeParse(v.pipe(v.string(), v.parseJson(), Settings), (await readSettings(variables)) ?? "");
  const named = Object.entries({ ...(settings.success ? settings.output.env : {}), ...variables });
  const addresses = named.flatMap(([name, value]) => (BASE_URL.test(name) && typeof value === "string" ? [value] : []));
  return [...HOSTS, ...addresses];
}

const Settings = v.looseObject({ env: v.optional(v.record(v.string(), v.unknown()), {}) });

/** What cannot be read holds no login that the program could use. */
function holdsLogin(text: string): boolean {
  const settings = v.safeParse(v.pipe(v.string(), v.parseJson(), Settings), text);
  if (!settings.success) return false;
  const { env, ...rest } = settings.output;
  return (
    HELPERS.some((helper) => Object.hasOwn(rest, helper)) || Object.keys(env).some((name) => LOGIN_VARIABLE.test(name))
  );
}
