/**
 * The driver for OpenAI's codex, for every role.
 *
 * There is no flag for the text about the role, so it comes first in the prompt. Success is read from the events; the
 * exit status alone says too little.
 */
import { readClockMs } from "../system/clock.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import type { SessionEnd } from "../process/supervise.ts";
import { CODEX_VARIABLES, listCodexArguments, type CodexSettings } from "./codex-arguments.ts";
import { listCodexHosts } from "./codex-arguments.ts";
import { readCodexFailure } from "./codex-failure.ts";
import { adaptCodexSchema } from "./codex-arguments.ts";
import type { Driver, SessionEnding, SessionReply, SessionRequest } from "./driver.ts";
import { composeWholePrompt } from "./dropped-session.ts";
import { failSession, findSessionCut, withLastLine } from "./supervise-session.ts";
import { makeSessionVariables, superviseSession } from "./supervise-session.ts";
import { CODEX_LOG, type CodexWatch, watchCodex } from "./watch-codex.ts";

const QUOTED_CHARS_MAX = 1000;

/** The model of a request is another vendor's and is not passed on. */
export function makeCodexDriver(settings: CodexSettings): Driver {
  return {
    name: "codex",
    // Sessions that only look are kept from writing by its sandbox, and each has a drop folder of its own.
    runsSideBySide: true,
    hosts: (environment) => listCodexHosts(settings.args, environment),
    confines: () => settings.sandbox !== "danger-full-access" && !settings.args.some(opensSandbox),
    run: async (request) => {
      const schema = request.schema === null ? null : adaptCodexSchema(request.schema);
      const schemaPath = schema === null ? null : await request.drop.put("SCHEMA.json", `${JSON.stringify(schema)}\n`);
      const { role, cwd, tools = null } = request;
      const args = listCodexArguments(settings, { role, cwd, schemaPath, tools });
      return runCodex(request, {
        command: settings.command,
        args,
        input: composePrompt(request, schema === null),
      });
    },
  };
}

/** Whether a further argument, which comes last and wins, is about the sandbox. */
const opensSandbox = (argument: string): boolean => /danger|sandbox(?!_workspace_write\.exclude)|yolo/u.test(argument);

/** A schema that cannot be sent along goes into the prompt. */
function composePrompt(request: SessionRequest, tellsSchema: boolean): string {
  const prompt = composeWholePrompt(request) ?? "";
  if (request.schema === null || !tellsSchema) return prompt;
  return `${prompt}\n\nThe JSON Schema of the object that you answer with:\n\n${JSON.stringify(request.schema)}\n`;
}

async function runCodex(
  request: SessionRequest,
  { command, args, input }: { readonly command: string; readonly args: readonly string[]; readonly input: string },
): Promise<SessionReply> {
  const watch = watchCodex({
    maxTurns: request.maxTurns ?? null,
    onEvent: (event) => request.onEvent?.(event),
    nowMs: readClockMs,
  });
  const end = await superviseSession(request, {
    program: command,
    args,
    env: makeChildEnvironment({
      inherit: request.environment,
      names: [...CODEX_VARIABLES, ...request.environmentNames],
      set: { RUST_LOG: CODEX_LOG, ...makeSessionVariables(request) },
    }),
    input,
    onLine: watch.line,
    onErrorLine: watch.errorLine,
    stop: watch.stop,
  });
  const ending = readEnding(end, watch, { command, request });
  if (ending.kind === "failed" && ending.code === "STOP_RATE_LIMITED")
    request.onEvent?.({ type: "limit", text: ending.message, until: ending.until ?? null });
  const { durationMs, survivors, undead } = end;
  return { ...ending, durationMs, survivors, undead };
}

/** A session that ran out of time while it waited for its service was not too slow. */
function readEnding(
  end: SessionEnd,
  watch: CodexWatch,
  { command, request }: { readonly command: string; readonly request: SessionRequest },
): SessionEnding {
  const cut = findSessionCut(end, { program: command, outputBytesMax: request.outputBytesMax });
  if (cut?.kind === "aborted" && !request.signal.aborted) return watch.cut() ?? cut;
  if (cut?.kind === "timed-out") return watch.pending() ?? cut;
  return cut ?? readExit(end, watch);
}

/** Events and exit status must agree that it went well. */
function readExit(end: SessionEnd, watch: CodexWatch): SessionEnding {
  const { verdict, reason, message, usage } = watch.progress();
  const status = end.kind === "exited" ? end.status : 0;
  if (verdict === "failed") {
    const quoted = reason.trim().slice(0, QUOTED_CHARS_MAX);
    return { kind: "failed", ...readCodexFailure(reason, readClockMs()), message: quoted };
  }
  if (status !== 0) return failSession(`exit_${status}`, withLastLine(`it ended with exit ${status}`, end.stderr));
  if (verdict === "none") return failSession("no_verdict", "it ended without saying that it was finished");
  const result =
    message === null
      ? ({ kind: "absent", cause: "result_missing", message: "it ended without a message" } as const)
      : ({ kind: "left", data: Buffer.from(message) } as const);
  return { kind: "finished", result, usage };
}
