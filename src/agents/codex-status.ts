/** What codex says about itself without asking a model: its version, its login, and whether it knows our options. */
import { makeChildEnvironment } from "../system/child-environment.ts";
import {
  askProgram,
  type ProgramAnswer,
  detectOptions,
  type LoginRequest,
  type ProgramStatus,
  type StatusAnswers,
  findVersionIn,
} from "./program-status.ts";
import type { SessionRole } from "./driver.ts";
import { CODEX_VARIABLES, type CodexSettings, listCodexArguments, readCodexSettings } from "./codex-arguments.ts";

interface CodexLoginRequest extends LoginRequest {
  readonly settings: CodexSettings;
}

interface StatusRequest extends CodexLoginRequest {
  readonly role: SessionRole;
}

interface CodexProvider {
  readonly name: string;
  /** The variable that holds its key; null where none is named. */
  readonly variable: string | null;
}

export interface CodexStatus extends ProgramStatus {
  /** Another provider than the maker's, and whether the variable with its key reaches a session. */
  readonly provider: (CodexProvider & { readonly hasKey: boolean }) | null;
}

const LOGIN = ["login", "status"];
const MISSES_PROMPT = /No prompt provided/iu;

export async function readCodexStatus(request: StatusRequest): Promise<CodexStatus> {
  const { settings, role, program } = request;
  const env = makeEnvironment(request);
  const ask = (args: readonly string[]): Promise<ProgramAnswer> => askProgram(program, args, env);
  const [version, options, login, own] = await Promise.all([
    ask(["--version"]),
    ask(listCodexArguments(settings, { role, cwd: "/", schemaPath: "/dev/null", tools: null })),
    ask(LOGIN),
    readCodexSettings(request.environment),
  ]);
  return parseCodexStatus({ version, options, login }, { env, args: settings.args, own });
}

/** What an answer of codex is read with. */
interface CodexSurroundings {
  /** Of its sessions. */
  readonly env: Readonly<Record<string, string>>;
  /** Of the configuration of relais. */
  readonly args: readonly string[];
  /** The text of its own settings. */
  readonly own: string;
}

export function parseCodexStatus({ version, options, login }: StatusAnswers, around: CodexSurroundings): CodexStatus {
  return {
    version: findVersionIn(version.stdout),
    options: detectOptions(options.stderr, MISSES_PROMPT),
    ...readAccount(login, around),
  };
}

/** Whether it is logged in, or has the key of another provider. No model is asked. */
export async function readCodexLogin(request: CodexLoginRequest): Promise<Pick<CodexStatus, "login" | "provider">> {
  const { environment, settings, program } = request;
  const env = makeEnvironment(request);
  const [login, own] = await Promise.all([askProgram(program, LOGIN, env), readCodexSettings(environment)]);
  return readAccount(login, { env, args: settings.args, own });
}

function readAccount(login: ProgramAnswer, { env, args, own }: CodexSurroundings) {
  const provider = findProvider(args, own);
  return {
    login: hasValue(env, "CODEX_API_KEY") ? { method: "CODEX_API_KEY" } : parseCodexLogin(login),
    provider:
      provider === null
        ? null
        : { ...provider, hasKey: provider.variable === null || hasValue(env, provider.variable) },
  };
}

function makeEnvironment({ environment, names }: LoginRequest): Readonly<Record<string, string>> {
  return makeChildEnvironment(environment, [...CODEX_VARIABLES, ...names], {});
}

const hasValue = (env: Readonly<Record<string, string>>, name: string): boolean => (env[name] ?? "") !== "";

/** Its answer shows a part of a key, so only its meaning is kept. */
export function parseCodexLogin({ status, stdout, stderr }: ProgramAnswer): ProgramStatus["login"] {
  const words = `${stdout}\n${stderr}`;
  if (/not logged in/iu.test(words)) return "none";
  if (status !== 0) return "unknown";
  if (/chatgpt/iu.test(words)) return { method: "ChatGPT" };
  return { method: /api key/iu.test(words) ? "an API key" : "its own login" };
}

const PROVIDER = /^[ \t]*model_provider[ \t]*=[ \t]*["']?(?<name>[\w.-]{1,80})["']?/mu;
const KEY = /^[ \t]*env_key[ \t]*=[ \t]*["'](?<name>\w{1,80})["']/mu;
const TABLE = /^[ \t]*\[/mu;
const MAKER = "openai";

/**
 * The provider that codex asks, if a person chose another one than its maker; null where the settings do not say.
 *
 * Such a provider needs no login with codex; it may need a variable with a key, which has to reach the session. Only
 * the usual form of these settings is understood. Arguments of the configuration win over the person's own settings.
 */
export function findProvider(args: readonly string[], settings: string): CodexProvider | null {
  const name = findName(args.join("\n")) ?? findName(cutTables(settings));
  if (name === undefined || name === MAKER) return null;
  return { name, variable: KEY.exec(findTable(name, settings))?.groups?.["name"] ?? null };
}

const findName = (text: string): string | undefined => PROVIDER.exec(text)?.groups?.["name"];
const cutTables = (text: string): string => text.split(TABLE, 1)[0] ?? "";

/** The lines below the heading of a provider, up to the next heading. */
function findTable(name: string, settings: string): string {
  const heading = [name, `"${name}"`, `'${name}'`].map((one) => `model_providers.${one}]`);
  const tables = settings.split(TABLE).slice(1);
  const table = tables.find((one) => heading.some((text) => one.startsWith(text))) ?? "";
  return table.slice(table.indexOf("]") + 1);
}
