/** What codex says about itself without asking a model: its version, its login, and whether it knows our options. */
import type { Environment } from "../../contract/values/environment.ts";
import { makeChildEnvironment } from "../../io/machine/environment.ts";
import { askProgram, type ProgramAnswer } from "../session/ask-program.ts";
import type { SessionRole } from "../session/driver.ts";
import { listCodexArguments, type CodexSettings } from "./codex-arguments.ts";
import { CODEX_VARIABLES } from "./codex-environment.ts";
import { type CodexProvider, findCodexProvider } from "./codex-provider.ts";
import { detectOptions, type ProgramStatus, findVersionIn } from "../session/program-status.ts";

interface LoginRequest {
  readonly program: string;
  readonly settings: CodexSettings;
  readonly environment: Environment;
  /** `env.agents`. */
  readonly names: readonly string[];
}

interface StatusRequest extends LoginRequest {
  readonly role: SessionRole;
}

export interface CodexStatus extends ProgramStatus {
  /** Another provider than the maker's, and whether the variable with its key reaches a session. */
  readonly provider: (CodexProvider & { readonly hasKey: boolean }) | null;
}

const MISSES_PROMPT = /No prompt provided/iu;

export async function readCodexStatus(request: StatusRequest): Promise<CodexStatus> {
  const { settings, role, program } = request;
  const env = makeEnvironment(request);
  const ask = (args: readonly string[]): Promise<ProgramAnswer> => askProgram({ program, args, env });
  const [version, options, login] = await Promise.all([
    ask(["--version"]),
    ask(listCodexArguments(settings, { role, cwd: "/", schemaPath: "/dev/null", tools: null })),
    readCodexLogin(request),
  ]);
  return {
    version: findVersionIn(version.stdout),
    options: detectOptions(options.stderr, MISSES_PROMPT),
    ...login,
  };
}

/** Whether it is logged in, or has the key of another provider. No model is asked. */
export async function readCodexLogin(request: LoginRequest): Promise<Pick<CodexStatus, "login" | "provider">> {
  const { environment, settings, program } = request;
  const env = makeEnvironment(request);
  const [login, provider] = await Promise.all([
    askProgram({ program, args: ["login", "status"], env }),
    findCodexProvider({ args: settings.args, environment }),
  ]);
  return {
    login: hasValue(env, "CODEX_API_KEY") ? { method: "CODEX_API_KEY" } : readLogin(login),
    provider:
      provider === null
        ? null
        : { ...provider, hasKey: provider.variable === null || hasValue(env, provider.variable) },
  };
}

function makeEnvironment({ environment, names }: LoginRequest): Readonly<Record<string, string>> {
  return makeChildEnvironment({ inherit: environment, names: [...CODEX_VARIABLES, ...names], set: {} });
}

const hasValue = (env: Readonly<Record<string, string>>, name: string): boolean => (env[name] ?? "") !== "";

/** Its answer shows a part of a key, so only its meaning is kept. */
function readLogin({ status, stdout, stderr }: ProgramAnswer): ProgramStatus["login"] {
  const words = `${stdout}\n${stderr}`;
  if (/not logged in/iu.test(words)) return "none";
  if (status !== 0) return "unknown";
  if (/chatgpt/iu.test(words)) return { method: "ChatGPT" };
  return { method: /api key/iu.test(words) ? "an API key" : "its own login" };
}
