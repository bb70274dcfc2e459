import type { AgentEvent } from "../contract/agent-event.ts";
import { runTask } from "../run/run-task.ts";
import { SCRIPTED_ARGUMENT } from "../run/scripted-session.ts";
import { agentEventText } from "../view/agent-event-text.ts";
import { reportMarkdown } from "../view/report-markdown.ts";
import type { RunCommand, Session } from "./command.ts";
import { tellWarning } from "./refusal-answer.ts";
import { parseRunOptions } from "./run-options.ts";
import { tellTick } from "./tick-answer.ts";
import { version } from "./version.ts";

/** Whoever waits for an answer sees what is done for it; a file or a program gets it only where it asks. */
function tellEvent({ detail, isTerminal, json, err }: Session, speaker: string, event: AgentEvent): void {
  const isWatched = detail === "all" || (detail === "usual" && isTerminal && !json);
  const text = isWatched ? agentEventText(speaker, event) : null;
  if (text !== null) err(`${text}\n`);
}

/** `relais run`. */
export const run: RunCommand = async ({ options }, session) => {
  const parsed = parseRunOptions(options);
  if (parsed.kind === "misused") return parsed;
  const answer = await runTask({
    cwd: session.cwd,
    taskFile: parsed.source,
    isDryRun: options.flag("dry-run"),
    environment: process.env,
    signal: session.signal,
    relaisVersion: version(),
    player: [process.execPath, process.argv[1] ?? "", SCRIPTED_ARGUMENT],
    renderReport: (report, maxChars) => reportMarkdown(report, { maxChars }),
    onAgentEvent: (speaker, event) => tellEvent(session, speaker, event),
  });
  const end = tellTick(answer, session);
  const warning = answer.kind === "ended" ? await answer.notify() : null;
  if (warning !== null) tellWarning(warning, session);
  return end;
};
