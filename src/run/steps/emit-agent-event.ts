import type { AgentEvent } from "../../contract/agents/agent-event.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import type { TickSession } from "../session/tick-session.ts";

export function emitAgentEvent({ emit }: Pick<TickSession, "emit">, speaker: string, event: AgentEvent): void {
  emit?.({ kind: "agent", atMs: readClockMs(), speaker, event });
}
