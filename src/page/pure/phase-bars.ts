import type { JournalLine } from "../../records/event.ts";
import { evolve } from "../../tick/pure/evolve.ts";
import { START, type TickState } from "../../tick/pure/tick-state.ts";
import { findStep } from "../../cards/phase-strip.ts";
import type { PageTone, PhaseBar } from "./page-documents.ts";

/** The steps of a tick with their times: each lasts from the event that led to it until the event that ended it. */
export function listPhaseBars(lines: readonly JournalLine[]): readonly PhaseBar[] {
  const bars: PhaseBar[] = [];
  let state: TickState = START;
  for (const { at, event } of lines) {
    const open = bars.at(-1);
    if (open?.to === null) bars[bars.length - 1] = { ...open, to: at, tone: judgeStep(event) };
    state = evolve(state, event);
    const step = nameStep(state);
    if (step === null) break;
    const last = bars.at(-1);
    if (last?.step === step && last.tone !== "bad") bars[bars.length - 1] = { ...last, to: null };
    else bars.push({ step, from: at, to: null, tone: "wait" });
  }
  return bars;
}

/** A wait for a person is not work of the step that it belongs to. */
function nameStep(state: TickState): string | null {
  return state.phase === "ask" ? "ask" : findStep(state);
}

const FAILURES: readonly string[] = ["refused", "interrupted", "rollback_failed", "plan_rejected"];

/** How the step ended, by the event that ended it. */
function judgeStep(event: JournalLine["event"]): PageTone {
  if (event.type === "decided") return event.decision === "accept" ? "good" : "calm";
  if (event.type === "build_ended") return event.failure === null ? "good" : "bad";
  const code = "code" in event && event.type !== "tick_ended" ? event.code : null;
  return FAILURES.includes(event.type) || (code !== null && code !== "SUCCESS") ? "bad" : "good";
}
