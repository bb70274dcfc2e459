import type { AgentEvent } from "../records/agent-event.ts";
import { unreachable } from "../base/invariant.ts";
import { watchClaude } from "./claude-events.ts";
import { listCodexEvents, readCodexLine } from "./codex-events.ts";
import type { Driver } from "./driver.ts";

const LINE_CHARS_MAX = 400;

/** Reads a transcript line by line, as its driver did while it was written, for another process. */
export function readTranscriptEvents(
  driver: Driver["name"],
  onEvent: (event: AgentEvent) => void,
): (line: string) => void {
  switch (driver) {
    case "claude_code": {
      const watch = watchClaude(onEvent);
      return (line) => watch.line(line, line);
    }
    case "codex":
      return (line) => {
        const read = readCodexLine(line);
        if (read !== null) for (const event of listCodexEvents(read)) onEvent(event);
      };
    case "command":
    case "scripted":
      return (line) => {
        if (line.trim() !== "") onEvent({ type: "output", text: line.slice(0, LINE_CHARS_MAX) });
      };
    case "patch":
      return () => {};
    default:
      return unreachable(driver);
  }
}
