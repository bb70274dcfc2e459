import type { LiveListener, LiveEvent } from "../records/live-event.ts";
import { renderAgentEvent } from "../cards/agent-event-text.ts";
import { describeAttempt, describeRecorded, describeSilence } from "../cards/recorded-words.ts";
import type { Session } from "./command.ts";

/** The shortest time between two lines about an agent, without -v. */
const AGENT_MS = 10_000;

/** Logs live events with their time on standard error; standard output keeps the result alone. */
export function logLive({ detail, err }: Pick<Session, "detail" | "err">): LiveListener {
  let toldMs = Number.NEGATIVE_INFINITY;
  const say = (atMs: number, words: string | null): void => {
    if (words !== null) err(`${new Date(atMs).toISOString().slice(11, 19)} ${words}\n`);
  };
  const agent = ({ atMs, speaker, event }: Extract<LiveEvent, { kind: "agent" }>): void => {
    if (detail !== "all" && atMs - toldMs < AGENT_MS) return;
    const words = renderAgentEvent(speaker, event);
    if (words !== null) toldMs = atMs;
    say(atMs, words);
  };
  return (event) => {
    if (event.kind === "recorded") say(Date.parse(event.line.at), describeRecorded(event.line.event));
    if (event.kind === "attempt") say(Date.parse(event.line.at), describeAttempt(event));
    if (event.kind === "agent") agent(event);
    if (event.kind === "silent") say(event.atMs, describeSilence(event));
  };
}
