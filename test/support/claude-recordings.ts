import { readFileSync } from "node:fs";
import { type ClaudeSeen, watchClaude } from "../../src/agents/claude-events.ts";
import type { AgentEvent } from "../../src/records/agent-event.ts";

/** The lines that the real program printed, recorded against a model that answered from a script. */
export function recordedText(name: string): string {
  return readFileSync(new URL(`../fixtures/claude/${name}.jsonl`, import.meta.url), "utf8");
}

/** What a watcher sees of a recording, line by line. */
export function watched(text: string): ClaudeSeen & { readonly events: readonly AgentEvent[] } {
  const events: AgentEvent[] = [];
  const watch = watchClaude((event) => events.push(event));
  for (const line of text.split("\n")) watch.line(line, line);
  return { ...watch.seen(), events };
}
