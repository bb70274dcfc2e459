/** How many sessions of builders there were, by agent, and how many of them gave their task back. */
import * as v from "valibot";
import type { DriverName } from "../../records/agent.ts";
import type { JournalLine } from "../../records/event.ts";
import type { LineFold } from "../../records/folded-lines.ts";
import type { EventOf } from "../../tick/pure/tick-state.ts";

type Agent = v.InferOutput<typeof DriverName>;

export interface AgentSessions {
  readonly agent: Agent;
  readonly sessions: number;
  readonly gaveUp: number;
}

export class GivenBackFold implements LineFold {
  private readonly counts = new Map<Agent, AgentSessions>();
  /** The agent of each session that runs. */
  private readonly open = new Map<string, Agent>();

  take = ({ run_id: runId, event }: JournalLine): void => {
    if (event.type === "build_started" && isSession(event)) this.open.set(runId, event.driver);
    if (event.type === "tick_ended") this.open.delete(runId);
    if (event.type !== "build_ended" && event.type !== "refused") return;
    for (const { agent, code } of event.attempts?.list ?? []) this.count(agent, code === "STOP_QUESTION");
    if (event.type === "build_ended") this.endSession(this.open.get(runId), event);
  };

  list(): readonly AgentSessions[] {
    return [...this.counts.values()];
  }

  save(): string {
    return JSON.stringify(this.list());
  }

  load(text: string): void {
    const saved: readonly AgentSessions[] = JSON.parse(text);
    for (const one of saved) this.counts.set(one.agent, one);
  }

  /** Several attempts are no session of their tick. */
  private endSession(agent: Agent | undefined, event: EventOf<"build_ended">): void {
    if (agent !== undefined) this.count(agent, isGivenBack(event));
  }

  private count(agent: Agent, isOne: boolean): void {
    const { sessions, gaveUp } = this.counts.get(agent) ?? { sessions: 0, gaveUp: 0 };
    this.counts.set(agent, { agent, sessions: sessions + 1, gaveUp: gaveUp + (isOne ? 1 : 0) });
  }
}

function isSession({ driver, kept, landed, attempts }: EventOf<"build_started">): boolean {
  return driver !== "patch" && kept === undefined && landed === undefined && attempts === undefined;
}

/** A worker of a tree or of a campaign says it with the status of its own document. */
const Words = v.union([
  v.object({ status: v.literal("retry") }),
  v.object({ signal: v.object({ status: v.literal("blocked") }) }),
]);

function isGivenBack({ failure, data }: EventOf<"build_ended">): boolean {
  return failure?.code === "STOP_QUESTION" || v.is(Words, data);
}
