import { runTask } from "../../../run/tick/run-task.ts";
import type { RunCommand } from "../../framework/command.ts";
import { openLive } from "../../live/live.ts";
import { processSources } from "../../live/process-sources.ts";
import { tellWarning } from "../../answers/refusal-answer.ts";
import { parseRunOptions } from "./run-options.ts";
import { tellTick } from "../../answers/tick-answer.ts";
import type { RunOptions } from "./run-spec.ts";

/** `relais run`. */
export const run: RunCommand<RunOptions> = async ({ options }, session) => {
  const parsed = parseRunOptions(options);
  if (parsed.kind === "misused") return parsed;
  const answer = await runTask({
    ...processSources(session),
    taskFile: parsed.source,
    isDryRun: options.flag("dry-run"),
    emit: openLive(session, "run").emit,
  });
  session.stage.clear();
  const end = tellTick(answer, session);
  const warning = answer.kind === "ended" ? await answer.notify() : null;
  if (warning !== null) tellWarning(warning, session);
  return end;
};
