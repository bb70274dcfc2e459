/** The agents of a tick: their sessions, and the last event of each. */
import type { TickEvent } from "../records/event.ts";
import type { LiveEvent } from "../records/live-event.ts";
import type { LiveAgent } from "./live-model.ts";

export function updateAgents(
  agents: readonly LiveAgent[],
  { speaker, event, atMs }: Extract<LiveEvent, { kind: "agent" }>,
): readonly LiveAgent[] {
  const known = agents.find((one) => one.speaker === speaker) ?? createAgent(speaker, atMs);
  const next = event.type === "usage" ? { ...known, usage: event } : updateAgent(known, event, atMs);
  return [...agents.filter((one) => one.speaker !== speaker), next].toSorted(compareStarts);
}

function updateAgent(agent: LiveAgent, event: NonNullable<LiveAgent["doing"]>, atMs: number): LiveAgent {
  return {
    ...agent,
    doing: event,
    doingMs: atMs,
    said: event.type === "text" ? event.text : agent.said,
    tools: agent.tools + (event.type === "tool_call" ? 1 : 0),
  };
}

function compareStarts(a: LiveAgent, b: LiveAgent): number {
  if (a.startedMs !== b.startedMs) return a.startedMs - b.startedMs;
  return a.speaker < b.speaker ? -1 : 1;
}

function createAgent(speaker: string, atMs: number): LiveAgent {
  return { speaker, startedMs: atMs, doing: null, doingMs: atMs, said: null, tools: 0, usage: null };
}

/** The sessions that begin with an event; a retry starts a new session. */
export function startSessions(agents: readonly LiveAgent[], event: TickEvent, atMs: number): readonly LiveAgent[] {
  const speakers = findSpeakers(event);
  if (speakers.length === 0) return agents;
  const kept = agents.filter(({ speaker }) => !speakers.includes(speaker));
  return [...kept, ...speakers.map((speaker) => createAgent(speaker, atMs))];
}

function findSpeakers(event: TickEvent): readonly string[] {
  if (event.type === "plan_started") return ["orchestrator"];
  if (event.type === "build_started")
    return event.kept === undefined && event.driver !== "patch" ? listBuilders(event) : [];
  return [];
}

export const nameAttempt = ({ number, task }: { readonly number: number; readonly task?: string }): string =>
  task ?? `attempt ${number}`;

function listBuilders({ attempts, tasks }: Extract<TickEvent, { type: "build_started" }>): readonly string[] {
  if (attempts === undefined) return ["builder"];
  if (tasks !== undefined) return tasks;
  return Array.from({ length: attempts }, (_, index) => nameAttempt({ number: index + 1 }));
}
