/**
 * Several sessions instead of one: each works elsewhere, and the best work is written into the place of this tick, where
 * it is judged and checked again.
 */
import type { Attempt } from "../../contract/documents/attempts.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import { compareAttempts } from "../../core/tick/choose-attempt.ts";
import { countNoun } from "../../core/words/count-noun.ts";
import { createDispatch } from "../../io/files/drop-folder.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { type AttemptsPort, readInterruption, type RunningSession } from "../session/tick-session.ts";
import { writeMoves } from "./adopt-landing.ts";

export function announceAttempts({ config, sandbox }: RunningSession, { count }: AttemptsPort): TickEvent {
  const mode = config.roles.builder.driver ?? config.builder.default_mode;
  return {
    type: "build_started",
    driver: mode === "cursor" ? "command" : mode,
    sandbox: sandbox === null ? "none" : "bubblewrap",
    dispatch: createDispatch(),
    attempts: count,
  };
}

export async function performAttempts(session: RunningSession, port: AttemptsPort, task: Task): Promise<TickEvent> {
  const startedAt = readClockMs();
  const { attempts, usage, moves, commits, summary } = await port.run(session, task);
  if (session.signal.aborted) return readInterruption(session.signal);
  if (attempts.chosen === null) {
    const best = attempts.list.toSorted(compareAttempts)[0];
    const code = best?.code ?? "STOP_INTERRUPTED";
    const message = `None of ${countNoun(attempts.list.length, "attempt")} passed: ${attempts.list.map(nameEnd).join(", ")}.`;
    return { type: "refused", code, cause: "no_attempt_passed", message, usage, attempts };
  }
  const refusal = await writeMoves(session, moves);
  if (commits !== null) session.memory.commits = commits;
  if (refusal !== null) return refusal;
  const duration_ms = Math.max(0, Math.round(readClockMs() - startedAt));
  return { type: "build_ended", failure: null, builder_output_valid: null, summary, duration_ms, usage, attempts };
}

function nameEnd({ number, code }: Attempt): string {
  return `${number} ${code}`;
}
