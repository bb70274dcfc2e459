import type { AgentEvent } from "../../contract/agents/agent-event.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import type { TickSession } from "../session/tick-session.ts";

/** Tells whoever looks on what an agent is doing while it does it. */
export function tellAgent({ emit }: Pick<TickSession, "emit">, speaker: string, event: AgentEvent): void {
  emit?.({ kind: "agent", atMs: currentTimeMs(), speaker, event });
}
