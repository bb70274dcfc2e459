import type { See, Sight } from "../../contract/journal/sight.ts";
import { agentEventText } from "../../view/text/agent-event-text.ts";
import { recordedWords } from "../../view/live/recorded-words.ts";
import type { Session } from "../framework/command.ts";

/** Of what an agent does, so often at most, unless everything is asked for. */
const AGENT_MS = 10_000;

/** Tells what is seen in lines with the time, on standard error: what comes of it stays alone on standard output. */
export function tellLive({ detail, err }: Pick<Session, "detail" | "err">): See {
  let toldMs = Number.NEGATIVE_INFINITY;
  const say = (atMs: number, words: string | null): void => {
    if (words !== null) err(`${new Date(atMs).toISOString().slice(11, 19)} ${words}\n`);
  };
  const agent = ({ atMs, speaker, event }: Extract<Sight, { kind: "agent" }>): void => {
    if (detail !== "all" && atMs - toldMs < AGENT_MS) return;
    const words = agentEventText(speaker, event);
    if (words !== null) toldMs = atMs;
    say(atMs, words);
  };
  return (sight) => {
    if (sight.kind === "recorded") say(Date.parse(sight.line.at), recordedWords(sight.line.event));
    if (sight.kind === "agent") agent(sight);
  };
}
