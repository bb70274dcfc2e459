import type { JournalLine } from "../../records/event.ts";
import type { LineFold } from "../../records/folded-lines.ts";

type Caller = "orchestrator" | "builder" | "review";

/** By the service's own word. */
export interface RateLimit {
  readonly runId: string;
  readonly caller: Caller;
  readonly until: string;
  /** Another configuration may use another model or another account. */
  readonly configSha256: string | null;
}

interface OpenTick {
  readonly runId: string;
  readonly configSha256: string | null;
  caller: Caller | null;
  until: string | null;
}

/** The last limit, until a session was answered again. */
export class RateLimitFold implements LineFold {
  limit: RateLimit | null = null;
  private tick: OpenTick | null = null;

  take = ({ run_id: runId, event }: JournalLine): void => {
    if (event.type === "tick_started")
      this.tick = { runId, configSha256: event.config_sha256, caller: null, until: null };
    const { tick } = this;
    if (tick?.runId !== runId) return;
    tick.caller = findCaller(event) ?? tick.caller;
    tick.until = ("until" in event ? event.until : null) ?? tick.until;
    if (event.type === "tick_ended") this.end(tick, event.code);
  };

  /** Between two ticks. */
  save(): string {
    return JSON.stringify(this.limit);
  }

  load(text: string): void {
    this.limit = JSON.parse(text);
  }

  private end({ caller, until, ...tick }: OpenTick, code: string): void {
    this.tick = null;
    // A tick without a session says nothing about a service.
    if (caller === null) return;
    if (code !== "STOP_RATE_LIMITED") this.limit = null;
    else if (until !== null) this.limit = { ...tick, caller, until };
  }
}

function findCaller({ type }: JournalLine["event"]): Caller | null {
  if (type === "plan_started") return "orchestrator";
  if (type === "build_started") return "builder";
  return type === "review_started" ? "review" : null;
}
