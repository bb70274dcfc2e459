/**
 * The driver for OpenAI's codex, for every role.
 *
 * There is no flag for what a session is told about its role, so that stands first in the prompt. Whether it went well
 * is read from the stream of its events; the exit status alone says too little.
 */
import { join } from "node:path";
import { unreachable } from "../contract/invariant.ts";
import { currentTimeMs } from "../io/clock.ts";
import { childEnvironment } from "../io/environment.ts";
import { tickMarker } from "../io/reap-session.ts";
import { type SessionEnd, supervise } from "../io/supervise.ts";
import { codexArguments, type CodexSettings } from "./codex-arguments.ts";
import { advance, codexEvents, type CodexProgress, NO_PROGRESS, readCodexLine } from "./codex-events.ts";
import { codexFailure } from "./codex-failure.ts";
import { codexSchema } from "./codex-schema.ts";
import type { Driver, SessionReply, SessionRequest } from "./driver.ts";
import { wholePrompt } from "./dropped-session.ts";
import { outputLines } from "./output-lines.ts";

const TRANSCRIPT_BYTES_MAX = 8 * 1024 * 1024;
const QUOTED_BYTES_MAX = 64 * 1024;
const QUOTED_CHARS_MAX = 1000;

/** Where it finds its settings and its login, besides what every session is given. */
const OWN_VARIABLES = ["CODEX_HOME", "CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"];

/** The driver for codex with these settings; the model of a request is another vendor's and is not passed on. */
export function codexDriver(settings: CodexSettings): Driver {
  return {
    name: "codex",
    // Sessions that only look are kept from writing by its sandbox, and each has a drop folder of its own.
    runsSideBySide: true,
    run: async (request) => {
      const schema = request.schema === null ? null : codexSchema(request.schema);
      const schemaPath =
        schema === null ? null : await request.drop.put("SCHEMA.json", `${JSON.stringify(schema)}\n`);
      const args = codexArguments(settings, { role: request.role, schemaPath });
      return runCodex(request, {
        command: settings.command,
        args,
        input: promptOf(request, schema === null),
      });
    },
  };
}

/** What it is told. A schema that cannot be sent along is told as well. */
function promptOf(request: SessionRequest, tellsSchema: boolean): string {
  const prompt = wholePrompt(request) ?? "";
  if (request.schema === null || !tellsSchema) return prompt;
  return `${prompt}\n\nThe JSON Schema of the object that you answer with:\n\n${JSON.stringify(request.schema)}\n`;
}

interface Call {
  readonly command: string;
  readonly args: readonly string[];
  readonly input: string;
}

async function runCodex(request: SessionRequest, { command, args, input }: Call): Promise<SessionReply> {
  let progress: CodexProgress = NO_PROGRESS;
  const lines = outputLines((text) => {
    const line = readCodexLine(text);
    if (line === null) return;
    progress = advance(progress, line);
    for (const event of codexEvents(line)) request.onEvent?.(event);
  });
  const end = await supervise({
    program: command,
    args,
    cwd: request.cwd,
    env: environmentOf(request),
    input,
    log: { path: join(request.runDirectory, `${sessionName(request)}.log`), bytesMax: TRANSCRIPT_BYTES_MAX },
    stdoutBytesMax: 0,
    stderrBytesMax: QUOTED_BYTES_MAX,
    deadlineMs: request.timeoutMs,
    idleTimeoutMs: request.idleTimeoutMs,
    outputBytesMax: request.outputBytesMax,
    signal: request.signal,
    marker: tickMarker(request.runId),
    onOutput: (chunk, stream) => {
      if (stream === "stdout") lines.take(chunk);
    },
  });
  lines.end();
  const ending = endingOf(end, { progress, outputBytesMax: request.outputBytesMax, program: command });
  if (ending.kind === "failed" && ending.code === "STOP_RATE_LIMITED")
    request.onEvent?.({ type: "limit", text: ending.message, until: ending.until ?? null });
  const { durationMs, survivors, undead } = end;
  return { ...ending, durationMs, survivors, undead };
}

function sessionName({ role, name }: SessionRequest): string {
  return name === undefined ? role : `${role}-${name}`;
}

function environmentOf({ runId, role, name, drop, environmentNames }: SessionRequest) {
  return childEnvironment({
    inherit: process.env,
    names: [...OWN_VARIABLES, ...environmentNames],
    set: {
      RELAIS_RUN_ID: runId,
      RELAIS_ROLE: role,
      RELAIS_DROP: drop.path,
      ...(name === undefined ? {} : { RELAIS_REVIEWER: name }),
    },
  });
}

type Without<T> = T extends unknown ? Omit<T, "durationMs" | "survivors" | "undead"> : never;
type Ending = Without<SessionReply>;

interface Session {
  readonly progress: CodexProgress;
  readonly outputBytesMax: number;
  readonly program: string;
}

function endingOf(end: SessionEnd, session: Session): Ending {
  switch (end.kind) {
    case "exited":
      return exited(end, session.progress);
    case "signalled":
      return failed(`signal_${end.signal}`, `it ended with signal ${end.signal}`);
    case "timed-out":
      return { kind: "timed-out", limit: "time" };
    case "idle":
      return { kind: "timed-out", limit: "idle" };
    case "output-limit": {
      const message = `it printed more than ${session.outputBytesMax} bytes`;
      return { kind: "failed", code: "STOP_OUTPUT_LIMIT", cause: "output_limit", message };
    }
    case "aborted":
      return { kind: "aborted" };
    case "not-started":
      if (end.reason === "not-found" || end.reason === "not-executable")
        return { kind: "not-found", program: session.program, message: end.message };
      return failed(`not_started_${end.reason.replace("-", "_")}`, end.message);
    default:
      return unreachable(end);
  }
}

const failed = (cause: string, message: string): Ending => ({
  kind: "failed",
  code: "STOP_INTERRUPTED",
  cause,
  message,
});

/** Both have to agree that it went well, the events and the exit. */
function exited(
  { status, stderr }: Extract<SessionEnd, { kind: "exited" }> & Pick<SessionEnd, "stderr">,
  { verdict, reason, message, usage }: CodexProgress,
): Ending {
  if (verdict === "failed") {
    const quoted = reason.trim().slice(0, QUOTED_CHARS_MAX);
    return { kind: "failed", ...codexFailure(reason, currentTimeMs()), message: quoted };
  }
  if (status !== 0) {
    const said = lastLine(stderr);
    return failed(`exit_${status}`, `it ended with exit ${status}${said === "" ? "" : `: ${said}`}`);
  }
  if (verdict === "none") return failed("no_verdict", "it ended without saying that it was finished");
  const result =
    message === null
      ? ({ kind: "absent", cause: "result_missing", message: "it ended without a message" } as const)
      : ({ kind: "left", data: Buffer.from(message) } as const);
  return { kind: "finished", result, usage };
}

function lastLine(stderr: Buffer): string {
  const lines = stderr.toString("utf8").split("\n");
  return (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, QUOTED_CHARS_MAX);
}
