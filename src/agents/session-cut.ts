import { unreachable } from "../base/invariant.ts";
import type { SessionEnd } from "../process/supervise.ts";
import type { SessionEnding } from "./driver.ts";

interface CutSession {
  readonly program: string;
  readonly outputBytesMax: number;
}

/** The ending of a session that did not exit by itself, the same for every program; null for one that did. */
export function findSessionCut(end: SessionEnd, { program, outputBytesMax }: CutSession): SessionEnding | null {
  switch (end.kind) {
    case "exited":
      return null;
    case "signalled":
      return failSession(`signal_${end.signal}`, withLastLine(`it ended with signal ${end.signal}`, end.stderr));
    case "timed-out":
      return { kind: "timed-out", limit: "time" };
    case "idle":
      return { kind: "timed-out", limit: "idle" };
    case "output-limit": {
      const message = `it printed more than ${outputBytesMax} bytes`;
      return { kind: "failed", code: "STOP_OUTPUT_LIMIT", cause: "output_limit", message };
    }
    case "aborted":
      return { kind: "aborted" };
    case "not-started":
      if (end.reason === "not-found" || end.reason === "not-executable")
        return { kind: "not-found", program, message: end.message };
      return failSession(`not_started_${end.reason.replace("-", "_")}`, end.message);
    default:
      return unreachable(end);
  }
}

const QUOTED_CHARS_MAX = 300;

/** A sentence about the end of a program, with its last error line. */
export function withLastLine(sentence: string, stderr: Buffer): string {
  const lines = stderr.toString("utf8").split("\n");
  const said = (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, QUOTED_CHARS_MAX);
  return said === "" ? sentence : `${sentence}: ${said}`;
}

/** The ending of a session that failed for another reason than a limit. */
export function failSession(cause: string, message: string): Extract<SessionEnding, { kind: "failed" }> {
  return { kind: "failed", code: "STOP_INTERRUPTED", cause, message };
}
