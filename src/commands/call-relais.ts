/** Calls a command of relais in a process of its own and reads the one document that it prints with `--json`. */
import * as v from "valibot";
import { describeError } from "../base/describe-error.ts";
import { type RelaisEnd, type RelaisRequest, runRelais } from "../process/run-relais.ts";

/**
 * What an answer may have. It is sent twice, as data and as text in quotes, and clients read messages of at most ten
 * megabytes.
 */
const BYTES_MAX = 2 * 1024 * 1024;

const AnyDocument = v.record(v.string(), v.unknown());
export type AnyDocument = v.InferOutput<typeof AnyDocument>;

export interface CalledAnswer {
  /** Whether the command ended with status 0. */
  readonly isOk: boolean;
  readonly document: AnyDocument;
}

export type RelaisCall = Omit<RelaisRequest, "bytesMax">;

export async function callRelais(call: RelaisCall): Promise<CalledAnswer> {
  const [command = ""] = call.args;
  try {
    return readAnswer(command, await runRelais({ ...call, bytesMax: BYTES_MAX }));
  } catch (error) {
    return fail("not_started", `relais ${command} could not be started: ${describeError(error)}`);
  }
}

function readAnswer(command: string, { end, stdout, isTooLong, lastLines }: RelaisEnd): CalledAnswer {
  const ended = `relais ${command} ended with ${typeof end === "number" ? `status ${end}` : end}`;
  if (isTooLong) return fail("too_large", `${ended}, but its answer has more than ${BYTES_MAX} bytes.`);
  const document = parseDocument(stdout);
  return document === null
    ? fail("no_answer", `${ended} and without an answer.`, lastLines)
    : { isOk: end === 0, document };
}

function parseDocument(text: string): AnyDocument | null {
  try {
    const parsed = v.safeParse(AnyDocument, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

const REMEDIES = {
  not_started: "Check the folder that `relais mcp` was started in, and that relais is still installed.",
  too_large: "Run the same command in a terminal.",
  no_answer: "Call status. If it shows an unfinished tick, a person runs `relais recover`.",
} as const;

function fail(error: keyof typeof REMEDIES, message: string, problems: readonly string[] = []): CalledAnswer {
  return { isOk: false, document: { error, message, problems, remedy: REMEDIES[error] } };
}
