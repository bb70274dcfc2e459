import { runTask } from "../run/run-task.ts";
import { SCRIPTED_ARGUMENT } from "../run/scripted-session.ts";
import { reportMarkdown } from "../view/report-markdown.ts";
import type { RunCommand } from "./command.ts";
import { tellTick } from "./tick-answer.ts";
import { version } from "./version.ts";

/** `relais run`. */
export const run: RunCommand = async ({ options }, session) => {
  const answer = await runTask({
    cwd: session.cwd,
    taskFile: options.text("task"),
    isDryRun: options.flag("dry-run"),
    environment: process.env,
    signal: session.signal,
    relaisVersion: version(),
    player: [process.execPath, process.argv[1] ?? "", SCRIPTED_ARGUMENT],
    renderReport: (report, maxChars) => reportMarkdown(report, { maxChars }),
  });
  return tellTick(answer, session);
};
