import { runTask } from "../run/run-task.ts";
import { SCRIPTED_ARGUMENT } from "../run/scripted-session.ts";
import { reportMarkdown } from "../view/report-markdown.ts";
import type { RunCommand } from "./command.ts";
import { openLive } from "./live.ts";
import { tellWarning } from "./refusal-answer.ts";
import { parseRunOptions } from "./run-options.ts";
import { tellTick } from "./tick-answer.ts";
import { version } from "./version.ts";

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
    see: openLive(session, "run").see,
  });
  session.stage.clear();
  const end = tellTick(answer, session);
  const warning = answer.kind === "ended" ? await answer.notify() : null;
  if (warning !== null) tellWarning(warning, session);
  return end;
};
