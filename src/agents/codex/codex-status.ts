/** What codex says about itself without asking a model: its version, its login, and whether it knows our options. */
import type * as v from "valibot";
import type { Environment } from "../../contract/values/environment.ts";
import type { Role } from "../../contract/agents/agent.ts";
import { childEnvironment } from "../../io/machine/environment.ts";
import { askProgram, type Said } from "../session/ask-program.ts";
import { codexArguments, type CodexSettings } from "./codex-arguments.ts";
import { CODEX_VARIABLES } from "./codex-environment.ts";
import { type CodexProvider, codexProvider } from "./codex-provider.ts";
import { optionsKnown, type ProgramStatus, versionIn } from "../session/program-status.ts";

interface StatusRequest {
  readonly program: string;
  readonly role: v.InferOutput<typeof Role>;
  /** Those of the role that would be played. */
  readonly settings: CodexSettings;
  readonly environment: Environment;
  /** `env.agents`. */
  readonly names: readonly string[];
}

export interface CodexStatus extends ProgramStatus {
  /** Another provider than the maker's, and whether the variable with its key reaches a session. */
  readonly provider: (CodexProvider & { readonly hasKey: boolean }) | null;
}

const MISSES_PROMPT = /No prompt provided/iu;

export async function codexStatus(request: StatusRequest): Promise<CodexStatus> {
  const { environment, names, settings, role } = request;
  const env = childEnvironment({ inherit: environment, names: [...CODEX_VARIABLES, ...names], set: {} });
  const ask = (args: readonly string[]): Promise<Said> => askProgram({ program: request.program, args, env });
  const [version, login, options, provider] = await Promise.all([
    ask(["--version"]),
    ask(["login", "status"]),
    ask(codexArguments(settings, { role, cwd: "/", schemaPath: "/dev/null", tools: null })),
    codexProvider({ args: settings.args, environment }),
  ]);
  return {
    version: versionIn(version.stdout),
    login: hasValue(env, "CODEX_API_KEY") ? { method: "CODEX_API_KEY" } : loginOf(login),
    options: optionsKnown(options.stderr, MISSES_PROMPT),
    provider:
      provider === null
        ? null
        : { ...provider, hasKey: provider.variable === null || hasValue(env, provider.variable) },
  };
}

const hasValue = (env: Readonly<Record<string, string>>, name: string): boolean => (env[name] ?? "") !== "";

/** Its words show a part of a key, so only what they mean is taken over. */
function loginOf({ status, stdout, stderr }: Said): ProgramStatus["login"] {
  const words = `${stdout}\n${stderr}`;
  if (/not logged in/iu.test(words)) return "none";
  if (status !== 0) return "unknown";
  if (/chatgpt/iu.test(words)) return { method: "ChatGPT" };
  return { method: /api key/iu.test(words) ? "an API key" : "its own login" };
}
