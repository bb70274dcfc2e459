/** What Claude Code says about itself without asking a model: version, login, and whether it knows our options. */
import * as v from "valibot";
import { makeChildEnvironment } from "../system/child-environment.ts";
import {
  askProgram,
  type ProgramAnswer,
  type LoginRequest,
  type OptionsKnown,
  detectOptions,
  type ProgramStatus,
  type StatusAnswers,
  findVersionIn,
} from "./program-status.ts";
import { listClaudeArguments, type ClaudeSettings } from "./claude-arguments.ts";
import { listClaudeLoginNames, makeClaudeVariables } from "./claude-environment.ts";

interface StatusRequest extends LoginRequest {
  readonly settings: ClaudeSettings;
}

const Login = v.object({ loggedIn: v.boolean(), authMethod: v.optional(v.string(), "unknown") });
const LOGIN = ["auth", "status", "--json"];
const METHOD_CHARS_MAX = 40;
const MISSES_PROMPT = /Input must be provided/iu;
const ROOT_REFUSAL = /cannot be used with root\/sudo privileges/u;

export async function readClaudeStatus(request: StatusRequest): Promise<ProgramStatus> {
  const [version, login, options] = await Promise.all([
    ask(request, ["--version"]),
    ask(request, LOGIN),
    ask(request, listSessionArguments(request.settings)),
  ]);
  return parseClaudeStatus({ version, login, options });
}

export function parseClaudeStatus({ version, login, options }: StatusAnswers): ProgramStatus {
  return {
    version: findVersionIn(version.stdout),
    login: parseClaudeLogin(login.stdout),
    options: readOptions(options),
  };
}

/** Whether it is logged in. No model is asked. */
export async function readClaudeLogin(request: LoginRequest): Promise<ProgramStatus["login"]> {
  return parseClaudeLogin((await ask(request, LOGIN)).stdout);
}

export function parseClaudeLogin(text: string): ProgramStatus["login"] {
  const login = v.safeParse(v.pipe(v.string(), v.parseJson(), Login), text);
  if (!login.success) return "unknown";
  return login.output.loggedIn ? { method: login.output.authMethod.slice(0, METHOD_CHARS_MAX) } : "none";
}

function listSessionArguments(settings: ClaudeSettings): readonly string[] {
  return listClaudeArguments(settings, {
    model: "sonnet",
    maxTurns: 1,
    permissions: { tools: "", rules: { allow: [], deny: [] } },
    schema: { type: "object" },
    systemPath: "/dev/null",
    needsUserSettings: false,
  });
}

/** As root it refuses a permission mode before it misses the prompt; doctor reports that elsewhere. */
function readOptions({ stderr }: ProgramAnswer): OptionsKnown {
  return ROOT_REFUSAL.test(stderr) ? { kind: "known" } : detectOptions(stderr, MISSES_PROMPT);
}

function ask({ program, environment, names }: LoginRequest, args: readonly string[]): Promise<ProgramAnswer> {
  const env = makeChildEnvironment(
    environment,
    [...listClaudeLoginNames(environment), ...names],
    makeClaudeVariables({ hasFallback: false }),
  );
  return askProgram(program, args, env);
}
