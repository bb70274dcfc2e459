/** What Claude Code says about itself without asking a model: which version it is, and whether it is logged in. */
import * as v from "valibot";
import { childEnvironment } from "../io/environment.ts";
import { supervise } from "../io/supervise.ts";
import { claudeLoginNames, claudeVariables } from "./claude-environment.ts";

interface StatusRequest {
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `env.agents`. */
  readonly names: readonly string[];
}

export interface ClaudeStatus {
  /** Null where it does not say. */
  readonly version: string | null;
  /** The kind of login, never the login itself; null is none. */
  readonly login: { readonly method: string } | "none" | "unknown";
}

const DEADLINE_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024;
const VERSION = /^(?<version>\d+\.\d+\.\d+[\w.+-]{0,40})/u;
const Login = v.object({ loggedIn: v.boolean(), authMethod: v.optional(v.string(), "unknown") });
const METHOD_CHARS_MAX = 40;

export async function claudeStatus(request: StatusRequest): Promise<ClaudeStatus> {
  const [version, login] = await Promise.all([
    answerOf(request, ["--version"]),
    answerOf(request, ["auth", "status", "--json"]),
  ]);
  return { version: VERSION.exec(version.trim())?.groups?.["version"] ?? null, login: loginOf(login) };
}

function loginOf(text: string): ClaudeStatus["login"] {
  const login = v.safeParse(v.pipe(v.string(), v.parseJson(), Login), text);
  if (!login.success) return "unknown";
  return login.output.loggedIn ? { method: login.output.authMethod.slice(0, METHOD_CHARS_MAX) } : "none";
}

/** Asked outside of the repository, whose settings have no say in it. */
async function answerOf(
  { program, environment, names }: StatusRequest,
  args: readonly string[],
): Promise<string> {
  const end = await supervise({
    program,
    args,
    cwd: "/",
    env: childEnvironment({
      inherit: environment,
      names: [...claudeLoginNames(environment), ...names],
      set: claudeVariables({ hasFallback: false }),
    }),
    input: null,
    log: null,
    stdoutBytesMax: OUTPUT_BYTES_MAX,
    stderrBytesMax: 0,
    deadlineMs: DEADLINE_MS,
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  return end.kind === "exited" ? end.stdout.toString("utf8") : "";
}
